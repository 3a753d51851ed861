# Firmware images for the mcu, and their native twins for the host. Included by the top Makefile.
#
# needs   BUILD      build directory
#         DEPS_STAMP  what must be made before a compiler may be called
#         BEARSSL    prefix of BearSSL for the boot ROM: include, lib
#         what rules.mk needs and may be told
# gives   FIRMWARE_IMAGES, FIRMWARE_ELFS   names, and $(BUILD)/firmware/NAME.elf
#         FIRMWARE_TWINS                   $(BUILD)/twin/NAME.so
#         FIRMWARE_PARTS                   a file that lists the objects that are in every image
#         FIRMWARE_SELFTESTS               $(BUILD)/firmware/selftest/NAME.elf
#         $(ROM)/rom.bin                   the boot ROM
#         targets firmware, twins, firmware-selftests, firmware-sizes
# may set TWIN_CFLAGS  flags of the twin (sanitizers); default $(CFLAGS)
#
# A row of firmware/images.def is an image; a file of firmware/policy/ or of a folder in it goes into an archive, from
# which an image takes what it lists. Names of files are unique. Nothing to list here.

FIRMWARE_TREE :=
include firmware/rules.mk

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

# ---- the mcu

# What the objects were built with; other flags build them anew.
FIRMWARE_MORE_FLAGS_FILE := $(BUILD)/firmware/more-flags
ifneq ($(file < $(FIRMWARE_MORE_FLAGS_FILE)),$(FIRMWARE_MORE_FLAGS))
$(shell mkdir -p $(BUILD)/firmware)$(file > $(FIRMWARE_MORE_FLAGS_FILE),$(FIRMWARE_MORE_FLAGS))
endif
FIRMWARE_LINKED := $(patsubst firmware/%,$(FIRMWARE_OBJ)/%.o,$(FIRMWARE_MCU) $(FIRMWARE_COMMON))

# For build.mk, which links images of policies that lie elsewhere.
FIRMWARE_PARTS := $(BUILD)/firmware/parts
$(FIRMWARE_PARTS): $(FIRMWARE_LINKED) $(FIRMWARE_LD) $(FIRMWARE_POLICY_LIB)
	@echo $(FIRMWARE_LINKED:$(BUILD)/%=%) > $@

.PHONY: firmware twins firmware-selftests firmware-sizes
firmware: $(FIRMWARE_ELFS)
firmware-selftests: $(FIRMWARE_SELFTESTS)

# Headers of newlib must be there before the first object; objects do not depend on its date. Policies' objects lie in
# one folder, whatever folder of firmware/policy/ their sources are in.
define firmware_object
$(1): $(2) firmware/rules.mk $(wildcard $(FIRMWARE_MORE_FLAGS_FILE)) | $(FIRMWARE_LIBC)
	@mkdir -p $$(@D)
	$$(call say,RV32)
	$$(call firmware_compile,$$(RISCV_CC) $$(FIRMWARE_FLAGS) $$(FIRMWARE_MORE_FLAGS) -MMD -MP -c $$< -o $$@)
	$$(if $$(filter firmware/policy/%,$$<),$$(firmware_no_floats))
endef
$(foreach d,$(sort $(dir $(FIRMWARE_POLICIES))),$(eval $(call firmware_object,$(FIRMWARE_OBJ)/policy/%.c.o,$(d)%.c)))
$(eval $(call firmware_object,$(FIRMWARE_OBJ)/images/%.c.o,$(FIRMWARE_ROWS)/%.c))
$(eval $(call firmware_object,$(FIRMWARE_OBJ)/%.o,firmware/%))

