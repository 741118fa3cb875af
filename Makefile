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

# What reports/ holds, see its README: pictures, tables, and of each page the page itself and its tables.
RULEKIT = $(PYTHON) -m rulekit
REPORT = $(RULEKIT) report -q --overwrite
reports:
	mkdir -p build/reports
	$(RULEKIT) draw lagoon-a --overwrite -o reports/lagoon-a.svg
	$(RULEKIT) draw lagoon-b-tiles --overwrite -o reports/lagoon-b-tiles.svg
	$(RULEKIT) draw ravenhill --overwrite -o reports/ravenhill.svg
	$(RULEKIT) limits ravenhill -q --overwrite --die red --plot reports/ravenhill-risk.svg > reports/ravenhill-limits.txt
	$(RULEKIT) odds --dice 3,3,1 --free 6 -q --overwrite --plot reports/odds.svg > reports/odds.txt
	$(RULEKIT) solve practice-a -q --overwrite --plot-kind turns --plot reports/practice-a-turns.svg > reports/practice-a.txt
	$(RULEKIT) compare practice-a --readings all --races 1000 --seed 1 -q --overwrite --plot reports/readings.svg > reports/readings.txt
	$(RULEKIT) build-course practice --spots B --seed 1 -q --overwrite -o reports/practice-b.toml > /dev/null
	$(RULEKIT) build-course practice --spots C --seed 1 -q --overwrite -o reports/practice-c.toml > /dev/null
	$(REPORT) lagoon-a --seed 1 -o build/reports/lagoon-a.html
	$(REPORT) practice-a reports/practice-b.toml reports/practice-c.toml --races 500 --seed 1 -o build/reports/match.html
	$(REPORT) practice-tiles --races 500 --seed 1 -o build/reports/expansion.html
	$(REPORT) orchard --seed 1 -o build/reports/orchard.html
	$(REPORT) lagoon-fair --seed 1 -o build/reports/lagoon-fair.html
	for page in lagoon-a match expansion orchard lagoon-fair; do mkdir -p reports/$$page-files && cp build/reports/$$page.html reports/ \
		&& cp build/reports/$$page-files/*.csv reports/$$page-files/ || exit 1; done
	cp build/reports/lagoon-a-files/board-risk.svg reports/lagoon-a-risk.svg

# The swept space of reports/: 20,000 courses, an hour or two of one core.
.PHONY: space
space:
	mkdir -p build/reports
	$(RULEKIT) sweep reports/lagoon-space.toml -o build/reports/lagoon-space.db -j 2
	$(RULEKIT) report --atlas build/reports/lagoon-space.db --overwrite -o build/reports/lagoon-space.html
	mkdir -p reports/lagoon-space-files && cp build/reports/lagoon-space.html reports/ \
		&& cp build/reports/lagoon-space-files/*.csv reports/lagoon-space-files/

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
