# Leadline's commands. `make run` and `make test` set up everything that they need.

PY := .venv/bin/python
SETUP := sh packaging/setup.sh
ARGS ?=
# Tests that wait for servers leave a processor to others: six workers for two of them.
WORKERS ?= -n 6
RUNS ?= 1
SHARED := --dist loadfile --no-loadscope-reorder

.PHONY: help setup run quick test test-go test-busy test-all check portability bench bench-accuracy bench-guard bench-kills bench-interrupts bench-compare bench-advice bench-beside bench-judging bench-misses bench-model bench-window bench-watch agent docs docs-servers package screenshots pictures clean

help:
	@echo "make run          open the window (without a display: measure this computer on the command line)"
	@echo "make quick        the pure tests alone, in less than a minute"
	@echo "make test         all tests: on real servers, a real sshd, disk and window; ARGS=tests/rules for a part"
	@echo "make test-go      the agent's own tests alone"
	@echo "make test-all     the same on eleven servers (downloads some 1.4 GB once), with 5,000 random cases"
	@echo "make test-busy    make test beside eight busy processes for each processor; RUNS=5 does it five times"
	@echo "make portability  the pure tests as if on Windows, then as if on macOS"
	@echo "make check        format, lint, types, layers, Go's checks"
	@echo "make bench        compare the agent with fio and sysbench"
	@echo "make bench-accuracy  compare short points of the agent with long ones of fio"
	@echo "make bench-guard  see how soon a probe stops when its server suffers"
	@echo "make bench-kills  kill every side at random moments, and see what is left"
	@echo "make bench-interrupts  press Ctrl-C in every state, and see how soon Leadline is gone"
	@echo "make bench-advice see how much of a DBA's gain the plan brings on loaded servers"
	@echo "make bench-beside see what a quick check finds beside a server that loads its drive"
	@echo "make bench-judging  see how much is decided on noisy machines, and how often wrongly"
	@echo "make bench-misses   see how well the misses of a larger buffer pool are forecast (as root)"
	@echo "make bench-model    see how fast the model is solved, and that simulations agree; ARGS=--sandbox: forecasts of a server here"
	@echo "make bench-compare  see what a tick in the window's list of a thousand runs costs"
	@echo "make bench-window  see how soon the window is there, and how it answers while it loads and measures"
	@echo "make bench-watch  see what watching a server costs, and how true it is (as root)"
	@echo "make agent        build the agent for linux/amd64 and linux/arm64"
	@echo "make docs         build the documentation strictly, build/site/index.html; write the rules' index and trust's limits"
	@echo "make docs-servers check eleven real servers as they come, and write docs/servers.md"
	@echo "make package      wheel, source distribution, stand-alone folder, .deb and AppImage, each tried"
	@echo "make screenshots  take pictures of all pages, and those in docs/ anew, from a real run"
	@echo "make pictures     take every page light and dark, at three sizes, with good, doubtful and no data, to be looked at"
	@echo "make clean        remove what was built"
	@echo "ARGS=... is passed on to run, quick, test, bench, package and screenshots."

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

test:
	@$(SETUP) window test
	$(PY) -m pytest $(WORKERS) $(SHARED) $(ARGS)

test-go:
	@$(SETUP) window test
	sh packaging/test_agent.sh

test-busy:
	@$(SETUP) window test
	for run in $$(seq $(RUNS)); do $(PY) -m tests.busy $(MAKE) test || exit 1; done

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
	@$(SETUP) bench
	$(PY) benchmarks/run.py $(ARGS)

bench-accuracy:
	@$(SETUP) bench
	$(PY) benchmarks/accuracy.py $(ARGS)

bench-guard:
	@$(SETUP) bench server test
	$(PY) benchmarks/guard.py $(ARGS)

bench-kills:
	@$(SETUP) bench server test
	$(PY) benchmarks/kills.py $(ARGS)

bench-interrupts:
	@$(SETUP) bench server test
	$(PY) benchmarks/interrupts.py $(ARGS)

bench-advice:
	@$(SETUP) bench test servers
	$(PY) benchmarks/advice.py $(ARGS)

bench-beside:
	@$(SETUP) bench test servers
	$(PY) benchmarks/beside.py $(ARGS)

bench-judging:
	@$(SETUP) test
	$(PY) benchmarks/decided.py $(ARGS)

bench-misses:
	@$(SETUP) bench test servers
	$(PY) benchmarks/misses.py $(ARGS)

bench-model:
	@$(SETUP) bench test
	$(PY) benchmarks/model.py $(ARGS)

bench-compare:
	@$(SETUP) window test
	$(PY) benchmarks/compare_list.py $(ARGS)

bench-window:
	@$(SETUP) window server test
	$(PY) benchmarks/window.py $(ARGS)
	$(PY) benchmarks/event_loop.py
	$(PY) benchmarks/window_pages.py

bench-watch:
	@$(SETUP) bench
	$(PY) benchmarks/watch.py $(ARGS)

agent:
	@$(SETUP)
	@$(PY) packaging/build_agent.py

docs:
	@$(SETUP) docs
	@$(PY) packaging/rule_pages.py
	@$(PY) packaging/trust_page.py
	@$(PY) packaging/docs_site.py

docs-servers:
	@$(SETUP) test servers
	$(PY) packaging/server_advice.py $(ARGS)

package:
	@$(SETUP) window package
	$(PY) packaging/package.py $(ARGS)

screenshots:
	@$(SETUP) window server test
	$(PY) packaging/screenshots.py $(ARGS)

pictures:
	@$(SETUP) window server test
	for data in good doubtful empty; do $(PY) packaging/picture_matrix.py $$data; done

clean:
	rm -rf build dist .bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf resources/agents resources/manifest.json resources/variables.json .venv
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
