# memhelm: policy firmware at the helm of a modelled GPU memory system.
#
#   make compare   builds everything and shows what the papers' mechanisms do, each where it matters
#   make check     passes the tests that take four minutes; ends with `N passed, N failed`
#   make check-all all of them, most under sanitizers
#   make validate  compares the model with cycle counts by hand and closed forms: one table
#   make bench     speed of the model       make regs    the register manual, Markdown
#   make bench-record  the same, and appends the measures to tests/bench/history.jsonl
#   make bench-cost    what an L2 request costs a host, counted (needs valgrind)
#   make budget-accept  what images need now becomes the baselines of firmware/budget
#   make results   the papers' evaluations, whole, into host/reproduce/results: some hours of two processors; goes on where it stopped
#   make results STUDIES="simt map"   these alone: host/recordings.mk
#   make oracles   CCBP's exhaustive searches, into the same place, before that
#   make sensitivity  which values that no source gives the papers' headlines depend on, into host/sensitivity/results
#   make latency   what decisions in firmware cost each image, into host/latency/results; a part of results
#   make recheck N=3   which recorded results have moved? runs N cells of each again
#   make readme    makes the pages that quote recorded numbers: host/RESULTS.md, the table of README, headlines.def
#   make man       manual pages of the commands, into build/man
#   make docs      tutorial, gallery, references and READMEs as a site, build/docs (needs mkdocs: qemu/get-deps.sh docs)
#   make install PREFIX=dir   what is built, to be used without this tree     make deb    the same as a package
#   make lint      format and static checks make clean   removes build/ (the cache of QEMU and newlib stays)
#   make debug     build/memhelm-debug: invariants and sanitizers on (for --twin runs)
#
# BUILD=dir  build elsewhere    DEPS=no  install no packages, name what is missing    V=1  show commands
# FIRMWARE_CFLAGS=-Og  firmware for the debugger (firmware/README.md)
# QEMU_SRC=dir  another QEMU source tree, with the patches of qemu/patches

BUILD ?= build
export QEMU_SRC

# A name with a space would be two words to make.
$(if $(word 2,$(BUILD)),$(error BUILD='$(BUILD)' has a space in it: please build in a directory without))
Q := $(if $(V),,@)
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules -j$(shell nproc)

# absolute PATH: for the shell, which knows where it is; that name may have spaces.
absolute = $(if $(filter /%,$(1)),$(1),"$$PWD"/$(1))

# say CC: what a recipe does, on one line of the terminal that the next one takes, unless V=1 shows the command itself.
say = $(if $(V),,@[ ! -t 1 ] || printf '\r\033[K  %-5s %s\r' $(1) $(patsubst $(BUILD)/%,%,$@))
said = [ ! -t 1 ] || printf '\033[K'

WARN := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wvla -Werror
CPPFLAGS := -Ihwmodel/include -Ihwmodel
BASE_CFLAGS := -std=gnu11 -g $(WARN) -fPIE -ffp-contract=off -ffile-prefix-map="$$PWD"=.
CFLAGS := $(BASE_CFLAGS) -O2
DEBUG_CFLAGS := $(BASE_CFLAGS) -O1 -DMH_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LIBS := -lyaml -ljansson -lzstd -llzma -lz
HOST_LIBS := -lcrypto -lbearssl -ldl -lsqlite3 -ldw -lm

