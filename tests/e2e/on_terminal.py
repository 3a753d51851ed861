"""on_terminal.py COMMAND..: runs it on a terminal of its own and prints what it wrote there, and whether it leaves other
settings of the terminal than it found; exits with its code."""
import os, pty, sys, termios

terminal, its_end = pty.openpty()
before = termios.tcgetattr(its_end)
pid = os.fork()
if not pid:
    os.close(terminal)
    os.login_tty(its_end)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(its_end)
text = b""
while True:  # to the error that says that its end is closed and all is read: a command that is over may have more to be read
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    text += part
if termios.tcgetattr(terminal) != before:
    text += b"the terminal is not as it was\n"
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
