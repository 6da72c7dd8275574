# SPDX-License-Identifier: GPL-2.0
# What a person types; CMakeLists.txt says how it is built.

prefix ?= /usr/local
DESTDIR ?=
BUILD ?= build
JOBS ?= $(shell nproc)
KERNELS = 6.12 6.1

.PHONY: all help deps demo check check-unit check-long check-fresh check-distros check-asan check-boards check-arch check-newest check-kernelshark pictures bench bench-compare fuzz target-helper kernel kernel-check kernel-bisect dist deb check-deb rpm check-rpm install uninstall vm-shell clean

all: $(BUILD)/Makefile
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS)

help:
	@echo 'Build and try:'
	@echo '  make              build into $(BUILD)/; $(BUILD)/bin/trace-cmd is the program'
	@echo '  make demo         build, record, and show three pictures'
	@echo '  make vm-shell     start a shell in QEMU with hist triggers (or KERNEL=6.1)'
	@echo '  make install      install to $(DESTDIR)$(prefix) (set prefix= and DESTDIR=)'
	@echo '  make uninstall    remove what make install installed'
	@echo '  make clean        remove the build'
	@echo '  make dist         write a tarball of HEAD that builds without git'
	@echo '  make deb          build the Debian packages'
	@echo '  make rpm          build the RPM packages'
	@echo 'Test:'
	@echo '  make check        build, and run the tests, also in QEMU; most unit tests also'
	@echo '                    on i386'
	@echo '  make check-unit   run the unit tests, without KernelShark and Qt'
	@echo '  make check-long   run the tests that are too long for make check: an hour'
	@echo '  make check-kernelshark'
	@echo '                    test the panel and the plugins in the real KernelShark'
	@echo '  make check-asan   run the tests in QEMU with sanitizers (KERNEL=6.12 or 6.1)'
	@echo '  make check-arch   run the unit tests on i386, armhf, arm64, s390x and riscv64'
	@echo '                    in qemu-user (ARCH=s390x: only on s390x)'
	@echo '  make check-newest run the guest tests on the newest kernels of Debian'
	@echo '  make check-boards record emulated arm64, armhf and mipsel boards over their'
	@echo '                    serial lines (downloads 151 MB)'
	@echo '  make check-fresh  run make demo and make check of HEAD in a bare Debian 12,'
	@echo '                    as an ordinary user'
	@echo '  make check-distros'
	@echo '                    run the unit tests, make demo and the tests of the panel'
	@echo '                    in bare roots of $(SUITES)'
	@echo '  make check-deb    build, install and purge the Debian packages in bare roots'
	@echo '  make fuzz         fuzz each reader for FUZZ_SECONDS (default 60)'
	@echo 'Measure:'
	@echo '  make bench        compare speed and size with other tools and with goals'
	@echo '                    (BENCH=short: without QEMU, at most 8 minutes)'
	@echo '  make bench-compare'
	@echo '                    name the ratios that are worse than in the last release'
	@echo '  make pictures     redraw the pictures of the KernelShark page in'
	@echo '                    Documentation/pictures/'
	@echo 'Targets and kernels:'
	@echo '  make target-helper ARCH=armv5|armv7|arm64|mips|mipsel|riscv64|x86_64'
	@echo '                    build the static helper into $(BUILD)/target/ARCH/'
	@echo '                    (TLS=1: a helper that can also listen on a TCP port)'
	@echo '  make kernel ARCH=um|x86_64|riscv64|mips|armv5 [KERNEL=6.1|mainline]'
	@echo '                    build a small kernel with the patches, and print its path'
	@echo '  make kernel-check [ARCH=...] [KERNEL=6.1|mainline]'
	@echo '                    boot these kernels, and test the patches and the program'
	@echo '  make kernel-bisect [KERNEL=6.1|mainline]'
	@echo '                    build, boot and test each patch by itself'

# configure DIR OPTIONS: quiet unless it fails, or leaves out a part.  If packages are
# missing, they are named, and not the trace of CMake that stumbles over the first.
configure = cmake -S . -B $(1) $(2) >$(BUILD)-cmake.log 2>&1 || \
	{ scripts/deps.sh --explain build && cat $(BUILD)-cmake.log; exit 1; }; \
	sed -n 's/^-- Not built: /not built: /p' $(BUILD)-cmake.log

# For those who change the project: a new warning stops it.
TESTS = -DTESTS=ON -DKERNELSHARK=ON -DWERROR=ON

$(BUILD)/Makefile: CMakeLists.txt
	@$(call configure,$(BUILD),-DCMAKE_INSTALL_PREFIX=$(prefix))