GENERATED := $(BUILD)/generated
MODEL_SRC := $(filter-out hwmodel/control/regs_manual.c,$(wildcard hwmodel/*/*.c hwmodel/*/*/*.c))
# What runs inside of Oclgrind is no part of memhelm.
HOST_SRC := $(filter-out host/record/plugin/%,$(wildcard host/*.c host/*/*.c host/*/*/*.c))
# What the boot ROM does with a signed image, for `memhelm sign`.
HOST_SRC += $(addprefix firmware/rom/,header.c verify.c choose.c)
HOST_MAIN := host/main.c
UNIT_SRC := $(wildcard tests/unit/*/test_*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
SUPPORT_SRC := $(wildcard tests/*.c)

.PHONY: help budget-accept recorder all debug compare check check-all validate bench bench-cost bench-record readme regs lint clean deps everything
all: everything
	@$(said); $(firmware_linked)

everything: $(BUILD)/memhelm $(BUILD)/qemu.path $(BUILD)/core-plugin.path

# Packages, QEMU, newlib: once, into a cache outside the tree.

DEPS_STAMP := $(BUILD)/.deps
$(DEPS_STAMP): qemu/get-deps.sh
	@mkdir -p $(@D)
	@DEPS=$(DEPS) qemu/get-deps.sh
	@touch $@
deps: $(DEPS_STAMP)

NEWLIB := $(BUILD)/newlib
$(NEWLIB)/riscv64-unknown-elf/lib/libc.a: qemu/get-newlib.sh | $(DEPS_STAMP)
	@path=$$(qemu/get-newlib.sh) && ln -sfn "$$(printf '%s' "$$path" | tail -n 1)" $(NEWLIB)

BEARSSL := $(BUILD)/bearssl
$(BEARSSL)/lib/libbearssl.a: qemu/get-bearssl.sh | $(NEWLIB)/riscv64-unknown-elf/lib/libc.a
	@path=$$(qemu/get-bearssl.sh) && ln -sfn "$$(printf '%s' "$$path" | tail -n 1)" $(BEARSSL)

include firmware/module.mk
$(FIRMWARE_ELFS) $(FIRMWARE_SELFTESTS) $(FIRMWARE_TWINS): | $(DEPS_STAMP)
everything: $(FIRMWARE_ELFS) $(FIRMWARE_TWINS) $(ROM)/rom.bin

# What an instruction is and costs is written once: the plugin is compiled with it, too.
MCU_COSTS := $(addprefix host/mcu/,insn.c insn.h insn_expand.c cost.c cost.h values.h values.def)
QEMU_INPUTS := $(wildcard qemu/*.sh qemu/patches/* qemu/hw/* qemu/plugin/*) $(wildcard hwmodel/include/memhelm/*) $(MCU_COSTS)
QEMU := $(BUILD)/qemu-system-riscv32
$(QEMU): $(BUILD)/libhwmodel.a $(QEMU_INPUTS) | $(DEPS_STAMP)
	@qemu/get-qemu.sh --model-lib $(call absolute,$<) --include $(call absolute,hwmodel/include) --libs "$(LIBS)" --out $(call absolute,$@) > /dev/null
	@touch $@
# Where memhelm finds it: a relative path starts at the executable's directory.
$(BUILD)/qemu.path: $(QEMU)
	@echo $(notdir $(QEMU)) > $@
# Where memhelm finds the headers and rules for `memhelm build`.
$(BUILD)/tree.path: firmware/build.mk firmware/rules.mk $(FIRMWARE_PARTS)
	@case $$(realpath $(BUILD)) in "$$PWD"/*) realpath --relative-to=$(BUILD) . ;; *) pwd ;; esac > $@
everything: $(BUILD)/tree.path
# The plugin that counts instructions and knows their cycles is built with QEMU.
$(BUILD)/core-plugin.path: $(QEMU)
	@echo libmemhelm-core.so > $@

# The recorder, Oclgrind's plugin: only where there is Oclgrind to build it for. Its C++ is one file.
RECORDER_DEPS := $(BUILD)/.recorder-deps
$(RECORDER_DEPS): host/record/get-deps.sh | $(DEPS_STAMP)
	@mkdir -p $(@D)
	@DEPS=$(DEPS) host/record/get-deps.sh
	@[ -z "$$(DEPS=no host/record/get-deps.sh have)" ] || touch $@
RECORDER := $(BUILD)/libmemhelm-record.so
RECORDER_SRC := $(wildcard host/record/plugin/*.c) $(addprefix host/record/,access.c loops.c) host/base/memory.c
RECORDER_OBJ := $(RECORDER_SRC:%.c=$(BUILD)/recorder/%.o) $(BUILD)/recorder/host/record/plugin/shim.o
RECORDER_FLAGS := -Ihost -isystem $(shell host/record/get-deps.sh include) -fPIC -ffile-prefix-map="$$PWD"=. -O2 -g
$(BUILD)/recorder/%.o: %.c | $(RECORDER_DEPS)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARN) $(RECORDER_FLAGS) -MMD -MP -c $< -o $@
$(BUILD)/recorder/%.o: %.cc | $(RECORDER_DEPS)
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) -std=c++17 -fno-rtti -Wall -Werror $(RECORDER_FLAGS) -MMD -MP -c $< -o $@
# Oclgrind unloads a plugin with its last context; what it knows of the program has to outlive that.
$(RECORDER): $(RECORDER_OBJ)
	$(call say,LINK)
	$(Q)$(CXX) -shared -Wl,-z,nodelete $^ -l:libLLVM-14.so.1 -loclgrind -o $@
$(BUILD)/record-plugin.path: $(RECORDER)
	@echo $(notdir $(RECORDER)) > $@
recorder: $(if $(shell DEPS=$(DEPS) host/record/get-deps.sh have),$(BUILD)/record-plugin.path,$(RECORDER_DEPS))
everything: recorder

# What gdb is told of the GPU behind the window.
GDB_SCRIPTS := $(addprefix $(BUILD)/gdb/,memhelm.py memhelm_commands.py memhelm_registers.py)
$(BUILD)/gdb/%.py: firmware/gdb/%.py
	@mkdir -p $(@D)
	@cp $< $@
$(BUILD)/gdb/memhelm_registers.py: firmware/gdb/registers.py.in $(wildcard hwmodel/include/memhelm/registers.*)
	@mkdir -p $(@D)
	$(Q)$(CC) -E -P -x c -imacros memhelm/registers.h -Ihwmodel/include $< | grep -v "^ *$$" > $@.tmp
	@mv $@.tmp $@
everything: $(GDB_SCRIPTS)

# What is left of sources that are gone would still be listed, and tested.
STALE := $(filter-out $(FIRMWARE_ELFS) $(FIRMWARE_TWINS) $(FIRMWARE_SELFTESTS),$(wildcard $(BUILD)/firmware/*.elf \
	$(BUILD)/twin/*.so $(BUILD)/firmware/selftest/*.elf))
$(if $(STALE),$(shell rm -f $(STALE) $(STALE:=.d)))

# The model and the command line, twice: release, and debug with invariants under sanitizers (for the tests).

define objects
$(BUILD)/$(1)/%.o: %.c | $(DEPS_STAMP)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(CC) $$(CPPFLAGS) $(2) -MMD -MP -c $$< -o $$@
endef
$(eval $(call objects,obj,$$(CFLAGS)))
$(eval $(call objects,asan,$$(DEBUG_CFLAGS)))
# The command line knows the model by its public headers alone, and each floor of it those below: a header of another
# floor is `floor/name.h`, and a directory of links has the floors that may be named so. From the ground up:
below_base :=
below_mcu := base
below_run := $(below_mcu) mcu
below_plan := $(below_run) run
below_report := $(below_plan) plan
COMMANDS := budget latency classes reproduce search sweep explain dram trace record init pivot doctor
$(foreach f,$(COMMANDS),$(eval below_$f := $(below_report) report))
below_sensitivity := $(below_report) report reproduce
below_sweep := $(below_report) report explain
below_page := $(below_report) report $(COMMANDS)
below_cmd := $(below_report) report $(COMMANDS) sensitivity page
below_main := $(below_cmd) cmd
# A link is replaced in one step: while one is away, make takes the headers behind it for unchanged.
define floor
$(BUILD)/floors/$(1): Makefile
	@mkdir -p $$@ && for f in $(below_$(1)); do ln -sfn "$$$$PWD"/host/$$$$f $$@/$$$$f; done
	@rm -f $$(filter-out $(below_$(1):%=$$@/%),$$(wildcard $$@/*)) && touch $$@
$(patsubst %.c,$(BUILD)/obj/%.o,$(2)) $(patsubst %.c,$(BUILD)/asan/%.o,$(2)): CPPFLAGS := -Ihwmodel/include \
	-I$(BUILD)/floors/$(1) -I$(GENERATED) -Wa,-I.
$(patsubst %.c,$(BUILD)/obj/%.o,$(2)) $(patsubst %.c,$(BUILD)/asan/%.o,$(2)): | $(BUILD)/floors/$(1)
endef
$(foreach f,base mcu run plan report $(COMMANDS) sensitivity page cmd,$(eval $(call floor,$f,$(wildcard host/$f/*.c host/$f/*/*.c))))
$(eval $(call floor,main,host/main.c))

