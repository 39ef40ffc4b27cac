"""Generate the work, measure every tool in turn, print the ratios and write them to RESULTS.md."""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from statistics import median

from benchmarks.data import Size, generate
from benchmarks.measuring import TASKS, Measured, measure_apart

RESULTS = Path(__file__).with_name("RESULTS.md")
FULL = (Size(7_000, 1_000), Size(50_000, 100))
SMALL = (Size(300, 1_000), Size(2_000, 100))
PACKAGES = ("numpy", "pyarrow", "pytrec_eval-terrier", "ranx", "ir_measures", "rbo")

# Ties of scores are broken differently here and there, which moves single topics and hardly the sum.
AGREEMENT = 1e-3

Table = Mapping[str, Sequence[Measured]]


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--small", action="store_true", help="little work, once; writes no file unless --out is given")
    parser.add_argument("--rounds", type=int, help="how often each tool is measured (default: 3, small: 1)")
    parser.add_argument("--out", type=Path, help=f"where to write the table (default: {RESULTS.name})")
    chosen = parser.parse_args(arguments)
    rounds = chosen.rounds or (1 if chosen.small else 3)
    report = run(SMALL if chosen.small else FULL, rounds=rounds)
    print(report)
    target = chosen.out or (None if chosen.small else RESULTS)
    if target:
        target.write_text(report)


def run(sizes: Sequence[Size], *, rounds: int) -> str:
    """Measure all tasks on all sizes; the table as Markdown."""
    tables = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            generate(Path(name), size)
            tables.update({(task, size): interleaved(task, Path(name), rounds) for task in TASKS})
    return described(tables, rounds)


def interleaved(task: str, folder: Path, rounds: int) -> Table:
    """Every tool once, then every tool again, so that a busy minute of the machine meets them all."""
    found: dict[str, list[Measured]] = {tool: [] for tool in TASKS[task]}
    for _ in range(rounds):
        for tool, measured in found.items():
            measured.append(measure_apart(task, tool, folder))
    require_agreement(found)
    return found


def require_agreement(found: Table) -> None:
    """Refuse to compare tools that did not compute the same."""
    figures = {tool: measured[0].figure for tool, measured in found.items()}
    ours = figures["comparekit"]
    if any(abs(figure - ours) > AGREEMENT * abs(ours) for figure in figures.values()):
        raise SystemExit(f"the tools disagree on what they computed: {figures}")


def described(tables: Mapping[tuple[str, Size], Table], rounds: int) -> str:
    """The ratios as Markdown; no absolute times, which say more about a machine than about a tool."""
    lines = [
        "# How fast, next to others", "",
        f"Medians of {rounds} rounds, every measurement in a fresh process, all tools in turn; comparekit is 1.",
        "*End to end*: from three TREC files to nDCG@10, AP, RR, P@10 and R@100 of every topic of both runs.",
        "*Overlap*: extrapolated rank-biased overlap of every topic, from lists that are in memory.",
        "Imports and compilation are not timed. Made by `python -m benchmarks`.", "",
        "| task | size | tool | time | peak memory |", "| --- | --- | --- | --- | --- |",
    ]
    for (task, size), table in tables.items():
        seconds, memory = middle(table["comparekit"])
        for tool, measured in table.items():
            theirs = middle(measured)
            ratios = f"{theirs[0] / seconds:.1f} | {theirs[1] / memory:.1f}"
            lines.append(f"| {task} | {size.name} | {tool} | {ratios} |")
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return "\n".join([*lines, "", f"Python {python_version()}, {versions}.", ""])


def middle(measured: Sequence[Measured]) -> tuple[float, float]:
    """The median seconds and the median peak memory."""
    return median(each.seconds for each in measured), median(each.peak_bytes for each in measured)


if __name__ == "__main__":
    main()
