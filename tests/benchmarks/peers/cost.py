"""Run a command, and print its costs as JSON: `python cost.py COMMAND…`; `wall` and `cpu` in seconds, `memory` in bytes.

It is a separate process, because Linux counts the memory of the process that starts a command as the command's. `memory` is
the peak of the largest process; several at once are not added up.
"""

import json
import os
import subprocess
import sys
import time

began = time.monotonic()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
wall = time.monotonic() - began
process.returncode = os.waitstatus_to_exitcode(status)
if process.returncode:
    sys.exit(f"{sys.argv[1:]} failed")
print(json.dumps({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss * 1024}))