# What results are made by: hashes of the sources that determine them, and the commit. Presets and designs are
# configuration, which is hashed when it is resolved.
HASHED_MODEL := $(filter-out hwmodel/control/regs_manual.c,$(foreach d,hwmodel/* hwmodel/*/*,$(wildcard $(d)/*.c $(d)/*.h $(d)/*.def)))
HASHED_MACHINE := $(MCU_COSTS) $(wildcard qemu/hw/*.c qemu/hw/*.h qemu/plugin/*.c qemu/plugin/*.h qemu/patches/*.patch \
	firmware/platform/twin.h firmware/platform/twin/*) host/run/twin.c host/run/qemu_arguments.h
$(GENERATED)/hashes.h: host/base/provenance.sh $(HASHED_MODEL) $(HASHED_MACHINE)
	$(call say,HASH)
	$(Q)host/base/provenance.sh hashes $@ $(HASHED_MODEL) -- $(HASHED_MACHINE)
$(BUILD)/obj/host/base/hash.o $(BUILD)/asan/host/base/hash.o: $(GENERATED)/hashes.h
$(BUILD)/obj/host/main.o $(BUILD)/asan/host/main.o: $(GENERATED)/commit.h
$(GENERATED)/commit.h: ;
$(shell host/base/provenance.sh commit $(GENERATED)/commit.h)

# Presets and designs are part of the library; the compiler does not report what the assembler includes.
$(BUILD)/obj/hwmodel/config/preset.o $(BUILD)/asan/hwmodel/config/preset.o: $(wildcard $(addprefix hwmodel/config/,presets/*.yaml presets/dram/*.yaml designs/*.yaml))

# So are the rows of the papers, part of the command line.
$(BUILD)/obj/host/reproduce/study_load.o $(BUILD)/asan/host/reproduce/study_load.o: $(wildcard host/reproduce/*.yaml)

# And what budgets are measured on, and what they may be.
$(BUILD)/obj/host/budget/limits.o $(BUILD)/asan/host/budget/limits.o: firmware/budget/limits.yaml host/budget/reference.yaml

# And what latency is measured on.
$(BUILD)/obj/host/latency/set.o $(BUILD)/asan/host/latency/set.o: host/latency/set.yaml

# And what shells are taught.
$(BUILD)/obj/host/cmd/completion.o $(BUILD)/asan/host/cmd/completion.o: $(wildcard host/cmd/completion/*)

# And what pages look like, and zoom with.
$(BUILD)/obj/host/page/page.o $(BUILD)/asan/host/page/page.o: host/page/style.css host/page/timeline.js

# And the timing tables of cores.
$(BUILD)/obj/host/mcu/timing.o $(BUILD)/asan/host/mcu/timing.o: $(wildcard host/mcu/cores/*.yaml)

$(BUILD)/libhwmodel.a: $(MODEL_SRC:%.c=$(BUILD)/obj/%.o)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcsD $@ $^
$(BUILD)/libhwmodel-asan.a: $(MODEL_SRC:%.c=$(BUILD)/asan/%.o)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcsD $@ $^

$(BUILD)/memhelm: $(HOST_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/libhwmodel.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pie $^ $(LIBS) $(HOST_LIBS) -o $@

# Signs images for this machine alone: made once, of the system's randomness, and part of no result.
DEVELOPMENT_KEY := $(BUILD)/keys/development.pem
$(DEVELOPMENT_KEY): | $(BUILD)/memhelm
	@mkdir -p $(@D)
	$(Q)$(BUILD)/memhelm sign --new-key $@
everything: $(DEVELOPMENT_KEY)

# The same program with invariants and sanitizers; its twins run the model under both. For whoever changes the model.
$(BUILD)/memhelm-debug: $(HOST_SRC:%.c=$(BUILD)/asan/%.o) $(BUILD)/libhwmodel-asan.a
	$(call say,LINK)
	$(Q)$(CC) $(DEBUG_CFLAGS) -pie $^ $(LIBS) $(HOST_LIBS) -o $@
debug: $(BUILD)/memhelm-debug $(FIRMWARE_TWINS)

# The main job.

compare: all
	@$(BUILD)/memhelm demo

include host/recordings.mk

# What tests compare images with. Refused while one is over a limit.
budget-accept: everything
	@$(BUILD)/memhelm budget --all --accept

# Tests.

include tests/module.mk

.PHONY: man
man: $(BUILD)/memhelm
	@host/package/man.sh $(BUILD) $(BUILD)/man && echo "$(BUILD)/man: man -l $(BUILD)/man/memhelm.1"

.PHONY: docs
docs: everything $(BUILD)/regs-manual
	@host/docs/site.py $(BUILD)

# Not in the environment of what builds QEMU and newlib, which have an `install` of their own.
PREFIX ?= /usr/local
unexport PREFIX DESTDIR
MAKEOVERRIDES :=
quote = '$(subst ','\'',$(1))'
.PHONY: install deb
install: everything
	@host/package/install.sh $(BUILD) $(call quote,$(value DESTDIR)) $(call quote,$(value PREFIX))
deb: everything
	@host/package/deb.sh $(BUILD)

regs: $(BUILD)/regs-manual
	@$(BUILD)/regs-manual
$(BUILD)/regs-manual: $(BUILD)/obj/hwmodel/control/regs_manual.o $(BUILD)/libhwmodel.a
	$(Q)$(CC) $(CFLAGS) -pie $^ -o $@

# The lines at the top.
help:
	@sed -n '3,/^$$/s/^#   \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

clean:
	rm -rf $(BUILD) $(GUPS)

-include $(shell find $(BUILD)/obj $(BUILD)/asan $(BUILD)/recorder -name '*.d' 2>/dev/null)
