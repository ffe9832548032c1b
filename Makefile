# Every target sets up what it needs first; `make setup` is quick the second time.
SHELL := /bin/bash
PY := .venv/bin/python
JOBS ?= 2
PYTEST ?= $(PY) -m pytest

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench demo test soak mutate lint format bench compiled pure proto clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/.setup-stamp  ## make .venv with everything (by uv if present, else pip from the same lock), node parts if node is there

.venv/.setup-stamp: .ci/setup pyproject.toml sdk/python/pyproject.toml uv.lock requirements.lock $(wildcard sdk/node/package-lock.json proto/package-lock.json)
	@.ci/setup
	@touch $@

setup-bench: benchmarks/.venv-peers/.setup-stamp  ## the programs that benchmarks compare with, in a venv of their own

benchmarks/.venv-peers/.setup-stamp: benchmarks/peers.txt | setup
	@.ci/setup-peers
	@touch $@

demo: setup  ## four bots of different strength play a rated round robin on real parts
	.venv/bin/arena demo

test: setup  ## everything that must pass, in ten minutes at most
	$(PYTEST) -n $(JOBS) --dist loadgroup $(ARGS)

soak: setup  ## what takes longer
	$(PYTEST) -m soak -n $(JOBS) --dist loadgroup --timeout 3600 $(ARGS)

mutate: setup  ## mutation testing of scoring and legality; ends with the score and the survivors (see tests/MUTATION.md)
	.ci/mutate $(ARGS)

lint: setup  ## ruff, mypy strict, import contracts, generated code up to date, buf
	.ci/lint

format: setup  ## let ruff write the layout
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

bench: setup setup-bench  ## one JSON line per benchmark, compiled; NAME=engine runs one
	-@$(PY) -m thousand.compiling 1>&2 && $(PY) -m referee.compiling 1>&2
	$(PY) -m benchmarks $(NAME)

compiled: setup  ## compile rules and referee, twice as fast (needs a C compiler)
	$(PY) -m thousand.compiling
	$(PY) -m referee.compiling

pure: setup  ## run rules and referee as Python again
	$(PY) -m thousand.compiling --remove
	$(PY) -m referee.compiling --remove

proto: setup  ## generate the Python code of proto/thousand/v1
	proto/generate

clean:  ## remove all that make has made
	rm -rf .venv .venv-proto benchmarks/.venv-peers sdk/node/node_modules proto/node_modules
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis mutants
	find . \( -name __pycache__ -o -name __compiled__ \) -type d -prune -exec rm -rf {} +
