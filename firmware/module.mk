# Firmware images for the mcu, and their native twins for the host. Included by the top Makefile.
#
# needs   BUILD      build directory
#         NEWLIB     prefix of the nano newlib for rv32imc/ilp32: riscv64-unknown-elf/include, riscv64-unknown-elf/lib
#         RISCV_CC   riscv64-unknown-elf-gcc; its nm and size are found next to it
#         DEPS_STAMP  what must be made before a compiler may be called
#         say        $(call say,WORD) prints what a recipe does
# gives   FIRMWARE_IMAGES, FIRMWARE_ELFS   names, and $(BUILD)/firmware/NAME.elf
#         FIRMWARE_TWINS                   $(BUILD)/twin/NAME.so
#         FIRMWARE_SELFTESTS               $(BUILD)/firmware/selftest/NAME.elf
#         targets firmware, twins, firmware-selftests, firmware-sizes
# may set TWIN_CFLAGS  flags of the twin (sanitizers); default $(CFLAGS)
#         FIRMWARE_CFLAGS  flags behind those of the images, so that the last -O counts; for the debugger, -Og
#
# A row of firmware/images.def is an image; a file of firmware/policy/ or of a folder in it goes into an archive, from
# which an image takes what it lists. Names of files are unique. Nothing to list here.

RISCV_CC ?= riscv64-unknown-elf-gcc
RISCV_NM ?= $(patsubst %gcc,%nm,$(RISCV_CC))
RISCV_SIZE ?= $(patsubst %gcc,%size,$(RISCV_CC))
RISCV_AR ?= $(patsubst %gcc,%ar,$(RISCV_CC))

FIRMWARE_WARN := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wvla -Werror
# A quarter of the stack for one function, bytes; a frame of unknown size is refused.
FIRMWARE_FRAME_MAX := 256

