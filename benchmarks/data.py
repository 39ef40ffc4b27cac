"""Generated work: two TREC runs and judgments, the same bytes for the same size."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from comparekit.columns import Floats, Ints

COLLECTION = 8_841_823
"""How many documents there are to draw from; as many as MS MARCO has passages."""

_GRADES, _SHARES = [0, 1, 2, 3], [0.62, 0.22, 0.10, 0.06]
_UNSEEN = 10


@dataclass(frozen=True, slots=True)
class Size:
    """`topics` topics with `depth` results on either side and `judged` judgments each."""

    topics: int
    depth: int
    judged: int = 60

    @property
    def name(self) -> str:
        """For people and for folders."""
        return f"{self.topics} topics x {self.depth} results"


def generate(folder: Path, size: Size) -> None:
    """
    Write a.run, b.run and qrels.txt into `folder`.

    Both runs draw on one pool a topic; B's scores are A's with noise. The judged documents are mostly from the top
    of the pool, and a few that nobody retrieved.
    """
    rng = np.random.default_rng(20240611)
    topics = np.sort(rng.choice(2_000_000, size.topics, replace=False)) + 2
    files = (folder / "a.run", folder / "b.run", folder / "qrels.txt")
    with files[0].open("w") as a, files[1].open("w") as b, files[2].open("w") as qrels:
        for topic in topics:
            pool = rng.choice(COLLECTION, int(size.depth * 1.6) + _UNSEEN, replace=False)
            scores = np.sort(rng.gamma(2.0, 4.0, len(pool) - _UNSEEN))[::-1]
            noisy = scores + rng.normal(0, 2.5, len(scores))
            a.write(_ranking(topic, pool, scores, size.depth, "bm25"))
            b.write(_ranking(topic, pool, noisy, size.depth, "dense"))
            qrels.write(_judgments(topic, pool, size, rng))


def _ranking(topic: int, pool: Ints, scores: Floats, depth: int, tag: str) -> str:
    rounded = np.round(scores, 6)
    order = np.argsort(-rounded, kind="stable")[:depth]
    return "".join(
        f"{topic} Q0 D{pool[at]:07d} {rank} {rounded[at]:.6f} {tag}\n" for rank, at in enumerate(order, start=1)
    )


def _judgments(topic: int, pool: Ints, size: Size, rng: np.random.Generator) -> str:
    seen = len(pool) - _UNSEEN
    weight = np.exp(-np.arange(seen) / (size.depth / 8))
    drawn = rng.choice(seen, min(size.judged - _UNSEEN, seen), replace=False, p=weight / weight.sum())
    docs = np.concatenate([pool[drawn], pool[seen:]])
    grades = rng.choice(_GRADES, len(docs), p=_SHARES)
    return "".join(f"{topic} 0 D{doc:07d} {grade}\n" for doc, grade in zip(docs, grades, strict=True))
