# Everything runs in .venv; only Python 3.11+ and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CODE := core prompts ingestion tools agents graph backends app evals
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help install demo test check lint format serve clean

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/  /'

$(VENV)/.core: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing tuwen into $(VENV) (once; a few minutes on a cold cache) ..."
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

install: $(VENV)/.core  ## make .venv with tuwen in it

demo: $(VENV)/.core  ## ingest the samples and answer three questions, without any key
	@$(BIN)/tuwen demo

test: $(VENV)/.dev  ## install and run every test
	@$(BIN)/python -m pytest

check: lint test  ## lint and test: what must pass before a commit

lint: $(VENV)/.dev  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@mkdir -p .cache/mypy && ln -sfn ../.. .cache/mypy/tuwen
	$(BIN)/mypy $(addprefix -p tuwen.,$(CODE))

format: $(VENV)/.dev  ## rewrite the code in the house's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

serve: $(VENV)/.core  ## langgraph dev with the right flags
	@$(BIN)/tuwen serve

clean:  ## remove .venv and caches, never your data
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache
