"""Repeatable measurements against peers; run with `python -m benchmarks [NAME…]`."""
