# Everything from a fresh clone: `make demo`, `make test`. Needs Python 3.11 or newer and nothing else; `make help` lists the rest.

# The first Python that is new enough; PYTHON=/path/to/python make … overrules.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$python && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench clean

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## */make \1\t/' | expand -t 14

demo: $(VENV)/installed ## set up, simulate a built-in clip that is pushed about, leave the results in out/
	$(BIN)/poise demo

test: lint ## set up, check style and types, run all tests
	@tools/software_opengl
	$(BIN)/pytest -n $(WORKERS)

lint: $(VENV)/installed-test ## style (ruff) and types (pyright)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@if $(BIN)/pyright --version >/dev/null 2>&1; then $(BIN)/pyright --pythonpath $(BIN)/python; \
	else echo "SKIPPED: pyright needs Node.js and could not fetch it; types were not checked"; fi

format: $(VENV)/installed-test ## put the sources into the common format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/installed-bench ## all benchmarks, one JSON line per figure
	@for benchmark in benchmarks/*.py; do echo "# $$benchmark"; $(BIN)/python $$benchmark || exit 1; done

clean: ## remove everything that was made
	rm -rf $(VENV) out dist build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up is repeated only when the package's requirements have changed.
$(VENV)/installed: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet -e .
	@touch $@

$(VENV)/installed-%: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet -e '.[$*]'
	@touch $@

$(BIN)/pip:
	@tools/virtual_environment '$(PYTHON)' $(VENV)
