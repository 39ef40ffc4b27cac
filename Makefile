# make run    sets up and opens the dashboard on the shipped experiment
# make test   sets up, gets a browser when there is none, and passes the tests
# make check  style, types, import contract
# make bench  speed against other libraries, as ratios
# make fixtures  builds the shipped experiment again

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
PYTEST_ARGS ?=

.PHONY: run test check bench fixtures browser clean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# //p' Makefile

$(PY):
	@python=""; \
	for name in python3.13 python3.12 python3.11 python3 python; do \
	  if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python="$$name"; break; fi; \
	done; \
	if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed; none was found." >&2; exit 1; fi; \
	"$$python" -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt requirements-rbo.txt constraints.txt | $(PY)
	$(PIP) -r requirements.txt -c constraints.txt
	$(PIP) --no-deps -r requirements-rbo.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	$(PIP) -r requirements-dev.txt -c constraints.txt
	@touch $@

run: $(VENV)/run.stamp
	$(PY) -m streamlit run app.py

test: $(VENV)/dev.stamp browser
	$(PY) -m pytest $(PYTEST_ARGS)

browser: $(VENV)/dev.stamp
	@PYTHON=$(PY) sh .ci/browser

check: $(VENV)/dev.stamp
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-cache

bench: $(VENV)/dev.stamp
	$(PY) -m benchmarks $(BENCH_ARGS)

fixtures: $(VENV)/run.stamp
	$(PY) fixtures/build.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/browser/shots
