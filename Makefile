# Two commands do everything on a fresh machine: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := tools/install_debian.sh
# Every process of a run shares one folder of compiled kernels and tables.
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba
export XDG_CACHE_HOME ?= $(CURDIR)/.cache

.PHONY: run tour man check test prove campaign law-campaign mutate web-check bench format kernels cluster screenshots pictures diagrams docs clean

# The tour, then the server, until Ctrl-C or SIGTERM.
run: tour
	@echo "In a new shell, enter the environment with: source $(VENV)/bin/activate"
	@echo "Then every command of the README works as written; croupier completion adds Tab completion."
	@echo
	@exec $(BIN)/croupier serve $$([ -t 1 ] && echo --open)

tour: $(VENV)/installed
	@$(BIN)/croupier tour

# Man pages into the folder `man`; `man -l man/croupier.1` shows one.
man: $(VENV)/installed
	@$(BIN)/croupier man -o man

# Static checks beside the unit tests, which need neither a database nor a server or a browser.
UNIT_TESTS := $(addprefix tests/,core games hands plugins progressive regulations submissions table)
PYTEST_OPTIONS := -n 2 --dist worksteal -q
check: $(VENV)/tested node_modules/installed kernels
	@$(BIN)/python -m tools.checks $(PYTEST_OPTIONS) -m "not proof and not slow and not campaign" $(UNIT_TESTS)

test: $(VENV)/tested node_modules/installed kernels
	@$(INSTALL) chromium groff openssl postgresql
	@$(BIN)/python -m tools.checks $(PYTEST_OPTIONS) -p tools.branch_coverage -m "not proof and not slow and not campaign" --durations=20 --durations-min=4

# Exhaustive and slow tests, and seeded samples of the campaigns.
prove: $(VENV)/mutated kernels
	@$(INSTALL) chromium openssl postgresql
	$(BIN)/pytest $(PYTEST_OPTIONS) -m "(proof or slow) and not campaign"
	$(BIN)/python -m tests.faults kills --times 20 --seed 1
	$(BIN)/python -m tests.faults kills --times 20 --seed 2 --postgresql --workers 2
	$(BIN)/python -m tests.faults outages --times 5 --seed 1
	$(BIN)/python -m tests.server.proof
	$(BIN)/python -m tests.server.fuzz --cases 3 --seed 1
	$(BIN)/python -m tools.mutation --sample 8 --seed 4

# Full counts: 900 killed servers, 50 outages of PostgreSQL, a full disk and random requests; about an hour.
campaign: $(VENV)/tested kernels
	@$(INSTALL) postgresql
	$(BIN)/pytest $(PYTEST_OPTIONS) -m campaign
	$(BIN)/python -m tests.faults kills --times 300
	$(BIN)/python -m tests.faults kills --times 300 --postgresql
	$(BIN)/python -m tests.faults kills --times 300 --postgresql --workers 2
	$(BIN)/python -m tests.faults outages --times 50
	$(BIN)/python -m tests.faults disk
	$(BIN)/python -m tests.server.fuzz --cases 20
	$(MAKE) mutate
	$(MAKE) law-campaign

# Breaks the rule behind each clause and keeps which test notices; goes on where the evidence is missing or stale.
law-campaign: $(VENV)/tested kernels
	$(BIN)/python -m tools.law

bench: $(VENV)/benched
	@$(INSTALL) gcc postgresql
	$(BIN)/python -m bench

# Whether the tests notice small mistakes in the code; `make mutate SEED=2 SAMPLE=20` for others.
SEED ?= 1
SAMPLE ?= 100
mutate: $(VENV)/mutated
	@$(INSTALL) postgresql
	$(BIN)/python -m tools.mutation --sample $(SAMPLE) --seed $(SEED)

format: $(VENV)/tested node_modules/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	node_modules/.bin/biome check --write .

# Compiled once, before tests run side by side.
kernels: $(VENV)/tested
	@$(BIN)/python -m croupier.hands

# The web scripts: types, lint, format and unit tests.
web-check: node_modules/installed
	node_modules/.bin/tsc
	node_modules/.bin/biome check --error-on-warnings .
	node --test tests/web/*.test.js

node_modules/installed: package.json .npmrc
	@$(INSTALL) node
	npm install --silent --no-audit --no-fund
	touch $@

# Pictures of the pages into the folder `screenshots`; those for the documents are copied to docs/images.
screenshots: $(VENV)/tested
	@$(INSTALL) chromium
	$(BIN)/python -m tools.screenshots screenshots
	$(BIN)/python -m tools.console_screenshots screenshots

# The pictures of the site's home page, light and dark; look at them before you commit them.
pictures: $(VENV)/tested
	@$(INSTALL) chromium
	$(BIN)/python -m tools.site.pictures

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
	$(BIN)/pip install -q -c constraints.txt -e .[reports]
	$(BIN)/python -m compileall -q src/croupier
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/pip install -q -c constraints.txt -e .[all] --group test
	touch $@

$(VENV)/benched: $(VENV)/installed
	$(BIN)/pip install -q -c constraints.txt -e .[all] --group bench
	touch $@

$(VENV)/mutated: $(VENV)/tested
	$(BIN)/pip install -q -c constraints.txt --group mutation
	touch $@

# A Dask cluster on this machine for `croupier simulate --cluster tcp://127.0.0.1:8786`; Ctrl-C ends it.
WORKERS ?= 2
cluster: $(VENV)/tested
	@$(BIN)/dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard & scheduler=$$!; \
	$(BIN)/dask worker tcp://127.0.0.1:8786 --nworkers $(WORKERS) --nthreads 1 --no-dashboard & workers=$$!; \
	trap "kill $$workers $$scheduler" INT TERM EXIT; wait

clean:
	rm -rf $(VENV) node_modules .cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist site