# The memory map comes from a header; the linker does not know the suffix of an unsigned constant.
define firmware_ld
@mkdir -p $(@D)
$(FIRMWARE_Q)$(RISCV_CC) -E -P -x c -imacros $(1) -Ihwmodel/include $< -o $@.tmp
$(FIRMWARE_Q)sed -E 's/\b(0x[0-9a-fA-F]+)u\b/\1/g' $@.tmp > $@.new && rm $@.tmp && mv $@.new $@
endef
$(FIRMWARE_LD): linker/memhelm.ld hwmodel/include/memhelm/registers.h hwmodel/include/memhelm/registers.def \
		firmware/rules.mk | $(DEPS_STAMP)
	$(call firmware_ld,hwmodel/include/memhelm/registers.h)

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
	$(if $(filter $(FIRMWARE_ELFS),$@),@$(call firmware_size,$@) >> $(FIRMWARE_LINKED_NOW))

# What a make has linked: the line of one image, of several the largest.
FIRMWARE_LINKED_NOW := $(BUILD)/firmware/.linked
firmware_linked = [ ! -s $(FIRMWARE_LINKED_NOW) ] || { sort -u $(FIRMWARE_LINKED_NOW) | sort -nr -k 5,5 | awk 'NR == 1 {line = $$0} \
	END {print NR == 1 ? line : NR " images, the largest: " line}'; rm $(FIRMWARE_LINKED_NOW); }

# ---- the boot ROM

ROM := $(BUILD)/firmware/rom
ROM_LD := $(ROM)/rom.ld
ROM_LINKED := $(patsubst firmware/%,$(FIRMWARE_OBJ)/%.o,$(wildcard firmware/rom/*.c) firmware/rom/start.S firmware/platform/rv32/mcu.c)
$(filter $(FIRMWARE_OBJ)/rom/%,$(ROM_LINKED)): FIRMWARE_FLAGS += -isystem $(BEARSSL)/include
$(filter $(FIRMWARE_OBJ)/rom/%,$(ROM_LINKED)): | $(BEARSSL)/lib/libbearssl.a

$(ROM_LD): linker/rom.ld hwmodel/include/memhelm/boot.h hwmodel/include/memhelm/registers.h hwmodel/include/memhelm/registers.def \
		firmware/rules.mk | $(DEPS_STAMP)
	$(call firmware_ld,hwmodel/include/memhelm/boot.h)
$(ROM)/rom.elf: $(ROM_LINKED) $(ROM_LD) $(FIRMWARE_LIBC) $(BEARSSL)/lib/libbearssl.a
	$(call say,LINK)
	$(FIRMWARE_Q)LC_ALL=C $(RISCV_CC) $(FIRMWARE_LDFLAGS) -T $(ROM_LD) -Wl,-Map=$(@:.elf=.map) $(ROM_LINKED) -L$(BEARSSL)/lib -lbearssl \
		$(FIRMWARE_LIBS) -o $@
# What the machine's ROM holds.
$(ROM)/rom.bin: $(ROM)/rom.elf
	$(FIRMWARE_Q)$(RISCV_OBJCOPY) -O binary $< $@

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
FIRMWARE_SELFTEST_TWINS := $(patsubst %,$(BUILD)/twin/selftest/%.so,fault registers state two-timers)
$(FIRMWARE_SELFTEST_TWINS): $(BUILD)/twin/selftest/%.so: $(TWIN_OBJ)/selftest/%.c.o
$(FIRMWARE_TWINS): $(BUILD)/twin/%.so: $(TWIN_OBJ)/images/%.c.o
$(FIRMWARE_TWINS) $(FIRMWARE_SELFTEST_TWINS): $(TWIN_LINKED) | $(TWIN_POLICY_LIB)
	@mkdir -p $(@D)
	$(call firmware_link,$(CC) $(TWIN_CFLAGS) $(LDFLAGS) -shared -Wl$(comma)--wrap=malloc$(comma)--wrap=calloc$(comma)--wrap=realloc -Wl$(comma)--gc-sections -Wl$(comma)--build-id=none \
		$(filter-out $(TWIN_POLICY_OBJS),$(filter %.o,$^)) $(TWIN_POLICY_LIB) -o $@,TWIN_POLICY_OBJS)

-include $(shell find $(BUILD)/firmware $(BUILD)/twin -name '*.d' 2>/dev/null)
