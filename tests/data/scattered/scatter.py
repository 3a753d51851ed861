#!/usr/bin/env python3
"""Scattered updates of 4 bytes, as a trace in Accel-Sim's format (version 3).

    scatter.py DIRECTORY KIND

60 CTAs of 8 warps; each warp updates 32 random words of 64 MiB at once, 16 times. KIND:
    red  an atomic without a result    st  a store    ls  a load, and a store of what was loaded
"""
import pathlib
import random
import sys

CTAS, WARPS, ROUNDS, BYTES, BASE = 60, 8, 16, 64 << 20, 0x7F0000000000
STEPS = {
    "red": ["0 RED.E.ADD.STRONG.GPU 2 R2 R4 4 0 {}"],
    "st": ["0 STG.E.SYS 2 R2 R4 4 0 {}"],
    "ls": ["1 R4 LDG.E.SYS 1 R2 4 0 {}", "1 R4 LOP3.LUT 2 R4 R5 0", "0 STG.E.SYS 2 R2 R4 4 0 {}"],
}
HEAD = f"""-kernel name = _Z7scatterPi
-kernel id = 1
-grid dim = ({CTAS},1,1)
-block dim = ({32 * WARPS},1,1)
-shmem = 0
-nregs = 16
-binary version = 75
-cuda stream id = 0
-shmem base_addr = 0x00007e8000000000
-local mem base_addr = 0x00007e8002000000
-nvbit version = 1.5
-accelsim tracer version = 3

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

"""


def warp(steps):
    lines = []
    for _ in range(ROUNDS):
        words = " ".join(f"0x{BASE + 4 * random.randrange(BYTES // 4):016x}" for _ in range(32))
        lines += [step.format(words) for step in steps]
    lines.append("0 EXIT 0 0")
    return [f"insts = {len(lines)}"] + [f"{16 * pc:04x} ffffffff {line} " for pc, line in enumerate(lines)]


directory, kind = pathlib.Path(sys.argv[1]), sys.argv[2]
directory.mkdir(parents=True, exist_ok=True)
random.seed(7)
with open(directory / "kernel-1.traceg", "w") as out:
    out.write(HEAD)
    for cta in range(CTAS):
        out.write(f"\n#BEGIN_TB\n\nthread block = {cta},0,0\n")
        for w in range(WARPS):
            out.write(f"\nwarp = {w}\n" + "\n".join(warp(STEPS[kind])) + "\n")
        out.write("\n#END_TB\n")
(directory / "kernelslist.g").write_text(f"MemcpyHtoD,0x{BASE:016x},{BYTES}\nkernel-1.traceg\n")
