"""A small comparison to be judged, and answers to it, for tests."""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from comparekit import Comparison, compare, init_experiment, open_experiment
from comparekit.events import ROOT, Event, NewEvent, event_digest, payload_bytes
from comparekit.pairs import pairs
from comparekit.pinning import Choices
from comparekit.standing import PREFERENCE, grade_scope

TOPICS = 24
SECRET = b"a key that nobody guesses, 32 by"
_ids = count(1)


def small_comparison(folder: Path) -> Comparison:
    """
    24 topics in two strata, two lists of four: equal on t03, t06, …; B failed to answer t05 (missing).

    Documents of a topic are d1 to d5; d1 to d3 are judged on even topics. B shows d5 where A shows d4.
    """
    a, b, qrels, strata = [], [], [], ["topic,kind"]
    for number in range(TOPICS):
        topic = f"t{number:02d}"
        one = ["d1", "d2", "d3", "d4"]
        other = one if number % 3 == 0 else [*one[number % 2 :: -1], *one[number % 2 + 1 : 3], "d5"]
        a += [f"{topic} Q0 {topic}{doc} {rank} {30.5 - rank} alpha" for rank, doc in enumerate(one, start=1)]
        if number != 5:
            b += [f"{topic} Q0 {topic}{doc} {rank} {1 - rank / 9:.4f} beta" for rank, doc in enumerate(other, start=1)]
        qrels += [f"{topic} 0 {topic}d{at} {grade}" for at, grade in ((1, 2), (2, 0), (3, 1))[: 3 - number % 2]]
        strata.append(f"{topic},{'head' if number < 8 else 'tail'}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("alpha.run", a), ("beta.run", b), ("qrels.txt", qrels), ("strata.csv", strata)):
        (folder / name).write_text("\n".join(lines) + "\n")
    documents = "".join(
        f'{{"id": "t{number:02d}d{at}", "title": "Title {at}", "text": "Words about {at}."}}\n'
        for number in range(TOPICS)
        for at in range(1, 6)
    )
    (folder / "documents.jsonl").write_text(documents)
    init_experiment(
        folder / "made",
        a=folder / "alpha.run",
        b=folder / "beta.run",
        qrels=folder / "qrels.txt",
        strata=folder / "strata.csv",
        documents=folder / "documents.jsonl",
        choices=Choices(measures=("RR", "P@1"), target="nDCG@10"),
    )
    return compare(open_experiment(folder / "made"))


def swapped(comparison: Comparison) -> Comparison:
    """The same with baseline and candidate exchanged."""
    a, b = comparison.b_name, comparison.a_name
    return compare(open_experiment(comparison.experiment.folder, a=a, b=b), a=a, b=b)


def said(
    comparison: Comparison,
    topic: str,
    answer: str,
    *,
    assessor: str = "ann",
    left: str = "a",
    repeat: int = 0,
    queue: str = "informative",
    elapsed_ms: int = 9_000,
    comment: str = "",
) -> NewEvent:
    """An answer to one pair; `left` says which ranker stood there."""
    pair = pairs(comparison)[topic]
    payload = {
        "schema": PREFERENCE, "experiment": comparison.experiment.declaration.digest, "topic": topic,
        "receipt_a": pair.receipt_a, "receipt_b": pair.receipt_b, "left": left, "answer": answer, "reasons": [],
        "comment": comment, "elapsed_ms": elapsed_ms, "repeat": repeat, "guideline": "v1",
        "shown": {"depth": 10, "ranks": True, "fold": False}, "queue": queue,
    }  # fmt: skip
    return NewEvent(f"e{next(_ids)}", "vote", None, assessor, pair.digest, payload)


def for_ranker(comparison: Comparison, topic: str, ranker: str, **more: str) -> NewEvent:
    """An answer that prefers ranker "a" or "b", or "same"."""
    left = more.get("left", "a")
    answer = ranker if ranker == "same" else "left" if ranker == left else "right"
    return said(comparison, topic, answer, **more)  # type: ignore[arg-type]


def recorded(news: Iterable[NewEvent]) -> tuple[Event, ...]:
    """Events as a store hands them out, found right and chained, a second apart."""
    events: list[Event] = []
    before = ROOT
    for seq, each in enumerate(news, start=1):
        said_of_it = {
            "seq": seq, "event_id": each.event_id, "kind": each.kind, "supersedes": each.supersedes,
            "assessor": each.assessor, "comparison": each.comparison, "prev_digest": before,
            "recorded_at": f"2026-05-01T10:{seq // 60:02d}:{seq % 60:02d}.000Z",
        }  # fmt: skip
        payload = payload_bytes(each)
        before = event_digest(**said_of_it, payload=payload)  # type: ignore[arg-type]
        events.append(Event(**said_of_it, payload=json.loads(payload), digest=before))  # type: ignore[arg-type]
    return tuple(events)


def scope_of(comparison: Comparison) -> str:
    """What grades of this experiment are filed under."""
    return grade_scope(comparison.experiment.topics.digest)
