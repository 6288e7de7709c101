# The verbs of framelock. On a Debian 12 or 13 that has a Swift toolchain, `make demo` and `make test` need nothing else.

BUILD        := swift build -c release
SWIFT_FILES  := Sources Tests hardware/bench/camera Package.swift
PREFIX       ?= /usr/local
DESTDIR      ?=
FUZZ_SECONDS ?= 60
# Each day tries cases that nobody has tried before.
FROM         ?= $(shell date -u +%Y%m%d)00000

.PHONY: help demo test build release arm64 arm64-test debian-swift format lint bench benchmark prove mutants fuzz sanitize install uninstall clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       a first run on the simulated camera: installs what is missing, builds, acquires'
	@echo 'make test       every test: unit, simulation, and real kernel drivers in the bench'
	@echo 'make bench      the tests in the bench alone, with the released programs'
	@echo 'make benchmark  the benchmarks and their figures'
	@echo 'make prove      every property on the seeds of today (PROOFS=name for one of them, FROM=number)'
	@echo 'make mutants    small changes of the sources, each of which some test has to notice (MUTANTS="3 17" for two)'
	@echo 'make fuzz       the fuzzer on the recipe parser, for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo 'make sanitize   the tests outside the bench, in a build that notices wrong use of memory'
	@echo 'make build      .build/release/framelock, for this machine'
	@echo 'make release    the same with the Swift run-time inside, to be installed or copied'
	@echo 'make arm64      cross-compiles that for boards with Debian 13, with the Swift that Debian has'
	@echo 'make arm64-test runs it under emulation: every output must equal that of this machine'
	@echo 'make debian-swift compiles everything, tests too, with that Swift: 6.2, the oldest that will do'
	@echo 'make install    installs it with units, rules, recipes and rigs; PREFIX=$(PREFIX), DESTDIR'
	@echo 'make uninstall  takes away what `make install` brought'
	@echo 'make format     formats the sources; `make lint` checks them'
	@echo 'make clean      removes what was built; the runs stay'

demo: build
	@mkdir -p runs
	@run=runs/first-light-$$(date -u +%Y%m%dT%H%M%SZ) && set -x && \
	    .build/release/framelock run recipes/first-light.yaml --real-time --scene chart,brightness=200%,moving=4% --output $$run && \
	    .build/release/framelock report $$run --html $$run.html && \
	    { set +x; } 2>/dev/null && echo "pictures  $$run.html, for any browser"

test:
	deploy/bootstrap test
	hardware/bench/build-kernel
	$(MAKE) --no-print-directory lint
	deploy/tests/run

build:
	deploy/bootstrap build
	$(BUILD) --product framelock

release:
	deploy/bootstrap build
	$(BUILD) --product framelock --static-swift-stdlib

arm64:
	deploy/bootstrap build
	deploy/arm64/build

arm64-test: build arm64
	deploy/arm64/test

debian-swift:
	deploy/bootstrap build
	deploy/arm64/compile-all

format:
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	@if command -v shellcheck >/dev/null; then \
	    git grep -lI '^#!/usr/bin/env bash' | xargs shellcheck --external-sources; \
	else echo 'lint: shellcheck is not installed: the shell scripts are not checked'; fi

bench:
	deploy/bootstrap test
	$(BUILD) --product framelock
	$(BUILD) --product framelock-bench-camera
	@touch .build/release/framelock .build/release/framelock-bench-camera  # tests judge no older one
	hardware/bench/build-kernel
	deploy/tests/build --build-tests
	SWIFT_BACKTRACE=enable=no swift test --skip-build --disable-xctest --filter '^BenchTests\.'

benchmark:
	deploy/bootstrap build
	$(BUILD) --product framelock-benchmarks
	.build/release/framelock-benchmarks

prove:
	deploy/bootstrap build
	$(BUILD) --product framelock-prove
	@echo 'cases from $(FROM) on; to repeat them: make prove FROM=$(FROM)'
	.build/release/framelock-prove --from $(FROM) $(PROOFS)

mutants:
	deploy/bootstrap build
	Tests/Mutants/run $(if $(MUTANTS),--only $(MUTANTS))

fuzz:
	deploy/bootstrap build
	Tests/Fuzz/run $(FUZZ_SECONDS)

# What a process keeps to its end is no leak; programs that tests start are other builds.
sanitize:
	deploy/bootstrap test
	FRAMELOCK_TEST_BUILD=optimized swift build --build-tests --sanitize=address
	ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no FRAMELOCK_BENCH=off \
	    .build/debug/framelockPackageTests.xctest --testing-library swift-testing --skip CommandLineTests

install:
	PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) deploy/install

uninstall:
	PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) deploy/install --uninstall

clean:
	rm -rf .build .build-mutants