# run_tests OPTIONS [SECONDS LIMIT]: those of ctest's tests, and then what took longest.  What fails
# beside other tests is run once more alone: on a busy machine an emulated kernel can miss a
# deadline of its test.  A fault fails twice; what passed alone is named.
run_tests = cd $(BUILD) && { ctest --output-on-failure --output-junit tests.xml -j$$(($(JOBS) + 1)) $(1); \
	status=$$?; cp Testing/Temporary/LastTest.log tests.log; [ $$status = 0 ] || { failed=$$(sed -n 's/^[0-9]*://p' Testing/Temporary/LastTestsFailed.log); \
	echo 'Failed, and run once more alone:' $$failed; \
	ctest --output-on-failure --rerun-failed $(1) && status=0 && \
		echo 'Failed together with other tests, and passed alone:' $$failed; }; \
	$(CURDIR)/utest/setup/slowest.sh . $(2); \
	exit $$status; }

deps:
	@scripts/deps.sh build vm test fuzz cross arch-i386 kernelshark kernel

demo:
	@scripts/deps.sh build
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh $(BUILD)/bin

# In seconds, on two cores that nothing else uses; slowest.sh says what to do when it took longer.
CHECK_LIMIT = 900

# The sanitized build runs the same unit tests, each module by itself: what an earlier
# one has freed makes a fork slow there.  The last ones of the alphabet take longest, so they begin.
# The VM runs the plain programs.
# What is drawn by chance is the same in each run; check-kernelshark draws anew.
check: export KSHIST_SEED := $(or $(KSHIST_SEED),14)
check: deps
	@mkdir -p $(BUILD) && date +%s >$(BUILD)/check-started
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@$(call configure,$(BUILD)-asan,$(TESTS) -DSANITIZE=ON)
	@$(MAKE) --no-print-directory -C $(BUILD)-asan -j$(JOBS) unit-tests hist_panel
	@$(BUILD)-asan/bin/unit-tests -l | tac | xargs -P $(JOBS) -I{} sh -c '$(BUILD)-asan/bin/unit-tests {} \
		>$(BUILD)-asan/{}.log 2>&1; status=$$?; flock $(BUILD)-asan cat $(BUILD)-asan/{}.log; exit $$status'
	@$(call run_tests,-LE long,$$(($$(date +%s) - $$(cat check-started))) $(CHECK_LIMIT))

# Those that add_long_script() names, in utest/CMakeLists.txt.
check-long: deps
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@$(call configure,$(BUILD)-asan,$(TESTS) -DSANITIZE=ON)
	@$(MAKE) --no-print-directory -C $(BUILD)-asan -j$(JOBS) hist_panel
	@$(call run_tests,-L long)

# What the first user on a new machine gets: a bare Debian 12, a clone of HEAD, no cache.
check-fresh:
	@scripts/check_fresh.sh $(BUILD)-fresh

# The same on each supported Debian.  The panel is built for its KernelShark.
SUITES = bookworm trixie sid
check-distros:
	@status=0; for suite in $(SUITES); do scripts/check_fresh.sh --suite $$suite $(BUILD)-distros/$$suite \
		check-unit demo check-kernelshark || status=1; done; exit $$status

check-unit:
	@scripts/deps.sh build unit
	@$(call configure,$(BUILD),-DTESTS=ON -DWERROR=ON -DKERNELSHARK=OFF)
	@$(MAKE) --no-print-directory all
	@$(BUILD)/bin/unit-tests

# Slower, and the archive of the guest is far larger.
check-asan: deps
	@$(call configure,$(BUILD)-asan,$(TESTS) -DSANITIZE=ON)
	@$(MAKE) --no-print-directory -C $(BUILD)-asan -j$(JOBS)
	@utest/vm/suite.sh $(KERNEL) $(BUILD)-asan/bin --mem 3072 --time-limit 1200 --script-limit 480

# Debian's kernels for boards in QEMU, recorded over their serial lines.
check-boards: deps
	@$(MAKE) --no-print-directory all
	@utest/remote/boards.sh $(BUILD)/bin

# Kernels that change from week to week, so that they are not in `make check`.
NEWEST = sid experimental
check-newest: deps
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@status=0; for kernel in $(NEWEST); do utest/vm/suite.sh $$kernel $(BUILD)/bin || status=1; done; exit $$status

# 32 bits, big endian, and compilers without __int128.
check-arch:
	@scripts/deps.sh build test arch
	@$(call configure,$(BUILD),-DTESTS=ON)
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS) unit-tests trace-cmd-hist diff_make
	@CHECK_LONG=1 utest/setup/arch.sh $(BUILD) $(ARCH)

