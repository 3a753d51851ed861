"""tab.py SHELL TYPED: types into an interactive SHELL (bash or zsh) that has memhelm's completion, and prints the words
that `memhelm` would have been called with, each between < and >. TYPED may have \\t for the Tab key."""
import os, pty, select, sys, time

shell, typed = sys.argv[1], sys.argv[2].replace("\\t", "\t")
start = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
setup = {
    "bash": "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source <(command memhelm completion bash)",
    "zsh": "unsetopt beep; autoload -U compinit; compinit -u -D; source <(command memhelm completion zsh)",
}[shell]
# The function stands in for the program, but for what completion asks of it.
function = """memhelm() { if [ "$1" = completion ]; then command memhelm "$@"; else printf 'called'; printf '<%s>' "$@"; echo; fi; }"""

pid, terminal = pty.fork()
if not pid:
    os.environ["TERM"] = "dumb"
    os.execvp(start[0], start)


def read_until(end, seconds=20):
    text, stop = "", time.time() + seconds
    while end not in text and time.time() < stop:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                text += os.read(terminal, 4096).decode(errors="replace")
            except OSError:
                break
    return text


def send(line):
    os.write(terminal, line.encode())


send(f"PS1='$ '; {function}; {setup}; echo rea''dy\n")
read_until("ready\r")
for part in typed.split("\t"):
    send(part)
    if part is not typed.split("\t")[-1]:
        send("\t")
        time.sleep(1)
send("; echo do''ne\n")
text = read_until("done\r")
send("exit\n")
called = [line for line in text.replace("\r", "\n").split("\n") if line.startswith("called<")]
print(called[-1][len("called"):] if called else text)
