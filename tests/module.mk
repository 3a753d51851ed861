# Tests, fuzzers, benchmarks, static checks. Included by the top Makefile.

BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))
TEST_LIBS := -lcmocka $(LIBS) $(HOST_LIBS)
HOST_TESTED := $(filter-out $(HOST_MAIN),$(HOST_SRC))
# The firmware that the host tests link: everything but boot and the code of the core itself; of the policies those
# that the test's image lists.
FIRMWARE_TESTED := $(FIRMWARE_COMMON) $(FIRMWARE_TWIN)

# A program per folder of tests/unit, twice: of the objects that `make` has (obj), and with invariants under sanitizers
# (asan). Archives, of which each program takes what it needs.
UNITS := $(filter-out firmware,$(sort $(patsubst tests/unit/%/,%,$(dir $(UNIT_SRC)))))
# Without invariants: not these.
CHECKED_SRC := $(shell grep -ls '^/\* invariants: ' $(UNIT_SRC))
unit_sources = $(filter-out $(if $(filter obj,$(2)),$(CHECKED_SRC)),$(wildcard tests/unit/$(1)/test_*.c))
# Of the firmware one per file: each has an image of its own.
define unit_program # FLAVOUR NAME SOURCES; a file that is gone changes its folder
$(BUILD)/$(1)/unit/$(2): $(patsubst %.c,$(BUILD)/$(1)/%.o,$(3)) $(BUILD)/$(1)/tests/unit/main.o $(wildcard $(dir $(firstword $(3))))
endef
define tested # FLAVOUR LIBRARY FLAGS
$(BUILD)/$(1)/tests/%.o: CPPFLAGS += -Itests -Ifirmware -Ihost -DMH_TEST_DATA='"tests/data"'
$(BUILD)/$(1)/tested.a: $(patsubst %.c,$(BUILD)/$(1)/%.o,$(SUPPORT_SRC) $(HOST_TESTED))
	@rm -f $$@
	$$(call say,AR)
	$$(Q)$$(AR) rcsD $$@ $$^
$(BUILD)/$(1)/firmware/policies.a: $(patsubst %.c,$(BUILD)/$(1)/%.o,$(FIRMWARE_POLICIES))
	$$(call firmware_archive,$$(AR))
$(foreach u,$(UNITS),$(eval UNIT_$(1) += $(BUILD)/$(1)/unit/$(u))
$(call unit_program,$(1),$(u),$(call unit_sources,$(u),$(1))))
$(foreach t,$(notdir $(basename $(wildcard tests/unit/firmware/test_*.c))),$(eval UNIT_$(1) += $(BUILD)/$(1)/unit/firmware/$(t))
$(call unit_program,$(1),firmware/$(t),tests/unit/firmware/$(t).c)
$(BUILD)/$(1)/unit/firmware/$(t): $(FIRMWARE_TESTED:%.c=$(BUILD)/$(1)/%.o) $(BUILD)/$(1)/firmware/policies.a)
FUZZ_$(1) := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/$(1)/fuzz/%)
$$(FUZZ_$(1)): $(BUILD)/$(1)/fuzz/%: $(BUILD)/$(1)/tests/fuzz/%.o
$(BUILD)/$(1)/fuzz/fuzz_mailbox: $(BUILD)/$(1)/qemu/hw/memhelm_mailbox.o
$$(UNIT_$(1)) $$(FUZZ_$(1)): $(BUILD)/$(1)/tested.a $(BUILD)/$(2)
	@mkdir -p $$(@D)
	$$(call say,LINK)
	$$(Q)$$(CC) $$($(3)) -pie -Wl,--gc-sections $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
		$$(TEST_LIBS) -o $$@
endef
$(eval $(call tested,obj,libhwmodel.a,CFLAGS))
$(eval $(call tested,asan,libhwmodel-asan.a,DEBUG_CFLAGS))

# A recording of random numbers, which a program writes.
GUPS := tests/data/gups.w32.gmt.zst
$(GUPS): tests/data/gups.c
	@mkdir -p $(BUILD)/tests
	$(call say,GEN)
	$(Q)$(CC) $(CFLAGS) $< -o $(BUILD)/tests/gups && $(BUILD)/tests/gups > $@.part && mv $@.part $@
everything: $(GUPS)

