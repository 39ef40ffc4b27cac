# make run       sets up and opens the dashboard on the shipped experiment
# make test      sets up, gets a browser when there is none, and passes the tests
# make check     style, types, import contract
# make setup     only sets up what tests and checks need
# make crash     the long form of the tests that kill, fill, damage and load the record of answers
# make bench     speed against other libraries, as ratios
# make fixtures  builds the shipped experiment again
# make clean     removes what the above made outside the repository's own files

VENV := .venv
PY := $(VENV)/bin/python
# Conflicts are not told: the one there is, rbo's numpy < 2, is explained in requirements-rbo.txt.
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --no-warn-conflicts
PYTEST_ARGS ?=
BENCH_ARGS ?=

.PHONY: help run test check setup crash bench fixtures clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# make/make/p' Makefile

# Whatever is left of an environment without its Python goes first, with the stamps of what was installed in it.
$(PY):
	@rm -rf $(VENV); python=""; \
	for name in python3.13 python3.12 python3.11 python3 python; do \
	  if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python="$$name"; break; fi; \
	done; \
	if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed; none was found." >&2; exit 1; fi; \
	"$$python" -m venv $(VENV) && exit 0; \
	rm -rf $(VENV); \
	echo "$$python cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1

$(VENV)/run.stamp: requirements.txt requirements-rbo.txt constraints.txt | $(PY)
	$(PIP) -r requirements.txt -c constraints.txt
	$(PIP) --no-deps -r requirements-rbo.txt
	@touch $@

$(VENV)/dev.stamp: $(wildcard requirements-*.txt) $(VENV)/run.stamp
	$(PIP) -r requirements-dev.txt -c constraints.txt
	@touch $@

run: $(VENV)/run.stamp
	$(PY) -m streamlit run app.py

setup: $(VENV)/dev.stamp
	@PYTHON=$(PY) sh .ci/browser >/dev/null

test: setup
	@COMPAREKIT_CHROMIUM="$$(PYTHON=$(PY) sh .ci/browser)" $(PY) -m pytest $(PYTEST_ARGS)

check: $(VENV)/dev.stamp
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-cache

# The long form of the programmes that kill, fill, damage and load the record of answers.
crash: setup
	COMPAREKIT_LONG=1 $(PY) -m pytest tests/store $(PYTEST_ARGS)

bench: $(VENV)/dev.stamp
	$(PY) -m benchmarks $(BENCH_ARGS)

fixtures: $(VENV)/run.stamp
	$(PY) fixtures/build.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/browser/shots
