# `make` runs what a change must pass: the checks and the quick tests.
PYTHON ?= python
.PHONY: all check test test-all bench reports clean

all: check test

check:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports --no-cache

test:
	$(PYTHON) -m pytest -q -m "not slow"

test-all:
	$(PYTHON) -m pytest -q

bench:
	$(PYTHON) -m tests.bench

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -exec rm -rf {} +
