# make demo       real worlds built, witness worlds of the tasks, the stored reference runs graded
# make test       the whole test suite: style, types, floors, tests
# make reproduce  the stored runs graded once more; fails if a number moves
# make clean      removes what the others made in this folder
#
# Needed first: Python 3.11 or newer with venv, and a way to the package registry. PYTHON=… chooses another Python.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.PHONY: help worlds demo test reproduce clean

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TEST_TOOLS := $(VENV)/.test-tools
PYTHON ?= $(shell scripts/find-python)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TASKS := $(patsubst specs/tasks/%.yaml,--task %,$(sort $(wildcard specs/tasks/*.yaml)))
DEMO := out/demo
PYTEST_OPTIONS ?= -n auto

help:
	@sed -n '/^# make/s/^# //p' Makefile

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer with venv found (install one, or name it: make PYTHON=/path/to/python3)" >&2; exit 2; }
	"$(PYTHON)" -m venv --clear $(VENV)

$(INSTALLED): pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(TEST_TOOLS): pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[test]'
	@touch $@ $(INSTALLED)

worlds: $(INSTALLED)
	$(BIN)/worlds build --all
	$(BIN)/worlds build $(TASKS)

demo: worlds
	$(BIN)/worlds list
	$(BIN)/bench grade runs/reference --out $(DEMO)
	@echo
	@echo "The written reports:     $(DEMO)/"
	@echo "Serve a world over HTTP: $(BIN)/worlds serve monaco"
	@echo "Query it here:           $(BIN)/worlds query monaco '[out:json];node[amenity=cafe];out;'"

test: $(TEST_TOOLS)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest $(PYTEST_OPTIONS)

reproduce: worlds
	$(BIN)/bench reproduce

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
