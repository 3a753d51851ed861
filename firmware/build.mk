# An image of policies that lie outside of the tree: what `memhelm build` calls, in the folder of its user.
#
# needs   TREE   folder with firmware/ and hwmodel/include, a / at its end
#         BUILD  folder with newlib/ and firmware/{memhelm.ld,parts,policies.a,obj/}: the build, or what is installed
#         OUT    folder of this image's own: obj/policy/NAME.path is a file with the path of a source
#         IMAGE  the image's name
#         WITH   policies of the archive that decide before those of the sources
# gives   $(OUT)/$(IMAGE).elf and .map
#
# A path of a source may have any character; the names above have none that make or a shell reads.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

FIRMWARE_TREE := $(TREE)
NEWLIB := $(BUILD)/newlib
absolute = $(1)
say =
firmware_source = "$$(cat $<)"
include $(TREE)firmware/rules.mk

OUTSIDE_FLAGS := -I$(TREE)firmware/policy -ffile-prefix-map=$(TREE)= -ffile-prefix-map=$(OUT)=build
OUTSIDE_OBJS := $(patsubst %.path,%.c.o,$(wildcard $(OUT)/obj/policy/*.path))
OUTSIDE_LINKED := $(addprefix $(BUILD)/,$(file < $(BUILD)/firmware/parts))
OUTSIDE_ELF := $(OUT)/$(IMAGE).elf

all: $(OUTSIDE_ELF)
	@$(call firmware_size,$<)

outside_compile = $(call firmware_compile,$(RISCV_CC) $(FIRMWARE_FLAGS) $(OUTSIDE_FLAGS) $(FIRMWARE_MORE_FLAGS) -c $(1) -o $@)
$(OUTSIDE_OBJS): %.c.o: %.path
	$(call outside_compile,$(firmware_source))
	$(firmware_no_floats)

# The image's row: the policies are what the objects define.
$(OUT)/images.def: $(OUTSIDE_OBJS)
	@names=$$($(RISCV_NM) -g --defined-only $^ | sed -nE '/ policy_owns_/d;s/^.* [A-Z] policy_(\w+)$$/\1/p'); \
	[ -n "$$names" ] || { echo 'no policy is defined: a file needs `const struct policy policy_NAME = {..};`, not static' >&2; exit 1; }; \
	printf 'IMAGE("$(IMAGE)", "", "", "", "", "", %s)\n' "$$(printf 'POLICY(%s) ' $(WITH) $$names)" > $@
$(OUT)/obj/$(IMAGE).c: $(OUT)/images.def
	@sh $(TREE)firmware/images.sh $(@D) $< > /dev/null
$(OUT)/obj/$(IMAGE).c.o: $(OUT)/obj/$(IMAGE).c
	$(call outside_compile,$<)

$(OUTSIDE_ELF): $(OUT)/obj/$(IMAGE).c.o $(OUTSIDE_OBJS) $(OUTSIDE_LINKED)
	$(call firmware_link,$(RISCV_CC) $(FIRMWARE_LDFLAGS) -T $(FIRMWARE_LD) -Wl$(comma)-Map=$(@:.elf=.map) \
		$^ $(FIRMWARE_POLICY_LIB) $(FIRMWARE_LIBS) -o $@,OUTSIDE_OBJS)
