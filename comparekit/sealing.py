"""From two run files to a pinned experiment: receipts, manifests and a declaration with every choice spelled out."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from comparekit.errors import InputError, NothingExecuted
from comparekit.experiment import DOCUMENTS, JUDGMENTS, TOPICS, open_experiment
from comparekit.formats import JudgmentRows, RunRows, read_run
from comparekit.importing import Input, import_documents, import_judgments, import_topics, origin
from comparekit.manifests import Manifest
from comparekit.ordering import Order, Ordered, order_rows
from comparekit.pinning import PACK_FROM, Choices, declare, pin
from comparekit.policy import TIE_ORDERS, complete, policy_digest
from comparekit.receipts import receipt, write_receipts
from comparekit.records import NAME, Progress, no_progress
from comparekit.repairs import Repair, repair
from comparekit.topics import TopicSet
from comparekit.version import VERSION

BYTES_A_RESULT = 40


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run on its way into receipts: rows as read, lists as ordered."""

    name: str
    rows: RunRows
    ordered: Ordered
    order: Order

    @property
    def file(self) -> str:
        """The base name of the file it was read from."""
        return self.rows.report.name

    @property
    def topics(self) -> tuple[str, ...]:
        """Every topic that the run tried, if only to find nothing or to fail."""
        listed = self.ordered.lists.topics
        return (*listed, *sorted(set(self.rows.failed_topics) - set(listed)))

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Everything that was set right, in reading and in ordering."""
        return (*self.rows.report.repairs, *self.ordered.repairs)


def load_run(file: Input, *, order: Order = "score", name: str | None = None) -> Run:
    """Read and order one run; by rank, unusable scores are reported and left out, else they are refused."""
    rows = read_run(file, keep_going=order == "rank")
    return Run(name or name_of(rows.report.name), rows, order_rows(rows, order=order), order)


def name_of(file: str) -> str:
    """A receipt set's name from a run's file name: without endings, odd characters as underscores."""
    stem = file.removesuffix(".gz")
    for ending in (".run", ".trec", ".txt", ".csv", ".tsv", ".jsonl", ".json", ".res"):
        stem = stem.removesuffix(ending)
    safe = "".join(character if NAME.fullmatch("x" + character) else "_" for character in stem)[:100]
    return safe if NAME.fullmatch(safe) else f"run{safe}"[:100]


def seal(run: Run, folder: Path, *, topics: TopicSet, policy: Mapping[str, Any] | None = None) -> Manifest:
    """
    Write a run's receipts into a folder, one for every pinned topic that it answered.

    What the policy does not say is recorded as null, but for what sealing itself knows: the order of ties.
    Raises `NothingExecuted` when the run answered no pinned topic.
    """
    whole = complete({"ranker": {"name": run.name}, **(policy or {})})
    whole["tie_order"] = whole["tie_order"] or TIE_ORDERS[run.order]
    if not any(topic in topics for topic in run.topics):
        raise _nothing_in_common(run.file, run.topics, "the pinned topics", topics.ids)
    repairs = [*run.repairs, *_unpinned(run.topics, topics, file=run.file)]
    return write_receipts(
        folder,
        run.name,
        _receipts(run, topics, policy=policy_digest(whole), limit=whole["budget"]["depth"]),
        policy=whole,
        topics={"count": len(topics), "digest": topics.digest},
        producer=f"comparekit {VERSION}",
        source=origin(run.rows.report, order=run.order, tags=list(run.rows.tags[:20])),
        repairs=[_record(each) for each in repairs],
        packed=len(run.ordered.lists.scores) * BYTES_A_RESULT > PACK_FROM,
    )


def init_experiment(
    output: Path | str,
    *,
    a: Input,
    b: Input,
    qrels: Input,
    topics: Input | None = None,
    documents: Input | None = None,
    strata: Input | None = None,
    choices: Choices | None = None,
    progress: Progress = no_progress,
) -> tuple[Repair, ...]:
    """
    Make a whole experiment folder from foreign files; returns every repair that was made on the way.

    The folder appears complete or not at all; an existing one is never touched. Raises an `InputError` with file
    and line when a file cannot be read, `NothingExecuted` when runs and judgments have no topic in common.
    """
    choices, output = choices or Choices(), Path(output)
    if output.exists():
        raise InputError("this folder exists already", path=output, todo="Name a new one; nothing is overwritten.")
    progress("Reading the judgments", 0.0)
    rows, judged = import_judgments(qrels, conflict=choices.conflict)
    progress("Reading run A", 0.05)
    run_a = load_run(a, order=choices.order, name=choices.name_a)
    progress("Reading run B", 0.15)
    run_b = load_run(b, order=choices.order, name=choices.name_b)
    if run_a.name == run_b.name:
        run_a, run_b = replace(run_a, name=f"{run_a.name}-a"), replace(run_b, name=f"{run_b.name}-b")
    _require_common(rows, run_a, run_b)
    listed, described = import_topics(topics, strata=strata, others=_met(rows, run_a, run_b))
    pinned = TopicSet.of(listed)
    described = replace(
        described,
        repairs=(
            *described.repairs,
            *_unpinned(_judged(rows), pinned, file=rows.report.name),
            *_silent(pinned, rows, run_a, run_b),
        ),
    )
    texts = import_documents(documents, others={**run_a.rows.document_texts, **run_b.rows.document_texts})
    files = {TOPICS: described, JUDGMENTS: judged} | ({} if texts is None else {DOCUMENTS: texts})
    with _complete_or_not_at_all(output) as folder:
        progress(f"Sealing {run_a.name}", 0.3)
        manifests = [seal(run_a, folder / "receipts", topics=pinned, policy=choices.policy_a)]
        progress(f"Sealing {run_b.name}", 0.6)
        manifests.append(seal(run_b, folder / "receipts", topics=pinned, policy=choices.policy_b))
        scale = (min(0.0, float(rows.grades.min())), max(1.0, float(rows.grades.max())))
        text = declare(choices, title=choices.name or output.name, a=run_a.name, b=run_b.name, scale=scale)
        pin(folder, files=files, manifests=manifests, declaration=text)
        progress("Checking what was written", 0.9)
        open_experiment(folder)
    sealed = [from_record(each) for manifest in manifests for each in manifest.repairs]
    return tuple([each for imported in files.values() for each in imported.repairs] + sealed)


@contextmanager
def _complete_or_not_at_all(output: Path) -> Iterator[Path]:
    """A folder to write an experiment into; it takes its place only when nothing went wrong."""
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=output.parent, prefix=".making-") as made:
            folder = Path(made) / "experiment"
            (folder / "receipts").mkdir(parents=True)
            yield folder
            shutil.move(folder, output)
    except OSError as error:
        raise InputError("the folder cannot be written", path=output, got=error.strerror or str(error)) from error


def from_record(record: Mapping[str, Any]) -> Repair:
    """A repair as a manifest keeps it."""
    return Repair(**{**record, "lines": tuple(record["lines"]), "topics": tuple(record["topics"])})


def _record(each: Repair) -> dict[str, Any]:
    return {**asdict(each), "lines": list(each.lines), "topics": list(each.topics)}


def _receipts(run: Run, topics: TopicSet, *, policy: str, limit: int | None) -> Iterator[dict[str, Any]]:
    lists = run.ordered.lists
    docs, scores = lists.docs.to_pylist(), lists.scores.tolist()
    for topic, start, end in zip(lists.topics, lists.offsets[:-1].tolist(), lists.offsets[1:].tolist(), strict=True):
        if topic in topics:
            results = [
                {"doc": doc, "score": None if score != score else score}
                for doc, score in zip(docs[start:end], scores[start:end], strict=True)
            ]
            yield receipt(topic, policy=policy, results=results, limit=limit)
    for topic in run.topics[len(lists.topics) :]:
        if topic in topics:
            yield receipt(topic, policy=policy, results=[], state="failed", limit=limit)


def _judged(rows: JudgmentRows) -> tuple[str, ...]:
    return tuple(rows.topics.unique().to_pylist())


def _met(rows: JudgmentRows, *runs: Run) -> dict[str, str]:
    texts: dict[str, str] = dict.fromkeys(_judged(rows), "")
    for run in runs:
        texts |= {topic: run.rows.topic_texts.get(topic, texts.get(topic, "")) for topic in run.topics}
    return texts


def _unpinned(ids: tuple[str, ...], topics: TopicSet, *, file: str) -> tuple[Repair, ...]:
    strangers = sorted(topic for topic in ids if topic not in topics)
    if not strangers:
        return ()
    message = f"{len(strangers)} topics are not pinned and were left out"
    return (repair("unpinned-topic", message, file=file, topics=strangers),)


def _silent(topics: TopicSet, rows: JudgmentRows, *runs: Run) -> Iterator[Repair]:
    """Pinned topics that a run did not answer or nobody judged: nothing to mend, but to be known."""
    said = [(run.file, set(run.topics), "have no answer here") for run in runs]
    for file, known, what in (*said, (rows.report.name, set(_judged(rows)), "have no judgment")):
        absent = [topic for topic in topics.ids if topic not in known]
        if absent:
            message = f"{len(absent)} of {len(topics)} pinned topics {what}"
            yield repair("silent-topics", message, file=file, topics=absent)


def _require_common(rows: JudgmentRows, *runs: Run) -> None:
    judged = _judged(rows)
    for run in runs:
        if not set(judged) & set(run.topics):
            raise _nothing_in_common(run.file, run.topics, rows.report.name, judged)


def _nothing_in_common(file: str, ids: tuple[str, ...], other: str, others: tuple[str, ...]) -> NothingExecuted:
    return NothingExecuted(
        f"0 of {len(ids)} topics of {file} are among the {len(others)} of {other}",
        expected=f"ids such as {', '.join(map(repr, others[:2]))}",
        got=", ".join(map(repr, ids[:2])),
        todo="Topic ids must be written in the same way in every file.",
    )
