# Tests, fuzzers, benchmarks, static checks. Included by the top Makefile.

UNIT_TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(UNIT_SRC)))
FUZZERS := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/tests/%)
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))
TEST_LIBS := -lcmocka $(LIBS) $(HOST_LIBS)
TEST_SUPPORT := $(SUPPORT_SRC:%.c=$(BUILD)/asan/%.o)
HOST_TESTED := $(filter-out $(HOST_MAIN),$(HOST_SRC))
# The firmware that the host tests link: everything but boot and the code of the core itself; of the policies those
# that the test's image lists.
FIRMWARE_TESTED := $(FIRMWARE_COMMON) $(FIRMWARE_TWIN)
FIRMWARE_TESTED_LIB := $(BUILD)/asan/firmware/policies.a

$(BUILD)/asan/tests/%.o: CPPFLAGS += -Itests -Ifirmware -Ihost -DMH_TEST_DATA='"tests/data"'

# An archive, of which each of some 300 programs takes what it needs: with all objects a link took three times as long.
TESTED_LIB := $(BUILD)/asan/tested.a
$(TESTED_LIB): $(TEST_SUPPORT) $(HOST_TESTED:%.c=$(BUILD)/asan/%.o)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcsD $@ $^

$(UNIT_TESTS) $(FUZZERS): $(BUILD)/tests/%: $(TESTED_LIB) $(BUILD)/libhwmodel-asan.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(DEBUG_CFLAGS) -pie -Wl,--gc-sections $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
		$(TEST_LIBS) -o $@
$(foreach s,$(UNIT_SRC),$(eval $(BUILD)/tests/$(basename $(notdir $s)): $(BUILD)/asan/$(s:.c=.o)))
$(FUZZERS): $(BUILD)/tests/%: $(BUILD)/asan/tests/fuzz/%.o

# Firmware on the host: the same sources, sanitized.
FIRMWARE_HOST_TESTS := $(filter $(BUILD)/tests/test_policy_% $(BUILD)/tests/test_firmware_%,$(UNIT_TESTS))
$(FIRMWARE_HOST_TESTS): $(FIRMWARE_TESTED:%.c=$(BUILD)/asan/%.o) $(FIRMWARE_TESTED_LIB)
$(FIRMWARE_TESTED_LIB): $(FIRMWARE_POLICIES:%.c=$(BUILD)/asan/%.o)
	$(call firmware_archive,$(AR))

QTEST := $(BUILD)/tests/qtest_register_table
$(QTEST): $(patsubst %.c,$(BUILD)/asan/%.o,$(wildcard tests/qtest/*.c)) $(BUILD)/libhwmodel-asan.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(DEBUG_CFLAGS) -pie $^ $(TEST_LIBS) -o $@

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(BUILD)/libhwmodel.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

VALIDATORS := $(patsubst tests/validate/%.c,$(BUILD)/validate/%,$(wildcard tests/validate/validate_*.c))
VALIDATE_SUPPORT := $(filter-out tests/validate/validate_%,$(wildcard tests/validate/*.c)) $(SUPPORT_SRC)
$(BUILD)/obj/tests/%.o: CPPFLAGS += -Itests -DMH_TEST_DATA='"tests/data"'
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
$(BUILD)/obj/tests/recorded/%.o: CPPFLAGS += -Ihost
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

STALE_TESTS := $(filter-out $(UNIT_TESTS) $(FUZZERS) %.log $(BUILD)/tests/qtest_register_table,$(wildcard $(BUILD)/tests/*))
$(if $(STALE_TESTS),$(shell rm -rf $(STALE_TESTS)))

check: everything $(RECORDED) $(BUILD)/memhelm-debug $(UNIT_TESTS) $(FUZZERS) $(QTEST) $(FIRMWARE_SELFTESTS) $(FIRMWARE_SELFTEST_TWINS) $(BUILD)/regs-manual
	@tests/run.sh $(BUILD)

bench bench-record: everything $(BENCHES)
	@tests/bench/run.sh $(BUILD) $(if $(filter bench-record,$@),--record)

bench-cost: $(BUILD)/bench/bench_model
	@tests/bench/cost.sh $(BUILD)

validate: $(VALIDATORS)
	@tests/validate/run.sh $(BUILD)

C_FILES := $(shell git ls-files '*.c' '*.h' 2>/dev/null | grep -v '^qemu/')
# One coroutine of 40 accesses: cppcheck's value flow takes two minutes over it and finds nothing.
CPPCHECK_SKIP := hwmodel/workload/kernels/lib.c
lint:
	@DEPS=$(DEPS) qemu/get-deps.sh lint
	@clang-format --dry-run -Werror $(C_FILES)
	@mkdir -p $(BUILD)/cppcheck
	@cppcheck -j $(shell nproc) --cppcheck-build-dir=$(BUILD)/cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,portability --std=c11 \
		--suppress=missingIncludeSystem -Ihwmodel/include -Ihwmodel -Ifirmware -Ihost -Itests \
		$(CPPCHECK_SKIP:%=-i %) hwmodel host firmware tests
	@echo "lint: clean"
