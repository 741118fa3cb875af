# `make` runs what a change must pass: the checks and the quick tests. It uses the active virtual environment, else .venv.
PYTHON ?= $(if $(VIRTUAL_ENV),python,$(or $(wildcard .venv/bin/python),python3))
LINT_IMPORTS = $(PYTHON) -c 'from importlinter.cli import lint_imports_command as lint; lint()' --no-cache

.PHONY: all check test test-all bench reports golden constraints clean

all: check test

check:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(LINT_IMPORTS)

test:
	$(PYTHON) -m pytest -q -m "not slow"

test-all:
	$(PYTHON) -m pytest -q

bench:
	$(PYTHON) -m tests.bench

# The pictures of reports/, see its README.
RULEKIT = $(PYTHON) -m rulekit
reports:
	$(RULEKIT) draw lagoon-a --overwrite -o reports/lagoon-a.svg
	$(RULEKIT) draw lagoon-b-tiles --overwrite -o reports/lagoon-b-tiles.svg
	$(RULEKIT) draw ravenhill --overwrite -o reports/ravenhill.svg
	$(RULEKIT) limits ravenhill -q --overwrite --die red --plot reports/ravenhill-risk.svg > reports/ravenhill-limits.txt
	$(RULEKIT) odds --dice 3,3,1 --free 6 -q --overwrite --plot reports/odds.svg > reports/odds.txt
	$(RULEKIT) solve practice-a -q --overwrite --plot-kind value --plot reports/practice-a-value.svg > reports/practice-a.txt
	$(RULEKIT) solve practice-a -q --overwrite --plot-kind crash --plot reports/practice-a-crash.svg > /dev/null
	$(RULEKIT) solve practice-a -q --overwrite --plot-kind turns --plot reports/practice-a-turns.svg > /dev/null

# Write anew what the golden texts, the README's examples and docs/ show; then read the diff.
golden:
	RULEKIT_WRITE_GOLDEN=1 $(PYTHON) -m pytest -q tests/test_cli.py tests/test_readme.py

# The newest versions that fit together, found in an environment of their own.
constraints:
	$(PYTHON) -m venv --clear --without-pip build/constraints
	$(PYTHON) -m pip --python build/constraints install --upgrade -e ".[dev,bench,cluster,parquet]"
	head -1 constraints.txt > build/constraints.txt
	$(PYTHON) -m pip --python build/constraints freeze --all --exclude-editable >> build/constraints.txt
	mv build/constraints.txt constraints.txt

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -exec rm -rf {} +