# The panel offscreen, and in the real program under Xvfb.  CHECK_LONG makes each sample the whole
# test, so that the tests NAME-all are not needed.
check-kernelshark:
	@scripts/deps.sh build test kernelshark
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@$(call configure,$(BUILD)-asan,$(TESTS) -DSANITIZE=ON)
	@$(MAKE) --no-print-directory -C $(BUILD)-asan -j$(JOBS) panel-test hist_panel
	@cd $(BUILD) && CHECK_LONG=1 KSHIST_SECONDS=120 ctest --output-on-failure -j$(JOBS) \
		-R '^(kernelshark-|panel|plugin$$)' -E '^kernelshark-.*-all$$'
	@cd $(BUILD)-asan && KSHIST_SECONDS=120 ctest --output-on-failure -R '^panel-monkey$$'

# scripts/pictures.sh does it for the tutorial.
pictures:
	@scripts/deps.sh build test kernelshark
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@scripts/kernelshark_pictures.sh $(BUILD)

bench: deps
	@case '$(BENCH)' in '' | short) ;; *) echo 'bench: BENCH=$(BENCH): unknown: use BENCH=short'; exit 2 ;; esac
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@utest/bench/run.sh $(if $(filter short,$(BENCH)),--short) $(BUILD)

# A table is measured again if the program is newer.  A goal that is missed stops `make bench` only.
bench-compare: deps
	@$(call configure,$(BUILD),$(TESTS))
	@$(MAKE) --no-print-directory all
	@test $(BUILD)/bench.txt -nt $(BUILD)/bin/trace-cmd-hist || $(MAKE) --no-print-directory bench || \
		test -e $(BUILD)/bench.txt
	@utest/bench/compare.py utest/bench/HISTORY $(BUILD)/bench.txt

FUZZ_SECONDS ?= 60
fuzz:
	@scripts/deps.sh build fuzz
	@utest/fuzz/run.sh $(FUZZ_SECONDS) $(BUILD)/fuzz

target-helper:
	@test -n '$(ARCH)' || { echo 'target-helper: no ARCH: use ARCH=armv5, armv7, arm64, mips, mipsel, riscv64 or x86_64'; exit 2; }
	@scripts/target_helper.sh '$(ARCH)' $(BUILD)/target/'$(ARCH)' $(if $(filter-out 0,$(TLS)),tls)

# Minutes, and nothing when the patches, the configuration and the compiler are as before.
kernel:
	@test -n '$(ARCH)' || { echo 'kernel: no ARCH: use ARCH=um, x86_64, riscv64, mips or armv5'; exit 2; }
	@scripts/deps.sh kernel $(if $(filter riscv64 mips armv5,$(ARCH)),cross-$(ARCH))
	@scripts/kernel_build.sh --linux '$(KERNEL)' '$(ARCH)'

# That each patch builds and passes its tests without those that come after it.
kernel-bisect:
	@scripts/deps.sh kernel
	@scripts/kernel_bisect.sh --linux '$(KERNEL)'

KERNEL_ARCHS = um $(if $(filter-out mainline,$(KERNEL)),x86_64) $(if $(filter 6.12,$(KERNEL)),riscv64 mips armv5)
kernel-check: deps
	@$(MAKE) --no-print-directory all
	@utest/kernel/check.sh --linux '$(KERNEL)' $(BUILD)/bin $(or $(ARCH),$(KERNEL_ARCHS))

# Changes that are not committed take no part.
dist:
	@scripts/dist.sh $(BUILD)

deb:
	@scripts/deps.sh deb
	@scripts/deb.sh $(BUILD)/deb

# Two bare roots for each suite, 4 GB in /var/tmp: one builds, the other has stock trace-cmd alone.
check-deb:
	@status=0; for suite in $(SUITES); do scripts/check_deb.sh --suite $$suite $(BUILD)-deb/$$suite || status=1; \
		done; exit $$status

rpm:
	@scripts/deps.sh deb rpm
	@scripts/rpm.sh $(BUILD)/rpm

check-rpm: rpm
	@utest/setup/rpm.sh $(BUILD)/rpm

install: all
	@$(call configure,$(BUILD),-DCMAKE_INSTALL_PREFIX=$(prefix))
	@DESTDIR=$(DESTDIR) $(MAKE) --no-print-directory -C $(BUILD) install

# The stock program, which replaced the dispatcher later, is not removed.
uninstall:
	@test -f $(BUILD)/install_manifest.txt || { echo 'uninstall: nothing was installed from $(BUILD)'; exit 1; }
	@sed 's|^|$(DESTDIR)|' $(BUILD)/install_manifest.txt | while read -r f || [ -n "$$f" ]; do \
		case $$f in */bin/trace-cmd) grep -qs TRACE_CMD_HIST_TRIED "$$f" || { echo "kept '$$f'"; continue; };; esac; \
		rm -fv "$$f"; done

KERNEL ?= 6.12
vm-shell: deps
	@$(MAKE) --no-print-directory all
	@utest/vm/vm.sh shell --kernel $(KERNEL)

clean:
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fresh $(BUILD)-distros $(BUILD)-deb $(BUILD)-cmake.log
