"""A file of 10^5 points as report/points.h describes it: points.py FILE."""
import itertools
import sqlite3
import sys

AXES = {"preset": ["mask"], "design": ["none"], "image": ["i%d" % i for i in range(10)],
        "workload": ["W%d" % i for i in range(25)], "seed": range(5), "a": range(4), "b": range(4), "c": "vwxyz",
        "d": [0], "e": [0]}
METRICS = ["m%d" % i for i in range(10)]

db = sqlite3.connect(sys.argv[1])
columns = [(a, "axis") for a in AXES] + [(m, "metric") for m in METRICS]
db.execute("create table sweep (name text, spec text, made_by text)")
db.execute("insert into sweep values ('bench', '{}', '{}')")
db.execute("create table columns (position integer primary key, name text, kind text)")
db.executemany("insert into columns (name, kind) values (?, ?)", columns)
db.execute("create table points (point integer primary key, %s)" % ", ".join(c for c, _ in columns))
rows = ([n, *point, *(1 + (n * (m + 1) % 97) / 97 for m in range(len(METRICS)))]
        for n, point in enumerate(itertools.product(*AXES.values()), 1))
db.executemany("insert into points values (%s)" % ", ".join("?" * (1 + len(columns))), rows)
db.commit()
