# The two commands are `make report` and `make test`; both make their own environment first.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# With UV=path/to/uv its packages come in half a minute, where pip takes five.
INSTALL = $(if $(UV),$(UV) pip install --python $(BIN)/python,$(BIN)/python -m pip install) --quiet -c constraints.txt

# What Python compiles it keeps, even where the environment says otherwise: a build's kernels are new processes, and
# each of them would compile all that it imports.
export PYTHONDONTWRITEBYTECODE =

report: $(VENV)/.report
	$(BIN)/reportkit build --out reports

# In the order of the folders: the long files of tests/builds come early, and the last are short. Three at a time keep two
# processors busy, as many tests wait for a process of theirs.
THREE = -n 3 --dist loadfile --no-loadscope-reorder

test: $(VENV)/.test
	$(BIN)/python -m pytest $(THREE) -m "not slow"

test-all: $(VENV)/.test
	$(BIN)/python -m pytest $(THREE)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

example: $(VENV)/.report schemas
	rm -rf reports/example
	$(BIN)/reportkit build --eval MGSM,HumanEval --out reports/example
	rm -rf reports/example/.reportkit reports/example/history.jsonl
	find reports/example \( -name '*.png' -o -name '*.pdf' -o -name '*.ipynb' -o -name '*-column.svg' \) -delete

schemas: $(VENV)/.report
	$(BIN)/python -c "from reportkit.loading.config.keys import schema_text; print(schema_text())" \
		> reportkit/reportkit-toml.schema.json

benchmarks: $(VENV)/.test
	$(BIN)/python benchmarks/bench.py

speed: $(VENV)/.test
	$(BIN)/python benchmarks/speed.py

memory: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/memory.py

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

images: $(VENV)/.report
	$(BIN)/python docs/images/make.py

coverage: $(VENV)/.test
	$(BIN)/python benchmarks/coverage.py

power: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/power.py

planning: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/planning.py

moved: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/moved.py

# False findings in simulated honest tables.
check-table: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/check_table.py --out benchmarks/check_table.md

incremental: $(VENV)/.test
	$(BIN)/python benchmarks/incremental.py

# An hour of mutated logs, tables and scores folders; CI runs it for some seconds. MINUTES=5 SEED=3 change that.
MINUTES ?= 60
SEED ?= 0
fuzz: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python tests/fuzz/run.py --minutes $(MINUTES) --seed $(SEED)

# A report in the lowest and in the newest versions that pyproject.toml allows.
bounds:
	.ci/bounds

store: $(VENV)/.test
	$(BIN)/python benchmarks/store.py

# Shapes of scores that few reports have, beside polars.
rough: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/rough.py

best: $(VENV)/.test
	$(BIN)/python benchmarks/best.py

# Not part of CI: all modules take hours. `make mutants MODULES="stats/means/mean text/numbers" AT_MOST=100`
# takes two modules, and no more than 100 changes of each.
AT_MOST ?= 0
mutants: $(VENV)/.dev
	$(BIN)/python benchmarks/mutants.py --at-most $(AT_MOST) $(MODULES)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# constraints.txt pins what every environment here gets, so that the committed example stays what a build makes.
$(VENV)/.report: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) -e .
	touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) -e ".[test]"
	touch $@ $(VENV)/.report

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) -e ".[dev]"
	touch $@ $(VENV)/.test $(VENV)/.report

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) -e ".[docs]"
	touch $@ $(VENV)/.report

.PHONY: fuzz rough bounds report test test-all lint example schemas benchmarks speed memory best store incremental coverage power planning moved check-table mutants docs images
