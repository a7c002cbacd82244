# The two commands that matter: `make demo` and `make test`. Each sets up what it needs; a second call installs nothing.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo dev test test-all lint format docs suite install tables clean

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(INSTALLED)

demo: install
	$(BIN)/legal-pipeline demo

dev: install
	$(BIN)/legal-pipeline dev

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The documentation as a site in build/site; any warning is an error.
docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The tests begin while mypy is still working: it uses one of the two processors that are asked for.
test: install
	$(MAKE) --no-print-directory --jobs=2 lint docs suite

# Two processes more than the two processors that are asked for: tests of servers mostly wait.
suite: install
	$(BIN)/pytest --numprocesses 4 --dist worksteal

# With the heavy tests, and with new and ten times as many examples of hypothesis.
test-all: lint docs
	$(BIN)/pytest -m "heavy or not heavy" --hypothesis-profile thorough

# The generated parts of docs/.
tables: install
	$(BIN)/python -m legal_pipeline_tests.documentation

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
