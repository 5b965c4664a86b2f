# run · doctor · test · lint · bench · train · picture · reference.  `make run` and `make test` need nothing but Python 3.11 to 3.14, git and make.
# make run MODEL=package.module:factory shows a model of your own first; its code is run only because you name it.
PYTHON ?= $(firstword $(foreach minor,11 12 13 14,$(shell command -v python3.$(minor) 2> /dev/null)) python3)
# The first make run CPU=1 installs PyTorch without CUDA, CPU=0 with it; without either, the machine's card decides.
CPU ?=
BIN := .venv/bin
INSTALL := $(PYTHON) tools/environment.py --cpu '$(CPU)'
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
PORT ?= 8501
HOST ?= localhost
# make test FILES="tests/viz/maps tests/browser/test_quiz.py" runs those, whole; WORKERS=4 more at a time; ORDER=random shuffles.
FILES ?=
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --reruns 1 --durations 10 $(if $(filter random,$(ORDER)),-p randomly,-p no:randomly)

# An environment whose Python is gone, or whose first installation was interrupted, is made anew.
$(shell test -x $(BIN)/python && test ! -e .venv/unfinished || rm -f .venv/run.stamp .venv/dev.stamp)

# Without compiled modules each process that a test starts would compile all of ours anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run doctor test test-fast test-firefox test-models test-ray test-seconds lint format messages answers pages language bench train screenshots sheets picture docs reference compatibility constraints clean

setup: .venv/dev.stamp

run: .venv/run.stamp
	$(if $(MODEL),,@$(BIN)/python -m viz.reach '$(HOST)' '$(PORT)')
	$(if $(MODEL),$(BIN)/python -m viz serve --model $(MODEL) --port '$(PORT)' --host '$(HOST)',\
	$(BIN)/python app.py --server.port '$(PORT)' --server.address '$(HOST)')

# What this machine has for the page and its tests, and what to do about the rest.
doctor: .venv/run.stamp
	@$(BIN)/python -m viz doctor

test: .venv/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	$(PYTEST) $(if $(FILES),$(FILES),-m "not models")

# The tests that run many whole models of torchvision and timm; a record says when they last passed.
test-models: .venv/dev.stamp
	$(PYTEST) -m models --record=models

# The page's main ways in the system's Firefox, as root installed from the packages if there is none.
FIREFOX := main_job uploads cropping keyboard one_number code downloads explore presentation hooks_view
test-firefox: .venv/dev.stamp
	ENGINE=firefox $(BIN)/python tests/browser/chromium.py
	ENGINE=firefox $(PYTEST) $(if $(FILES),$(FILES),$(FIREFOX:%=tests/browser/test_%.py))

# What was measured to be quick: some minutes on two cores.
test-fast: .venv/dev.stamp
	$(PYTEST) --quick $(FILES)

# The tests that need Ray, which is optional, in an environment that has it beside everything else; recorded too.
test-ray: .venv-ray/ray.stamp
	.venv-ray/bin/python -m pytest -p no:randomly --reruns 1 --durations 10 -m ray --record=ray

# Measures what each test takes: the order of a run, and what is quick, follow from it. FILES measures these only.
test-seconds: .venv/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	$(PYTEST) --write-seconds $(FILES)

