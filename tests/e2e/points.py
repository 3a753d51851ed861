"""A file of points as report/points.h describes it, written without our code: points.py FILE. Values are a formula, so that what a table says can be computed again; of mask-tlb on RED+BP with seed 2 there is none."""
import itertools
import math
import os
import sqlite3
import sys

AXES = {"preset": ["mask"], "design": ["none"], "image": ["baseline", "mask-tlb", "mask"],
        "workload": ["MVT+GUPS", "GUPS+MM", "RED+BP", "BLK+SC"], "seed": [1, 2, 3], "l2tlb.entries": [64, 128, 256, 512]}
METRICS = ["weighted_speedup", "walks / instructions"]
REASON = "RED+BP: the run hung, no COMMIT for 10 epochs"


def values(point):
    at = [AXES[axis].index(value) for axis, value in zip(AXES, point)]
    if at[2] == 1 and at[3] == 2 and at[4] == 1:
        return [None, None]
    noise = 0.01 * math.sin(7 * at[2] + 5 * at[3] + 3 * at[4] + at[5])
    return [(1 + 0.2 * at[3]) * (1 + 0.04 * at[2]) * (1 + 0.02 * at[5]) * (1 + noise), 0.5 ** at[5] * (1 + at[3]) * (1 + noise)]


def points():
    for point in itertools.product(*AXES.values()):
        yield dict(zip(AXES, point)) | dict(zip(METRICS, values(point)))


def write(path):
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path)
    columns = [(a, "axis") for a in AXES] + [(m, "metric") for m in METRICS] + [("run", "about"), ("reason", "about")]
    db.execute("create table sweep (name text, spec text, made_by text)")
    db.execute("insert into sweep values ('sizes', '{\"seeds\": 3}', '{\"model\": \"none\"}')")
    db.execute("create table columns (position integer primary key, name text, kind text)")
    db.executemany("insert into columns (name, kind) values (?, ?)", columns)
    db.execute("create table points (point integer primary key, %s)" % ", ".join('"%s"' % c for c, _ in columns))
    for n, point in enumerate(points(), 1):
        row = [n, *point.values(), "key%d" % n, REASON if point[METRICS[0]] is None else None]
        db.execute("insert into points values (%s)" % ", ".join("?" * len(row)), row)
    db.commit()


if __name__ == "__main__":
    write(sys.argv[1])
