# Two commands do everything on a fresh machine: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every process of a run shares one folder of compiled kernels and tables.
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba
export XDG_CACHE_HOME ?= $(CURDIR)/.cache

.PHONY: run test prove law-campaign bench format check kernels cluster postgresql chromium openssl screenshots diagrams docs clean

run: $(VENV)/installed
	$(BIN)/croupier demo
	@if [ -t 0 ]; then echo; $(BIN)/croupier serve --open; fi

test: check kernels postgresql chromium openssl
	$(BIN)/pytest -n 2 --dist worksteal -m "not proof and not slow" --durations=30 --durations-min=4

prove: $(VENV)/tested kernels postgresql chromium openssl
	$(BIN)/pytest -n 2 --dist worksteal -m "proof or slow"

# Breaks the rule behind each clause and keeps which test notices; goes on where the evidence is missing or stale.
law-campaign: $(VENV)/tested kernels
	$(BIN)/python -m tools.law

bench: $(VENV)/benched postgresql
	@command -v gcc >/dev/null || { apt-get update -q && apt-get install -qy gcc libc6-dev; } || sudo sh -c 'apt-get update -q && apt-get install -qy gcc libc6-dev'
	$(BIN)/python -m bench

format: $(VENV)/tested
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: $(VENV)/tested
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.vocabulary

# Compiled once, before tests run side by side.
kernels: $(VENV)/tested
	$(BIN)/python -m croupier.hands

# A real one for the tests of the store, which start servers of their own.
postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { apt-get update -q && apt-get install -qy postgresql; } || sudo sh -c 'apt-get update -q && apt-get install -qy postgresql'

# A real one for the tests of the pages.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { apt-get update -q && apt-get install -qy chromium; } || sudo sh -c 'apt-get update -q && apt-get install -qy chromium'

# Makes the certificate of the tests of TLS.
openssl:
	@command -v openssl >/dev/null || { apt-get update -q && apt-get install -qy openssl; } || sudo sh -c 'apt-get update -q && apt-get install -qy openssl'

# Pictures of the pages into the folder `screenshots`; those for the documents are copied to docs/images.
screenshots: $(VENV)/tested chromium
	$(BIN)/python -m tools.screenshots screenshots
	$(BIN)/python -m tools.console_screenshots screenshots

# The pictures of docs/architecture.md.
diagrams: $(VENV)/tested
	$(BIN)/python -m tools.walks

# The documentation site into the folder `site`; every link in it must lead somewhere.
docs: $(VENV)/tested kernels
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open site/index.html"

$(VENV)/installed: pyproject.toml constraints.txt hatch_build.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade -c constraints.txt pip
	$(BIN)/pip install -q -c constraints.txt -e .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/pip install -q -c constraints.txt -e .[all] --group test
	touch $@

$(VENV)/benched: $(VENV)/installed
	$(BIN)/pip install -q -c constraints.txt -e .[all] --group bench
	touch $@

# A Dask cluster on this machine for `croupier simulate --cluster tcp://127.0.0.1:8786`; Ctrl-C ends it.
WORKERS ?= 2
cluster: $(VENV)/tested
	@$(BIN)/dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard & scheduler=$$!; \
	$(BIN)/dask worker tcp://127.0.0.1:8786 --nworkers $(WORKERS) --nthreads 1 --no-dashboard & workers=$$!; \
	trap "kill $$workers $$scheduler" INT TERM EXIT; wait

clean:
	rm -rf $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist site
