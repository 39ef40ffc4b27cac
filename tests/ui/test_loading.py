"""Opening an experiment: once, again when a file changes, and never kept after a failure."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from comparekit.comparison import Comparison, compare
from comparekit.errors import NotComparable
from comparekit.experiment import Experiment
from comparekit.ui.loading import FIXTURE, fingerprint
from tests.ui.conftest import PAGES, Opener, said


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURE, tmp_path / "experiment"))


def test_the_fingerprint_follows_every_file(copied: Path) -> None:
    before = fingerprint(copied)
    assert before == fingerprint(copied)
    os.utime(copied / "receipts" / "bm25.jsonl", ns=(1, 1))
    assert before != fingerprint(copied)


def test_a_changed_receipt_is_refused_with_file_and_line_and_the_page_recovers(open_page: Opener, copied: Path) -> None:
    path = copied / "receipts" / "bm25.jsonl"
    good = path.read_bytes()
    lines = good.split(b"\n")
    lines[2] = lines[2].replace(b'"score":', b'"score":1', 1)
    path.write_bytes(b"\n".join(lines))
    app = open_page("pages/topic.py", experiment=copied)
    assert not app.exception
    page = said(app)
    assert "bm25.jsonl, line 3" in page
    assert "<dt>Expected</dt><dd>sha256:" in page
    assert str(copied) not in page
    path.write_bytes(good)
    assert "<h1><bdi>" in said(open_page("pages/topic.py", experiment=copied))


def test_a_folder_without_an_experiment_says_what_to_do(open_page: Opener, tmp_path: Path) -> None:
    page = said(open_page("app.py", experiment=tmp_path))
    assert "There is no experiment here" in page
    assert "comparekit init" in page


def test_a_changed_topic_file_is_refused(open_page: Opener, copied: Path) -> None:
    other = copied / "topics.jsonl"
    other.write_bytes(other.read_bytes().replace(b"sourdough starter not rising", b"sourdough starter not risen", 1))
    assert "was changed after it was written" in said(open_page("app.py", experiment=copied)).lower()


def test_other_topics_are_refused_until_they_are_opened_as_exploratory_and_then_every_page_says_so(
    open_page: Opener, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparekit.ui.loading.compare", of_other_topics)
    app = open_page("app.py", experiment=copied)
    assert "answered other topics" in said(app)
    assert "Open as exploratory" in [link.proto.label for link in app.get("page_link")]
    for page in PAGES:
        assert "<strong>EXPLORATORY</strong>" in said(open_page(page, experiment=copied, exploratory="yes"))


def of_other_topics(experiment: Experiment, *, exploratory: bool = False) -> Comparison:
    """A comparison of sides that answered other topics."""
    if not exploratory:
        raise NotComparable("bm25 answered other topics than the experiment pins", todo="Open it as exploratory.")
    comparison = compare(experiment)
    comparison.comparability = replace(
        comparison.comparability, level="exploratory", sentence="Exploratory: other topics."
    )
    return comparison
