"""Processes that benchmarks start: each prints one line when it is ready, then a rate for each line it is given."""