QTEST := $(BUILD)/qtest
$(QTEST): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/qtest/*.c) tests/unit/main.c) $(BUILD)/libhwmodel.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $^ $(TEST_LIBS) -o $@

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(BUILD)/libhwmodel.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

VALIDATORS := $(patsubst tests/validate/%.c,$(BUILD)/validate/%,$(wildcard tests/validate/validate_*.c))
VALIDATE_SUPPORT := $(filter-out tests/validate/validate_%,$(wildcard tests/validate/*.c)) $(SUPPORT_SRC)
$(VALIDATORS): $(BUILD)/validate/%: $(BUILD)/obj/tests/validate/%.o $(VALIDATE_SUPPORT:%.c=$(BUILD)/obj/%.o) $(BUILD)/libhwmodel.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie -Wl,--gc-sections $(filter %.o,$^) $(filter %.a,$^) $(TEST_LIBS) -lm -o $@
STALE_VALIDATORS := $(filter-out $(VALIDATORS) %.log,$(wildcard $(BUILD)/validate/*))
$(if $(STALE_VALIDATORS),$(shell rm -f $(STALE_VALIDATORS)))

# Every configuration of built-in files, to compare before and after a change.
$(BUILD)/configs: $(BUILD)/obj/tests/same/configs.o $(BUILD)/libhwmodel.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $^ $(LIBS) -o $@

# Recorded results: the pages made of them, and whether they still hold.
RECORDED := $(BUILD)/recorded
$(RECORDED): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/recorded/*.c) $(HOST_TESTED)) $(BUILD)/libhwmodel.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(HOST_LIBS) -o $@
readme: $(RECORDED)
	@$(RECORDED) write

# Which recordings have moved? Runs N cells of each again, of all or of STUDIES, with LIMIT those that take a processor so
# many seconds at most. The seed is the commit: another commit looks at other cells. What was interrupted goes on.
N ?= 3
RECHECKED = $(if $(STUDIES),$(foreach s,$(STUDIES),$(call recorded_in,$(s))/$(s).json),$(filter-out \
	$(foreach s,$(TO_RECORD),$(call recorded_in,$(s))/$(s).json.zst),$(wildcard host/*/results/*.json.zst)))
.PHONY: recheck
recheck: everything $(RECORDED)
	@$(RECORDED) recheck "$${SEED:-$$(git rev-parse HEAD || echo none)}" each=$(N) $(LIMIT:%=seconds=%) jobs=$(shell nproc) results=$(BUILD)/recheck.sqlite $(RECHECKED)

STALE_TESTS := $(filter-out $(UNIT_obj) $(UNIT_asan) $(FUZZ_obj) $(FUZZ_asan) $(BUILD)/%/unit/firmware,$(wildcard \
	$(foreach f,obj asan,$(BUILD)/$f/unit/* $(BUILD)/$f/unit/firmware/* $(BUILD)/$f/fuzz/*)))
$(if $(STALE_TESTS),$(shell rm -rf $(STALE_TESTS)))

CHECK_MADE := everything $(RECORDED) $(QTEST) $(FIRMWARE_SELFTESTS) $(FIRMWARE_SELFTEST_TWINS) $(BUILD)/regs-manual
check: $(CHECK_MADE) $(UNIT_obj) $(FUZZ_obj)
	@tests/run.sh $(BUILD) quick
check-all: $(CHECK_MADE) $(BUILD)/memhelm-debug $(UNIT_obj) $(UNIT_asan) $(FUZZ_asan)
	@tests/run.sh $(BUILD) all

bench bench-record: everything $(BENCHES)
	@tests/bench/run.sh $(BUILD) $(if $(filter bench-record,$@),--record)

bench-cost: $(BUILD)/bench/bench_model
	@tests/bench/cost.sh $(BUILD)

validate: $(VALIDATORS)
	@tests/validate/run.sh $(BUILD)

C_FILES := $(shell git ls-files '*.c' '*.h' 2>/dev/null | grep -v '^qemu/')
# One coroutine of 40 accesses: cppcheck's value flow takes two minutes over it and finds nothing.
CPPCHECK_SKIP := hwmodel/workload/kernels/streams.c
lint:
	@DEPS=$(DEPS) qemu/get-deps.sh lint
	@clang-format --dry-run -Werror $(C_FILES)
	@mkdir -p $(BUILD)/cppcheck
	@cppcheck -j $(shell nproc) --cppcheck-build-dir=$(BUILD)/cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,portability --std=c11 \
		--suppress=missingIncludeSystem -Ihwmodel/include -Ihwmodel -Ifirmware -Ihost -Itests \
		$(CPPCHECK_SKIP:%=-i %) hwmodel host firmware tests
	@echo "lint: clean"
