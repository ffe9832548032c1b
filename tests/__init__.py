"""Tests mirror the packages: a test file per module, of the same name."""
