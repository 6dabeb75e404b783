# `make demo` and `make test` set up their own virtual environment; PYTHON chooses the interpreter it is made of.
# Networks as small as those of the demo and the tests gain nothing from a second thread, and lose much on a busy machine.
PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
BIN := $(VENV)/bin
DATA ?=
ORACLE ?=
MINUTES ?= 10
# Further arguments of pytest, for `make test ARGS="-k conv --random-order-bucket=global"`.
ARGS ?=
# How many processes run the tests; each begins with the longest tests of its share, and takes from the others when it is done.
WORKERS ?= auto
# Compiled modules are kept whatever the environment says: every process that a test starts would compile them again.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist worksteal $(ARGS)

.PHONY: demo test test-all long quick check format bench soak record coverage docs wheel sdist release clean

demo: $(VENV)/.ready
	@OMP_NUM_THREADS=1 $(BIN)/python examples/lenet/demo.py $(if $(DATA),--data $(DATA))

test: $(VENV)/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(PYTEST) -m "not long"

# Also what is long by nature; a test that takes over its budget of ten seconds, and is not marked long, fails.
test-all: $(VENV)/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(PYTEST) --budget
	$(BIN)/python -m tests.soak --minutes 2

# The tests that `make test` leaves out, by themselves. Those of a GPU run on a stand-in, tests/standin, that
# a C++ compiler builds once (half a minute; `apt-get install g++`, or CXX=clang++); without one they are skipped.
long: $(VENV)/.ready
	$(PYTEST) -m long

# For the work in between: lint, and the tests that start no process, no compiler, read no sources, and take no time.
quick: $(VENV)/.ready
	$(BIN)/ruff check
	$(PYTEST) -m "not process and not compiles and not sources and not long"

check: format test

format: $(VENV)/.ready
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# ORACLE names an interpreter with the real MindSpore 2.10 (`make record` also takes an earlier one); without it the rows that compare with it are left out.
bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks $(if $(ORACLE),--oracle $(ORACLE))

# Kills, faults, hostile files, threads and steps, again and again; a table of what was found and of the memory.
soak: $(VENV)/.ready
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.soak --minutes $(MINUTES)

# The real 2.10.0 for all that has no answer yet; with RELEASE=1.10 (or another) ORACLE is an interpreter with that release.
record: $(VENV)/.ready
	$(BIN)/python tests/oracle/record.py --python $(ORACLE) $(if $(RELEASE),--release $(RELEASE))

coverage: $(VENV)/.ready
	$(BIN)/python tools/coverage_page.py

# The documentation as a site, in site/.
docs: $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable ".[docs]"
	@echo "Building the site, which takes a minute or two …"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "The site is in site/. To read it, run this and open http://localhost:8000:"
	@echo "$(BIN)/python -m http.server --directory site"

# What is given to users, in dist/; what an earlier build left behind would come along.
wheel sdist: $(VENV)/.ready
	rm -rf build
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --$@

# What a release consists of, checked: the wheel, the source distribution and the notes in dist/; every Python runs the wheel.
release: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet build twine
	$(BIN)/python tools/release.py

$(VENV)/.ready: pyproject.toml setup.py $(CONSTRAINTS)
	@$(PYTHON) tools/set_up.py $(VENV) $(CONSTRAINTS)
	@touch $@

clean:
	rm -rf $(VENV) .matrix build dist demo site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
