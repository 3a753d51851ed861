"""memhelm from Python: runs, comparisons and sweeps of the command line, as dicts and pandas frames.

    import memhelm
    memhelm.compare(["baseline", "dws"], "GUPS+3DS", seeds="1-5", cycles="500K")
    memhelm.frame(_).groupby("image").weighted_speedup.mean()

Nothing is computed here: each call runs the program and reads what it writes. Options have the names of the command
line with _ for -, such as mcu_hz=100e6 or twin=True; a list gives an option several times. `settings` are keys of the
configuration (--set), `params` parameters of the image (--param). The program is $MEMHELM, or the one that this file was
installed or built with, or the one in $PATH.
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

__all__ = ["Error", "compare", "frame", "points", "program", "results", "run", "sweep"]


class Error(RuntimeError):
    """The program refused its input, or a run did not pass: what it said, and its exit code in `code`."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def program():
    """Path of the program."""
    here = pathlib.Path(__file__).resolve()
    known = [p / part for p in here.parents for part in ("bin/memhelm", "build/memhelm")]
    for path in [os.environ.get("MEMHELM"), *known, shutil.which("memhelm")]:
        if path and os.access(path, os.X_OK):
            return str(path)
    raise Error("memhelm is not found: set $MEMHELM to the program", 2)


def _text(value):
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _words(options, settings, params):
    """The options of a call as words of the command line."""
    words = [f"--set={k}={_text(v)}" for k, v in (settings or {}).items()]
    words += [f"--param={k}={_text(v)}" for k, v in (params or {}).items()]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [f"{option}={_text(v)}" for v in (value if isinstance(value, (list, tuple)) else [value])]
    return words


def _call(*words):
    """What the program prints. Its progress and warnings go to standard error."""
    done = subprocess.run([program(), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise Error(done.stderr.strip() or f"exit code {done.returncode}", done.returncode)
    return done.stdout


def _json(*words):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "result.json"
        _call(*words, f"--json={path}")
        return json.loads(path.read_text())


def run(image, workload, *, settings=None, params=None, **options):
    """One image on a workload A+B: a dict of schema memhelm-result-1 (host/report/schema)."""
    return _json("run", f"--image={image}", f"--workload={workload}", *_words(options, settings, params))


def compare(images, workload, *, settings=None, params=None, **options):
    """Several images, with `seeds="1-5"` several seeds: a list of dicts as of run()."""
    images = [f"--image={i}" for i in images]
    return _json("compare", *images, f"--workload={workload}", *_words(options, settings, params))["results"]


def sweep(images, workloads, *, vary=None, settings=None, output=None, **options):
    """Every combination of `vary`, {key: values}: a list of dicts as of points(). `output` keeps the file of points."""
    words = [f"--image={','.join(images)}", f"--workload={','.join(workloads)}"]
    words += [f"--vary={k}={','.join(map(_text, v))}" for k, v in (vary or {}).items()]
    with tempfile.TemporaryDirectory() as folder:
        path = output or os.path.join(folder, "points.sqlite")
        _call("sweep", *words, f"--output={path}", *_words(options, settings, None))
        return points(path)


def _value(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def points(path, *options):
    """The points of a sweep's file, or the table that options of `memhelm table` make of them: a list of dicts."""
    lines = _call("table", path, *options, "--format=csv").splitlines()
    return [{k: _value(v) for k, v in row.items()} for row in csv.DictReader(lines)]


def results(path):
    """A JSON file that memhelm wrote, as a dict; FILE.json.zst too."""
    data = pathlib.Path(path).read_bytes()
    if str(path).endswith(".zst"):
        data = subprocess.run(["zstd", "-dqc", str(path)], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(data)


def _flat(result):
    """A row of frame(): what a result is of, and its metrics; those of tenant T end in [T]."""
    row = {"image": result["image"]["name"], "workload": "+".join(result["workload"]), "seed": result["seed"],
           "preset": result["config"]["preset"]}
    for name, value in (result["metrics"] or {}).items():
        if name == "tenants":
            row.update({f"{k}[{t}]": v for t, of in enumerate(value) for k, v in of.items()})
        else:
            row[name] = value
    return row


def frame(what):
    """A pandas frame of what run(), compare(), sweep() or points() gave: a row for each run or point."""
    import pandas

    rows = what if isinstance(what, list) else [what]
    return pandas.DataFrame([_flat(r) if "metrics" in r else r for r in rows])
