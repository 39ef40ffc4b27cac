"""
One measurement in one fresh process: `python -m benchmarks.measuring TASK TOOL FOLDER` prints a line of JSON.

A process of its own keeps one tool's memory, caches and compiled code away from the next one's clock.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.work import END_TO_END, OVERLAP

TASKS = {"end to end": END_TO_END, "overlap": OVERLAP}


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the timed part, the process's peak memory in bytes, and the figure that tools must agree on."""

    seconds: float
    peak_bytes: int
    figure: float


def measure(task: str, tool: str, folder: Path) -> Measured:
    """Do the work once, in this process."""
    work = TASKS[task][tool](folder)
    start = time.perf_counter()
    figure = work()
    seconds = time.perf_counter() - start
    return Measured(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, figure)


def measure_apart(task: str, tool: str, folder: Path) -> Measured:
    """Do the work once, in a fresh process; raises `CalledProcessError` when it fails."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.measuring", task, tool, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    print(json.dumps(asdict(measure(sys.argv[1], sys.argv[2], Path(sys.argv[3])))))
