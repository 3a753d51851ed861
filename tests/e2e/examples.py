"""examples.py MEMHELM COMMANDS.DEF FOLDER: runs the examples of each command's --help in FOLDER, a second each; one that is then
still at it is good. Prints a line of TAP for each command."""
import concurrent.futures, os, re, shutil, subprocess, sys

memhelm, definitions, folder = sys.argv[1:]
# What an example needs that is not here: a cluster, a source tree to write into, the program of the reader.
NOT_RUN = re.compile(r"--slurm|memhelm init(?!.* --here)|memhelm record|\bman -l|compare baseline mine |latency mine |source <")
environment = dict(os.environ, ARGP_HELP_FMT="rmargin=250", PATH=f"{folder}/bin:{os.environ['PATH']}")


def help_of(*command):
    return subprocess.run([memhelm, *command, "--help"], env=environment, capture_output=True, text=True, check=True).stdout


def examples_of(command):
    text = re.search(r"^Examples?:\n((?:  .*\n)+)", help_of(command), re.M)
    lines = text[1].replace("\\\n", " ").splitlines() if text else []
    return [re.split(r"(?<=\S)\s{3,}(?![\s-])", line.strip())[0] for line in lines if re.match(r"memhelm |source <\(memhelm ", line.strip())]


def run(number, example):
    """None, or what went wrong. Each has the files to itself."""
    if NOT_RUN.search(example):
        return None
    place = os.path.join(folder, "run", str(number))
    shutil.copytree(os.path.join(folder, "files"), place, symlinks=True)
    p = subprocess.run(["timeout", "-k", "5", "1", "bash", "-c", example], cwd=place, env=environment, capture_output=True,
                       text=True, stdin=subprocess.DEVNULL)
    shutil.rmtree(place)
    return None if p.returncode in (0, 1, 124, 137) else f"{example}: exit {p.returncode}: {p.stderr[-300:]}"


commands = re.findall(r"^COMMAND\((\w+),", open(definitions).read(), re.M)
examples = [(c, e) for c in commands for e in examples_of(c)]
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    wrong = list(pool.map(run, range(len(examples)), [e for _, e in examples]))
bad = 0
for n, command in enumerate(commands, 1):
    own = [e for c, e in examples if c == command]
    faults = [w for (c, _), w in zip(examples, wrong) if c == command and w]
    if len(own) < 3:
        faults.append(f"{len(own)} examples, not three")
    bad += bool(faults)
    print("not ok" if faults else "ok", n, f"- {command}: {len(own)} examples")
    for f in faults:
        print("#", f.replace("\n", "\n# "))
print(f"1..{len(commands)}")
sys.exit(bad > 0 or len(commands) < 15)