lint: .venv/dev.stamp node_modules/.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/node node_modules/typescript/bin/tsc --checkJs --strict --noEmit
	$(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0 viz tests eslint.config.js
	$(BIN)/python -m tools.messages
	$(BIN)/python -m tools.answers
	$(BIN)/python -m tools.pages

format: .venv/dev.stamp
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .
	$(BIN)/ruff check .

# Writes new sentences into every language's catalogue, and takes out those that are no longer said.
messages: .venv/dev.stamp
	$(BIN)/python -m tools.messages --update

# Writes for the scripts the types of what the server answers, the look and the views, from viz/answers and viz/request.
answers: .venv/dev.stamp
	$(BIN)/python -m tools.answers --update

# Writes the documents that are made from the code: commands, Python, addresses, keys, models, gallery.
pages: .venv/dev.stamp
	$(BIN)/python -m tools.pages --update

# Begins a language: make language CODE=fr
language: .venv/dev.stamp
	$(BIN)/python -m tools.messages --new $(CODE)

# The measurements behind bench/RESULTS.md, each a ratio within one run.
bench: .venv/dev.stamp
	$(BIN)/python -m bench

# Trains the bundled models again: make train DATA=path/to/cifar-10, a folder of torchvision's or an .npz.
train: .venv/dev.stamp
	$(BIN)/python -m models.training lenet --data $(DATA)
	$(BIN)/python -m models.training photonet --data $(DATA)
	$(BIN)/python -m models.training patchformer --data $(DATA)
	$(BIN)/python -m models.training signalnet

screenshots: .venv/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python docs/screenshots.py
	$(BIN)/python docs/class_pictures.py

# Every view on every kind of screen, light and dark, in both languages, on sheets to look at: out/sheets/.
sheets: .venv/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python docs/sheets.py

# The moving picture at the top of the README: a walk through the real page, a click at a time.
picture: .venv/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python docs/moving_picture.py

# The documents as a site of files: open site/help/index.html. A page has the same form as at /help/ of a server.
docs: .venv/dev.stamp
	$(BIN)/python docs/site.py

# What the packages offer, from their docstrings: open site/reference/index.html. A broken reference ends it.
reference: .venv/dev.stamp
	$(BIN)/python docs/reference.py

# Looks at every layer of every torchvision model and of one model of each of timm's files; takes an hour or
# more. Stops with an error where anything failed or is shown wrongly. Models that the reports have already are
# skipped: delete a report, or a line of it, to do them again.
compatibility: SWEEP := $(BIN)/python -m viz sweep --against tools.plain_hooks:compared
compatibility: .venv/dev.stamp
	$(PIP) -r requirements-others.txt
	$(SWEEP) --family torchvision --json docs/compatibility/torchvision.jsonl
	$(SWEEP) --family timm --one-per-family --json docs/compatibility/timm.jsonl
	$(BIN)/python -m tools.other_libraries
	$(BIN)/python docs/compatibility.py

.venv/run.stamp: requirements.txt constraints.txt
	@command -v '$(PYTHON)' > /dev/null || { echo "make: there is no $(PYTHON): install Python 3.11 to 3.14 (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python), or name one: PYTHON=/path/to/python3" >&2; exit 1; }
	@$(INSTALL) requirements.txt
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements-dev.txt
	@$(INSTALL) requirements-dev.txt
	@touch $@

# Ray's own packages alone. All others come from .venv, where nothing may change because Ray is there.
.venv-ray/ray.stamp: .venv/dev.stamp requirements-ray.txt constraints-ray.txt
	test -x .venv-ray/bin/python || $(BIN)/python -m venv --without-pip .venv-ray
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$(.venv-ray/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth"
	$(BIN)/python -m pip --python .venv-ray/bin/python install --quiet --disable-pip-version-check -r requirements-ray.txt -c constraints-ray.txt
	touch $@

# The tools that check the browser's half, with the Node that is in .venv. Tests and the page itself need none of them.
node_modules/.stamp: package.json package-lock.json .npmrc | .venv/dev.stamp
	$(BIN)/npm ci --loglevel=error
	touch $@

# The versions that were tested together; run it in a fresh .venv after changing a range.
# PyTorch itself pins the accelerator libraries of its build, so they are left out.
constraints: .venv/dev.stamp
	{ echo "# Tested together; written by 'make constraints'."; $(BIN)/python -m pip freeze --exclude-editable \
	  | grep '==' | sed 's/+.*//' | grep -vE '^(nvidia-|cuda-|triton)'; } > constraints.txt
	$(BIN)/python -m tools.torchvision_files --update
	$(BIN)/python -m tools.sketches --update

clean:
	rm -rf .venv .venv-ray node_modules .pytest_cache .mypy_cache .ruff_cache site
