#!/usr/bin/env python3
"""Prints a GMT1 file: launches, CTAs, warps, and a line per record. Shares no code with memhelm.

pc kind bytes gap mask first-address distances to the next active lanes (one, if all are the same)"""
import subprocess
import sys

data = subprocess.run(["zstd", "-dcq", sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout
at = data.index(b"\n") + 1
lanes = int(data[:at].split(b"warp=")[1].split()[0])


def byte():
    global at
    at += 1
    return data[at - 1]


def number():
    value = shift = 0
    while True:
        b = byte()
        value |= (b & 127) << shift
        shift += 7
        if b < 128:
            return value


def signed():
    v = number()
    return (v >> 1) ^ -(v & 1)


def text():
    global at
    n = number()
    at += n
    return data[at - n:at].decode()


def record(all_lanes, last):
    flags, gap, pc = byte(), number(), number()
    mask = sum(byte() << 8 * i for i in range(lanes // 8)) if flags & 4 else all_lanes
    kind = ["load", "store", "atomic", "barrier"][flags & 3]
    if kind == "barrier":
        return f"{pc} barrier {gap} {mask:x}"
    size = number() if flags >> 4 & 7 == 7 else 1 << (flags >> 4 & 7)
    last[pc] = last.get(pc, 0) + signed()
    active = [l for l in range(lanes) if mask >> l & 1]
    if flags & 8:
        steps = [signed() for _ in active[1:]]
    else:
        stride = signed()
        steps = [stride * (b - a) for a, b in zip(active, active[1:])]
    if len(set(steps)) == 1:
        steps = steps[:1]
    return f"{pc} {kind} {size} {gap} {mask:x} {last[pc]:x} " + ",".join(map(str, steps))


threads = 0
while True:
    tag = chr(byte())
    if tag == "E":
        break
    if tag == "K":
        at += 4
    elif tag == "L":
        name = text()
        grid, block = [number() for _ in range(3)], [number() for _ in range(3)]
        planned, buffers = number(), [(number(), number()) for _ in range(number())]
        threads = block[0] * block[1] * block[2]
        print("launch", name, *grid, *block, *(f"{a:x}+{n:x}" for a, n in buffers))
    elif tag == "C":
        print("cta", number(), number())
    elif tag == "W":
        warp, count = number(), number()
        print("warp", warp)
        last, n = {}, min(lanes, threads - warp * lanes)
        for _ in range(count):
            print(record((1 << n) - 1, last).rstrip())
