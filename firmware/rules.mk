# How firmware for the mcu is compiled and linked: compilers, flags, and the sentences that stand before their errors.
# Included by module.mk, for the images of images.def, and by build.mk, for policies that lie elsewhere.
#
# needs   BUILD          folder with firmware/, of what is built
#         NEWLIB         prefix of the nano newlib for rv32imc/ilp32: riscv64-unknown-elf/include, riscv64-unknown-elf/lib
#         FIRMWARE_TREE  where firmware/ and hwmodel/ are: empty, or with a / at its end
#         absolute       $(call absolute,PATH), for the shell
#         say            $(call say,WORD) prints what a recipe does
# may set RISCV_CC       riscv64-unknown-elf-gcc; its nm, ar and objcopy are found next to it
#         FIRMWARE_CFLAGS  flags behind those of the images, so that the last -O counts; for the debugger, -Og

RISCV_CC ?= riscv64-unknown-elf-gcc
RISCV_NM ?= $(patsubst %gcc,%nm,$(RISCV_CC))
RISCV_AR ?= $(patsubst %gcc,%ar,$(RISCV_CC))
RISCV_OBJCOPY ?= $(patsubst %gcc,%objcopy,$(RISCV_CC))

FIRMWARE_WARN := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wvla -Werror
# A quarter of the stack for one function, bytes; a frame of unknown size is refused.
FIRMWARE_FRAME_MAX := 256

FIRMWARE_OBJ := $(BUILD)/firmware/obj
FIRMWARE_LD := $(BUILD)/firmware/memhelm.ld
FIRMWARE_POLICY_LIB := $(BUILD)/firmware/policies.a
FIRMWARE_LIBC := $(NEWLIB)/riscv64-unknown-elf/lib/libc.a

FIRMWARE_Q := $(if $(V),,@)
comma := ,

# Links the image $@ with the command $(1), whose archive has the objects $($(2)), by name. Those that the image holds
# become its prerequisites, in $@.d: a change of one policy links its own images alone. Two policies that own one knob
# are two definitions of one symbol (POLICY_OWNS in firmware/policy/policy.h): a sentence says so before the linker's
# own lines.
define firmware_link
$(FIRMWARE_Q)LC_ALL=C $(1) -Wl,-t,-t > $@.files 2> $@.err || { \
	sed -nE -e 's/$(FIRMWARE_TWICE)/image $(basename $(notdir $@)): policies \3 and \1 both set knob \2; an image takes one of them/p' \
		-e 's#$(FIRMWARE_LARGE)#image $(basename $(notdir $@)): code and constants are \1 bytes too large; console_printf takes 4 KiB less than printf, and the map beside the image (.map) says who takes what#p' $@.err; \
	cat $@.err; grep -qE 'overflowed| over [0-9]+ KiB' $@.err || rm -f $(@:.elf=.map); rm -f $@.err $@.files; false; } >&2
@sed -nE 's~$(FIRMWARE_MEMBER)~$@: $$(filter %/\2,$$($(2)))~p' $@.files > $@.d.new && mv $@.d.new $@.d && rm -f $@.err $@.files
endef
# ld's name of a member; that of gold and lld.
FIRMWARE_MEMBER := ^(.*\bpolicies\.a\)|.*\bpolicies\.a\()([^/)]*\.o)\)?$$
FIRMWARE_TWICE := ^.*\b(\w+)\.c\.o\)?:.* multiple definition of .policy_owns_(\w+).; .*\b(\w+)\.c\.o\)?:.*$$

FIRMWARE_LARGE := ^.*region .ITCM. overflowed by ([0-9]+) bytes.*$$

# What a recipe compiles, as a word of the shell.
firmware_source ?= '$<'

# Compiles $@ with the command $(1). A sentence stands before the compiler's lines where they do not say the remedy.
define firmware_compile
$(FIRMWARE_Q)LC_ALL=C $(1) 2> $@.err || { \
	sed -nE -e '/: In function /h;/$(FIRMWARE_OWNS)/{s//\1/;G;s/^(\w+)\n(.*): In function .*$$/\2: it sets knob \1, and does not say so: add POLICY_OWNS(\1); above/p}' \
		-e 's/$(FIRMWARE_TWICE_IN)/image $(basename $(notdir $<)): policy \1 is in it twice; list it once/p' \
		-e '/ inlined from /h;/$(FIRMWARE_FORMAT)/{s//\1/;H;g;s/^.* at ([^:]+:[0-9]+).*\n/\1: /p}' \
		-e 's/$(FIRMWARE_FRAME)/\1: the frame is larger than the $(FIRMWARE_FRAME_MAX) bytes that a function may have of the 1 KiB of stack/p' $@.err | uniq; \
	cat $@.err; rm -f $@.err; false; } >&2
@cat $@.err >&2; rm -f $@.err
endef
FIRMWARE_OWNS := ^.*error: .policy_owns_(\w+). undeclared.*$$
FIRMWARE_TWICE_IN := ^.*redeclaration of enumerator .image_lists_(\w+).$$
FIRMWARE_FORMAT := ^.*console_format_\w+. declared with attribute error: (.*)$$
FIRMWARE_FRAME := ^([^:]+:[0-9]+):.*stack usage is [0-9]+ bytes.*$$

# Refuses references to software floating point: the core has no FPU, and an operation takes a hundred cycles.
firmware_no_floats = @! $(RISCV_NM) -u $@ | grep -qE '__\w+[sd]f([23]|si|di)?$$' || { rm -f $@; \
	echo $(firmware_source)': floating point; the core has no FPU: policies have integers only (firmware/policy/policy.h)' >&2; false; }

# $(call firmware_archive,AR): the archive $@, made anew: what has gone would stay in it.
define firmware_archive
@rm -f $@
$(call say,AR)
$(FIRMWARE_Q)$(1) rcsD $@ $^
endef

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
	-isystem $(NEWLIB)/riscv64-unknown-elf/include -I$(FIRMWARE_TREE)hwmodel/include -I$(FIRMWARE_TREE)firmware
# With flags of the user's an image is none to ship: a frame that is too large is a warning.
FIRMWARE_MORE_FLAGS := $(if $(strip $(FIRMWARE_CFLAGS)),-Wno-error=stack-usage= $(FIRMWARE_CFLAGS))
# gcc 12 finds its library by the exact name of the architecture: no Zicsr here.
FIRMWARE_LDFLAGS := -march=rv32imc -mabi=ilp32 -nostdlib -static -Wl,--gc-sections -Wl,--build-id=none \
	-Wl,--fatal-warnings -Wl,--wrap=malloc,--wrap=_malloc_r,--wrap=__smakebuf_r -L$(NEWLIB)/riscv64-unknown-elf/lib
FIRMWARE_LIBS := -Wl,--start-group -lc -lgcc -Wl,--end-group

# One line: the limits are symbols of the linker script.
firmware_size = $(RISCV_NM) $(1) | sed -n 's/^\([0-9a-f]*\) . __\(text_size\|data_size\|code_limit\|data_limit\|stack_limit\)$$/\2=$$((0x\1))/p' \
	| { while read -r line; do eval "$$line"; done; \
	printf '%-20s code + constants %5d of %d B, data + bss %4d of %d B, stack %d B\n' \
	$(basename $(notdir $(1))) $$text_size $$code_limit $$data_size $$data_limit $$stack_limit; }
