"""Measurements against other programs; `python -m tests.bench`."""