# Sources of images, made of the rows.
FIRMWARE_ROWS := $(BUILD)/generated/images
FIRMWARE_IMAGES := $(sort $(shell firmware/images.sh $(FIRMWARE_ROWS)))
FIRMWARE_ELFS := $(FIRMWARE_IMAGES:%=$(BUILD)/firmware/%.elf)
FIRMWARE_SELFTESTS := $(sort $(patsubst firmware/selftest/%.c,$(BUILD)/firmware/selftest/%.elf,\
	$(wildcard firmware/selftest/*.c)))

FIRMWARE_POLICIES := $(wildcard firmware/policy/*.c firmware/policy/*/*.c)
FIRMWARE_COMMON := firmware/image/common/fw.c firmware/platform/gpu.c firmware/platform/console.c
FIRMWARE_MCU := firmware/boot/start.S $(wildcard firmware/boot/*.c) firmware/platform/rv32/mcu.c
FIRMWARE_TWIN := $(wildcard firmware/platform/twin/*.c)

FIRMWARE_Q := $(if $(V),,@)
comma := ,

# Links the image $@ with the command $(1), whose archive has the objects $($(2)), by name. Those that the image holds
# become its prerequisites, in $@.d: a change of one policy links its own images alone. Two policies that own one knob
# are two definitions of one symbol (POLICY_OWNS in firmware/policy/policy.h): a sentence says so before the linker's
# own lines.
define firmware_link
$(FIRMWARE_Q)LC_ALL=C $(1) -Wl,-t,-t > $@.files 2> $@.err || { \
	sed -nE -e 's/$(FIRMWARE_TWICE)/image $(basename $(notdir $@)): policies \3 and \1 both set knob \2; list one of them/p' \
		-e 's#$(FIRMWARE_LARGE)#image $(basename $(notdir $@)): code and constants are \1 bytes too large; console_printf takes 4 KiB less than printf, and $(@:.elf=.map) says who takes what#p' $@.err; \
	cat $@.err; rm -f $@.err $@.files; false; } >&2
@sed -nE 's~$(FIRMWARE_MEMBER)~$@: $$(filter %/\2,$$($(2)))~p' $@.files > $@.d.new && mv $@.d.new $@.d && rm -f $@.err $@.files
endef
# ld's name of a member; that of gold and lld.
FIRMWARE_MEMBER := ^(.*\bpolicies\.a\)|.*\bpolicies\.a\()([^/)]*\.o)\)?$$
FIRMWARE_TWICE := ^.*\b(\w+)\.c\.o\)?:.* multiple definition of .policy_owns_(\w+).; .*\b(\w+)\.c\.o\)?:.*$$

FIRMWARE_LARGE := ^.*region .ITCM. overflowed by ([0-9]+) bytes.*$$

# Compiles $@ with the command $(1). A sentence stands before the compiler's lines where they do not say the remedy.
define firmware_compile
$(FIRMWARE_Q)LC_ALL=C $(1) 2> $@.err || { \
	sed -nE -e "s|$(FIRMWARE_OWNS)|$<: it sets knob \1, and does not say so: add POLICY_OWNS(\1); above|p" \
		-e '/ inlined from /h;/$(FIRMWARE_FORMAT)/{s//\1/;H;g;s/^.* at ([^:]+:[0-9]+).*\n/\1: /p}' \
		-e 's/$(FIRMWARE_FRAME)/\1: the frame is larger than the $(FIRMWARE_FRAME_MAX) bytes that a function may have of the 1 KiB of stack/p' $@.err | uniq; \
	cat $@.err; rm -f $@.err; false; } >&2
@cat $@.err >&2; rm -f $@.err
endef
FIRMWARE_OWNS := ^.*error: .policy_owns_(\w+). undeclared.*$$
FIRMWARE_FORMAT := ^.*console_format_\w+. declared with attribute error: (.*)$$
FIRMWARE_FRAME := ^([^:]+:[0-9]+):.*stack usage is [0-9]+ bytes.*$$

# Refuses references to software floating point: the core has no FPU, and an operation takes a hundred cycles.
firmware_no_floats = @! $(RISCV_NM) -u $@ | grep -qE '__\w+[sd]f([23]|si|di)?$$' || { rm -f $@; \
	echo '$<: floating point; the core has no FPU: policies have integers only (firmware/policy/policy.h)' >&2; false; }

# $(call firmware_archive,AR): the archive $@, made anew: what has gone would stay in it.
define firmware_archive
@rm -f $@
$(call say,AR)
$(FIRMWARE_Q)$(1) rcsD $@ $^
endef

# ---- the mcu

# A division by zero gives -1 on RISC-V without a word; the sanitizer makes it an ebreak, which boot reports.
# -O2: cycles are scarce and code is not. -Os made images 6 to 10 % smaller and a walk epoch of dwspp a sixth longer.
FIRMWARE_FLAGS := -march=rv32imc_zicsr -mabi=ilp32 -mcmodel=medlow -std=gnu11 -O2 -g \
	$(FIRMWARE_WARN) -Wstack-usage=$(FIRMWARE_FRAME_MAX) \
	-ffunction-sections -fdata-sections -fno-common -fno-asynchronous-unwind-tables -ffp-contract=off \
	-fsanitize=integer-divide-by-zero -fsanitize-undefined-trap-on-error \
	-fstack-usage -fcallgraph-info=su -ffile-prefix-map="$$PWD"=. -ffile-prefix-map=$(call absolute,$(BUILD))=build \
	-ffile-prefix-map=$(BUILD)=build -ffile-prefix-map=$(call absolute,$(NEWLIB))=newlib \
	-ffile-prefix-map=$(NEWLIB)=newlib -gno-record-gcc-switches \
	-Wa,--debug-prefix-map="$$PWD"=. \
	-isystem $(NEWLIB)/riscv64-unknown-elf/include -Ihwmodel/include -Ifirmware
# With flags of the user's an image is none to ship: a frame that is too large is a warning.
FIRMWARE_MORE_FLAGS := $(if $(strip $(FIRMWARE_CFLAGS)),-Wno-error=stack-usage= $(FIRMWARE_CFLAGS))
# What the objects were built with; other flags build them anew.
FIRMWARE_MORE_FLAGS_FILE := $(BUILD)/firmware/more-flags
ifneq ($(file < $(FIRMWARE_MORE_FLAGS_FILE)),$(FIRMWARE_MORE_FLAGS))
$(shell mkdir -p $(BUILD)/firmware)$(file > $(FIRMWARE_MORE_FLAGS_FILE),$(FIRMWARE_MORE_FLAGS))
endif
# gcc 12 finds its library by the exact name of the architecture: no Zicsr here.
FIRMWARE_LDFLAGS := -march=rv32imc -mabi=ilp32 -nostdlib -static -Wl,--gc-sections -Wl,--build-id=none \
	-Wl,--fatal-warnings -Wl,--wrap=malloc,--wrap=_malloc_r,--wrap=__smakebuf_r -L$(NEWLIB)/riscv64-unknown-elf/lib
FIRMWARE_LIBS := -Wl,--start-group -lc -lgcc -Wl,--end-group

FIRMWARE_OBJ := $(BUILD)/firmware/obj
FIRMWARE_LINKED := $(patsubst firmware/%,$(FIRMWARE_OBJ)/%.o,$(FIRMWARE_MCU) $(FIRMWARE_COMMON))
FIRMWARE_LD := $(BUILD)/firmware/memhelm.ld
FIRMWARE_POLICY_LIB := $(BUILD)/firmware/policies.a
FIRMWARE_LIBC := $(NEWLIB)/riscv64-unknown-elf/lib/libc.a

.PHONY: firmware twins firmware-selftests firmware-sizes
firmware: $(FIRMWARE_ELFS)
firmware-selftests: $(FIRMWARE_SELFTESTS)

# Headers of newlib must be there before the first object; objects do not depend on its date. Policies' objects lie in
# one folder, whatever folder of firmware/policy/ their sources are in.
define firmware_object
$(1): $(2) firmware/module.mk $(wildcard $(FIRMWARE_MORE_FLAGS_FILE)) | $(FIRMWARE_LIBC)
	@mkdir -p $$(@D)
	$$(call say,RV32)
	$$(call firmware_compile,$$(RISCV_CC) $$(FIRMWARE_FLAGS) $$(FIRMWARE_MORE_FLAGS) -MMD -MP -c $$< -o $$@)
	$$(if $$(filter firmware/policy/%,$$<),$$(firmware_no_floats))
endef
$(foreach d,$(sort $(dir $(FIRMWARE_POLICIES))),$(eval $(call firmware_object,$(FIRMWARE_OBJ)/policy/%.c.o,$(d)%.c)))
$(eval $(call firmware_object,$(FIRMWARE_OBJ)/images/%.c.o,$(FIRMWARE_ROWS)/%.c))
$(eval $(call firmware_object,$(FIRMWARE_OBJ)/%.o,firmware/%))

# The memory map comes from the register header; the linker does not know the suffix of an unsigned constant.
$(FIRMWARE_LD): linker/memhelm.ld hwmodel/include/memhelm/registers.h hwmodel/include/memhelm/registers.def \
		firmware/module.mk | $(DEPS_STAMP)
	@mkdir -p $(@D)
	$(FIRMWARE_Q)$(RISCV_CC) -E -P -x c -imacros hwmodel/include/memhelm/registers.h -Ihwmodel/include $< -o $@.tmp
	$(FIRMWARE_Q)sed -E 's/\b(0x[0-9a-fA-F]+)u\b/\1/g' $@.tmp > $@.new && rm $@.tmp && mv $@.new $@

FIRMWARE_POLICY_OBJS := $(patsubst %,$(FIRMWARE_OBJ)/policy/%.o,$(notdir $(FIRMWARE_POLICIES)))
$(FIRMWARE_POLICY_LIB): $(FIRMWARE_POLICY_OBJS)
	$(call firmware_archive,$(RISCV_AR))

$(FIRMWARE_ELFS): $(BUILD)/firmware/%.elf: $(FIRMWARE_OBJ)/images/%.c.o
$(FIRMWARE_SELFTESTS): $(BUILD)/firmware/selftest/%.elf: $(FIRMWARE_OBJ)/selftest/%.c.o
$(FIRMWARE_ELFS) $(FIRMWARE_SELFTESTS): $(FIRMWARE_LINKED) $(FIRMWARE_LD) $(FIRMWARE_LIBC) | $(FIRMWARE_POLICY_LIB)
	@mkdir -p $(@D)
	$(call firmware_link,$(RISCV_CC) $(FIRMWARE_LDFLAGS) -T $(FIRMWARE_LD) -Wl$(comma)-Map=$(@:.elf=.map) \
		$(filter-out $(FIRMWARE_POLICY_OBJS),$(filter %.o,$^)) \
		$(FIRMWARE_POLICY_LIB) $(FIRMWARE_LIBS) -o $@,FIRMWARE_POLICY_OBJS)
	@$(call firmware_size,$@) >> $(FIRMWARE_LINKED_NOW)

# What a make has linked: the line of one image, of several the largest.
FIRMWARE_LINKED_NOW := $(BUILD)/firmware/.linked
firmware_linked = [ ! -s $(FIRMWARE_LINKED_NOW) ] || { sort -u $(FIRMWARE_LINKED_NOW) | sort -nr -k 5,5 | awk 'NR == 1 {line = $$0} \
	END {print NR == 1 ? line : NR " images, the largest: " line}'; rm $(FIRMWARE_LINKED_NOW); }

# One line: the limits are symbols of the linker script.
firmware_size = $(RISCV_NM) $(1) | sed -n 's/^\([0-9a-f]*\) . __\(text_size\|data_size\|code_limit\|data_limit\|stack_limit\)$$/\2=$$((0x\1))/p' \
	| { while read -r line; do eval "$$line"; done; \
	printf '%-20s code + constants %5d of %d B, data + bss %4d of %d B, stack %d B\n' \
	$(basename $(notdir $(1))) $$text_size $$code_limit $$data_size $$data_limit $$stack_limit; }

firmware-sizes: $(FIRMWARE_ELFS)
	@$(foreach elf,$(FIRMWARE_ELFS),$(call firmware_size,$(elf));)

# ---- the native twin

TWIN_CFLAGS ?= $(or $(CFLAGS),-std=gnu11 -O2 -g $(FIRMWARE_WARN))
TWIN_OBJ := $(BUILD)/twin/obj
TWIN_POLICY_LIB := $(BUILD)/twin/policies.a
TWIN_LINKED := $(patsubst firmware/%,$(TWIN_OBJ)/%.o,$(FIRMWARE_TWIN) $(FIRMWARE_COMMON))
FIRMWARE_TWINS := $(FIRMWARE_IMAGES:%=$(BUILD)/twin/%.so)
twins: $(FIRMWARE_TWINS)

define twin_object
$(1): $(2) firmware/module.mk | $(DEPS_STAMP)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(FIRMWARE_Q)$$(CC) $$(TWIN_CFLAGS) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections \
		-ffile-prefix-map="$$$$PWD"=. -ffile-prefix-map=$$(call absolute,$$(BUILD))=build -ffile-prefix-map=$$(BUILD)=build \
		-Ihwmodel/include -Ifirmware -MMD -MP -c $$< -o $$@
endef
$(eval $(call twin_object,$(TWIN_OBJ)/images/%.c.o,$(FIRMWARE_ROWS)/%.c))
$(eval $(call twin_object,$(TWIN_OBJ)/%.o,firmware/%))

TWIN_POLICY_OBJS := $(patsubst firmware/%,$(TWIN_OBJ)/%.o,$(FIRMWARE_POLICIES))
$(TWIN_POLICY_LIB): $(TWIN_POLICY_OBJS)
	$(call firmware_archive,$(AR))

# Of the images that go wrong on purpose, those that go wrong natively as well.
FIRMWARE_SELFTEST_TWINS := $(patsubst %,$(BUILD)/twin/selftest/%.so,bad-tenant divide exit-early hang heap store-hole two-timers)
$(FIRMWARE_SELFTEST_TWINS): $(BUILD)/twin/selftest/%.so: $(TWIN_OBJ)/selftest/%.c.o
$(FIRMWARE_TWINS): $(BUILD)/twin/%.so: $(TWIN_OBJ)/images/%.c.o
$(FIRMWARE_TWINS) $(FIRMWARE_SELFTEST_TWINS): $(TWIN_LINKED) | $(TWIN_POLICY_LIB)
	@mkdir -p $(@D)
	$(call firmware_link,$(CC) $(TWIN_CFLAGS) $(LDFLAGS) -shared -Wl$(comma)--wrap=malloc$(comma)--wrap=calloc$(comma)--wrap=realloc -Wl$(comma)--gc-sections -Wl$(comma)--build-id=none \
		$(filter-out $(TWIN_POLICY_OBJS),$(filter %.o,$^)) $(TWIN_POLICY_LIB) -o $@,TWIN_POLICY_OBJS)

-include $(shell find $(BUILD)/firmware $(BUILD)/twin -name '*.d' 2>/dev/null)
