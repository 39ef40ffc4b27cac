"""Tests of `benchmarks`: that the work is what it says; no time is asserted."""

from pathlib import Path

import pytest

pytest.importorskip("ranx")

from benchmarks.__main__ import described, interleaved, require_agreement
from benchmarks.data import Size, generate
from benchmarks.measuring import TASKS, Measured, measure

SIZE = Size(topics=3, depth=20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("work")
    generate(made, SIZE)
    return made


def test_the_same_size_makes_the_same_work(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path, SIZE)
    for name in ("a.run", "b.run", "qrels.txt"):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes()


def test_a_run_has_every_topic_in_full_depth(folder: Path) -> None:
    lines = (folder / "a.run").read_text().splitlines()
    assert SIZE.topics * SIZE.depth == len(lines)
    assert SIZE.topics == len({line.split()[0] for line in lines})


@pytest.mark.parametrize("tool", ["pytrec_eval", "ir_measures"])
def test_tools_compute_the_same_end_to_end(tool: str, folder: Path) -> None:
    ours, theirs = (measure("end to end", name, folder).figure for name in ("comparekit", tool))
    assert theirs == pytest.approx(ours, abs=1e-9)


def test_tools_compute_the_same_overlap(folder: Path) -> None:
    pytest.importorskip("rbo")
    ours, theirs = (measure("overlap", name, folder).figure for name in ("comparekit", "rbo"))
    assert theirs == pytest.approx(ours, abs=1e-9)


def test_a_measurement_runs_in_a_process_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TASKS, "end to end", {"comparekit": TASKS["end to end"]["comparekit"]})
    table = interleaved("end to end", folder, 1)
    assert table["comparekit"][0].figure == pytest.approx(measure("end to end", "comparekit", folder).figure)


def test_tools_that_disagree_are_not_compared() -> None:
    found = {"comparekit": [Measured(1.0, 1, 10.0)], "other": [Measured(0.1, 1, 9.0)]}
    with pytest.raises(SystemExit, match="the tools disagree on what they computed"):
        require_agreement(found)


def test_the_table_gives_ratios_of_medians() -> None:
    table = {
        "comparekit": [Measured(2.0, 100, 1.0), Measured(1.0, 100, 1.0), Measured(3.0, 100, 1.0)],
        "other": [Measured(8.0, 50, 1.0), Measured(9.0, 50, 1.0), Measured(2.0, 50, 1.0)],
    }
    text = described({("end to end", SIZE): table}, 3)
    assert "| end to end | 3 topics x 20 results | comparekit | 1.0 | 1.0 |" in text
    assert "| end to end | 3 topics x 20 results | other | 4.0 | 0.5 |" in text
