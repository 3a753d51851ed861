"""Loads the gdb commands for firmware on memhelm: `gdb-multiarch IMAGE.elf -x build/gdb/memhelm.py`.

They are a module of their own: scripts that gdb loads share their names with each other.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import memhelm_commands  # noqa: E402, F401
