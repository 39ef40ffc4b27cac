"""
The work that is timed, once for every tool: straight from the files to nDCG@10, AP, RR, P@10 and R@100 of every
topic of both runs; and the rank-biased overlap of every topic, from lists that are ready.

Each function does what must not be timed (imports, warming up) and returns what must. The timed part returns a
figure that all tools have to agree on, so that none is fast by doing less.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from comparekit.columns import Lists

Work = Callable[[], float]

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
P = 0.9


def comparekit(folder: Path) -> Work:
    """This library: three files read at once, two runs ordered and judged."""
    from comparekit.alignment import judged_lists
    from comparekit.columns import Lists, lists_for
    from comparekit.formats import read_judgments, read_run
    from comparekit.grading import grades_of
    from comparekit.measures import parse_measure
    from comparekit.ordering import order_rows

    tiny = folder / "tiny.run"
    tiny.write_text("q Q0 d 1 1.0 t\n")
    order_rows(read_run(tiny))  # imports the readers, which are found when first needed

    def ordered(name: str) -> Lists:
        return order_rows(read_run(folder / name)).lists

    def work() -> float:
        with ThreadPoolExecutor(2) as pool:
            runs = pool.map(ordered, ("a.run", "b.run"))
            grades, _ = grades_of(read_judgments(folder / "qrels.txt")[0])
            a, b = runs
        judged = [judged_lists(lists_for(run, grades.topics), grades=grades) for run in (a, b)]
        values = [parse_measure(name).values(side).value for name in MEASURES for side in judged]
        return float(np.mean([np.nansum(each) for each in values]))

    return work


def pytrec_eval(folder: Path) -> Work:
    """pytrec_eval, with its own readers."""
    import pytrec_eval as peer

    names = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100")

    def work() -> float:
        with (folder / "a.run").open() as a, (folder / "b.run").open() as b, (folder / "qrels.txt").open() as qrels:
            runs, judged = (peer.parse_run(a), peer.parse_run(b)), peer.parse_qrel(qrels)
        measures = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
        found = [peer.RelevanceEvaluator(judged, measures).evaluate(run) for run in runs]
        return float(np.mean([sum(topic[name] for topic in run.values()) for name in names for run in found]))

    return work


def ranx(folder: Path) -> Work:
    """ranx, with its own readers; what numba compiles is compiled before the clock starts."""
    from ranx import Qrels, Run, evaluate

    names = ["ndcg@10", "map", "mrr", "precision@10", "recall@100"]
    evaluate(Qrels({"q": {"d": 1, "e": 0}}), Run({"q": {"d": 1.0, "e": 0.5}}), names)

    def work() -> float:
        judged = Qrels.from_file(str(folder / "qrels.txt"), kind="trec")
        runs = [Run.from_file(str(folder / name), kind="trec") for name in ("a.run", "b.run")]
        found = [evaluate(judged, run, names, return_mean=False) for run in runs]
        return float(np.mean([run[name].sum() for name in names for run in found]))

    return work


def ir_measures(folder: Path) -> Work:
    """ir_measures, with its own readers."""
    import ir_measures as peer

    measures = [peer.parse_measure(name) for name in MEASURES]

    def work() -> float:
        judged = list(peer.read_trec_qrels(str(folder / "qrels.txt")))  # type: ignore[no-untyped-call]
        files = [str(folder / name) for name in ("a.run", "b.run")]
        runs = [list(peer.read_trec_run(file)) for file in files]  # type: ignore[no-untyped-call]
        totals = [sum(metric.value for metric in peer.iter_calc(measures, judged, run)) for run in runs]
        return sum(totals) / (len(measures) * len(runs))

    return work


def comparekit_overlap(folder: Path) -> Work:
    """Overlap by this library, from lists in its own form: finding the common documents is part of the work."""
    from comparekit.matching import common
    from comparekit.overlap import overlap

    a, b = _lists(folder)

    def work() -> float:
        topic, row_a, row_b = common(a, b)
        rank_a, rank_b = row_a + (1 - a.offsets)[topic], row_b + (1 - b.offsets)[topic]
        length_a, length_b = np.diff(a.offsets), np.diff(b.offsets)
        depth = int(max(length_a.max(), length_b.max()))
        found = overlap(topic, rank_a, rank_b, length_a=length_a, length_b=length_b, depth=depth, p=P)
        return float(found.rbo.sum())

    return work


def rbo(folder: Path) -> Work:
    """The rbo package, from lists of ids."""
    from rbo import RankingSimilarity

    both = [_ids(lists) for lists in _lists(folder)]

    def work() -> float:
        return float(sum(RankingSimilarity(a, b).rbo_ext(P) for a, b in zip(*both, strict=True)))

    return work


def _lists(folder: Path) -> "list[Lists]":
    from comparekit.formats import read_run
    from comparekit.ordering import order_rows

    return [order_rows(read_run(folder / name)).lists for name in ("a.run", "b.run")]


def _ids(lists: "Lists") -> list[list[str]]:
    docs = lists.docs.to_pylist()
    return [docs[first:last] for first, last in pairwise(lists.offsets.tolist())]


END_TO_END: dict[str, Callable[[Path], Work]] = {
    "comparekit": comparekit, "pytrec_eval": pytrec_eval, "ranx": ranx, "ir_measures": ir_measures,
}
OVERLAP: dict[str, Callable[[Path], Work]] = {"comparekit": comparekit_overlap, "rbo": rbo}
