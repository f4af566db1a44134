# Leadline's commands. `make run` and `make test` set up everything that they need.

PY := .venv/bin/python
SETUP := sh packaging/setup.sh
ARGS ?=
# Tests that wait for servers leave a processor to others: eight workers for two of them.
WORKERS ?= -n 8
RUNS ?= 1
SUBJECT ?=
SHARED := --dist loadfile --no-loadscope-reorder

.PHONY: help setup run quick test test-go test-busy test-all check portability bench fuzz agent docs docs-servers package package-arm try-windows screenshots pictures clean reproducible

help:
	@echo "make run          open the window (without a display: measure this computer on the command line)"
	@echo "make quick        the pure tests but the long ones, in less than a minute"
	@echo "make test         all tests: on real servers, a real sshd, disk and window; ARGS=tests/rules for a part"
	@echo "make test-go      the agent's own tests alone"
	@echo "make test-all     the same on eleven servers (downloads some 1.4 GB once), with 5,000 random cases"
	@echo "make test-busy    make test beside eight busy processes for each processor; RUNS=5 does it five times"
	@echo "make portability  the pure tests as if on Windows, then as if on macOS"
	@echo "make check        format, lint, types, layers, Go's checks"
	@echo "make bench SUBJECT=...  measure one subject, and hold it against its bars; without one, list them"
	@echo "make fuzz         feed each reader at the boundary with nonsense, ten minutes in all"
	@echo "make agent        build the agent for linux/amd64 and linux/arm64"
	@echo "make docs         build the documentation strictly, build/site/index.html; write the rules' index and trust's limits"
	@echo "make docs-servers check eleven real servers as they come, and write docs/servers.md"
	@echo "make package      wheel, source distribution, stand-alone folder, .deb, .rpm and AppImage, each tried"
	@echo "make package-arm  .deb, .rpm and AppImage for 64-bit Arm on an x86-64 Debian, as root: built and tried emulated"
	@echo "make try-windows  freeze for Windows under Wine, as root, and try it: sample, report, window, a machine behind SSH"
	@echo "make reproducible build all of these twice, from two clones at two times, and compare their checksums"
	@echo "make screenshots  take pictures of all pages, and those in docs/ anew, from a real run"
	@echo "make pictures     take every page light and dark, at three sizes, with good, doubtful and no data, to be looked at"
	@echo "make clean        remove what was built"
	@echo "ARGS=... is passed on to run, quick, test, bench, package and screenshots; ARGS=--help tells what a subject takes."
	@python3 -m benchmarks || true

setup:
	@$(SETUP)

run:
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(SETUP) window server && exec $(PY) -m app $(ARGS); \
	else \
		$(SETUP) server && exec $(PY) -m app $(or $(ARGS),check local --sandbox --plan quick); \
	fi

quick:
	@$(SETUP) window test
	$(PY) -m pytest -m quick -n auto $(SHARED) $(ARGS)

# Compiled once, and not by each worker.
test:
	@$(SETUP) window test
	@$(PY) -m compileall -q advisor app packaging probes
	$(PY) -m pytest $(WORKERS) $(SHARED) $(ARGS)

test-go:
	@$(SETUP) window test
	sh packaging/test_agent.sh

test-busy:
	@$(SETUP) window test
	for run in $$(seq $(RUNS)); do $(PY) -m tests.suite.busy $(MAKE) test || exit 1; done

test-all:
	@$(SETUP) window test servers package
	LEADLINE_TEST_ALL_SERVERS=1 SWEEP=5000 SIMULATED_NETWORKS=50 $(PY) -m pytest $(WORKERS) $(SHARED) $(ARGS)
	$(MAKE) portability

portability:
	@$(SETUP) window test
	for system in win32 darwin; do \
		$(PY) -m tests.portability.other_system $$system tests -m quick -n auto $(SHARED) $(ARGS) || exit 1; \
	done

check:
	@$(SETUP) check
	sh packaging/check.sh

bench:
	@$(SETUP)
	@needs=$$($(PY) -m benchmarks --setup $(SUBJECT)) && $(SETUP) $$needs
	@$(PY) -m benchmarks $(SUBJECT) $(ARGS)

fuzz:
	@$(SETUP) bench fuzz
	@$(PY) -m benchmarks fuzz $(ARGS)

agent:
	@$(SETUP)
	@$(PY) packaging/build_agent.py

docs:
	@$(SETUP) docs
	@$(PY) -m docs.build.site

docs-servers:
	@$(SETUP) test servers
	$(PY) -m benchmarks.servers.advice $(ARGS)

package:
	@$(SETUP) window package
	$(PY) packaging/package.py $(ARGS)

package-arm:
	@$(SETUP) window package arm
	$(PY) packaging/on_arm.py $(ARGS)

try-windows:
	@$(SETUP) window test package
	$(PY) packaging/under_wine.py $(ARGS)

reproducible:
	@$(SETUP) window package
	sh packaging/reproduce.sh

screenshots:
	@$(SETUP) window server test
	$(PY) -m docs.build.pictures $(ARGS)

pictures:
	@$(SETUP) window server test
	for data in good doubtful empty; do $(PY) -m docs.build.pictures --every $$data; done

clean:
	rm -rf build dist .bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf resources/agents resources/manifest.json resources/variables.json .venv
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
