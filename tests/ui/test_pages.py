"""Every page on the shipped experiment, opened as a deep link."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from comparekit.comparison import Comparison
from comparekit.sealing import init_experiment
from tests.ui.conftest import PAGES, Opener, asked, said, told


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_by_itself_and_names_experiment_sides_and_receipt(
    open_page: Opener, page: str, shipped: Comparison
) -> None:
    app = open_page(page)
    assert not app.exception
    head = said(app)
    for text in (shipped.experiment.declaration.name, shipped.a_name, shipped.b_name, "evaluation <code"):
        assert text in head
    assert 1 == head.count("<h1")


def test_overview_opens_with_the_verdict(open_page: Opener, shipped: Comparison) -> None:
    verdict = shipped.result(shipped.target).verdict
    assert verdict is not None
    title, _, rest = verdict.sentence.partition(": ")
    page = said(open_page("app.py"))
    assert f"<h1>{title}</h1>" in page
    assert rest in page


def test_what_differs_is_named_before_any_number(open_page: Opener) -> None:
    page = said(open_page("app.py"))
    assert page.index("Same pinned topics, same documents.") < page.index("expansion.synonyms") < page.index("<h1")


def test_overview_counts_wins_ties_losses_and_what_is_not_comparable_in_words(
    open_page: Opener, shipped: Comparison
) -> None:
    paired = shipped.result(shipped.target).paired
    words = f"{paired.wins} wins, {paired.ties} ties, {paired.losses} losses, {paired.not_comparable} not comparable"
    assert words in said(open_page("app.py"))


def test_the_tails_lead_to_their_topics(open_page: Opener, shipped: Comparison) -> None:
    table = told(open_page("app.py", measure="AP"), "topics")
    losses = table["groups"][0]["rows"]
    result = shipped.result(next(measure for measure in shipped.measures if str(measure) == "AP"))
    worst = shipped.experiment.topics.ids[result.positions[result.tails.worst[0]]]
    assert worst == losses[0]["topic"]
    assert {"measure": ["AP"], "topic": [worst]} == parse_qs(urlsplit(losses[0]["href"]).query)


def test_every_declared_measure_and_every_stratum_is_in_a_table(open_page: Opener, shipped: Comparison) -> None:
    page = said(open_page("app.py"))
    assert all(f">{measure}</span>" in page.replace("&#x27;", "'") for measure in shipped.measures)
    assert all(f"<bdi>{row.label}</bdi>" in page for row in shipped.strata(shipped.target).rows)


def test_a_link_with_a_stratum_opens_what_its_sender_saw(open_page: Opener) -> None:
    app = open_page("app.py", measure="AP", stratum="length", value="short")
    page = said(app)
    assert "length = short" in page
    assert "Not the declared target" in page
    assert ["AP", ("length", "short")] == [box.value for box in app.selectbox]


def test_choosing_a_measure_changes_the_address(open_page: Opener) -> None:
    app = open_page("app.py")
    app.selectbox[0].set_value("AP").run()
    assert "AP" == asked(app, "measure")
    assert "AP" in said(app)


def test_choosing_all_topics_takes_the_stratum_out_of_the_address(open_page: Opener) -> None:
    app = open_page("app.py", stratum="length", value="short")
    app.selectbox[1].set_value(()).run()
    assert "stratum" not in app.query_params
    assert "value" not in app.query_params


def test_what_an_address_cannot_mean_is_told_once_and_replaced(open_page: Opener) -> None:
    page = said(open_page("app.py", measure="nDCCG@10", stratum="size", value="big", split="nope"))
    assert 1 == page.count("The measure “nDCCG@10” is not known")
    assert 1 == page.count("No topic has the stratum “size = big”")
    assert 1 == page.count("There is no open split “nope”")
    assert "on nDCG@10" in page


def test_while_missing_topics_are_undeclared_the_figure_is_shown_both_ways(open_page: Opener, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("".join(f"{topic} Q0 d1 1 1.0 a\n" for topic in range(8)))
    (tmp_path / "b.run").write_text("".join(f"{topic} Q0 d{topic % 2} 1 1.0 b\n" for topic in range(1, 8)))
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d1 1\n" for topic in range(8)))
    a, b, qrels = (tmp_path / name for name in ("a.run", "b.run", "qrels.txt"))
    init_experiment(tmp_path / "experiment", a=a, b=b, qrels=qrels)
    page = said(open_page("app.py", experiment=tmp_path / "experiment"))
    # By hand: B loses 1.0 on three of seven topics it answered, and on one more when the missing one counts.
    assert "Without them the change is −0.429; with them as empty answers it is −0.500" in page
    assert "B is missing (1)" in page
    assert 1 == page.count("Provisional")


def test_changed_prints_variant_persistence_and_depth(open_page: Opener, shipped: Comparison) -> None:
    page = said(open_page("pages/changed.py"))
    changed = int((shipped.overlap.changed[shipped.depth] & shipped.open_topics).sum())
    answered = int((shipped.overlap.answered & shipped.open_topics).sum())
    assert f"<h1>{changed} of {answered} lists changed</h1>" in page
    assert "1 topic has no answer on a side" in page
    assert "p = 0.9" in page
    assert "depth 20" in page
    assert "Webber, Moffat" in page


def test_changed_lists_are_told_in_a_line_and_unchanged_ones_folded_away(
    open_page: Opener, shipped: Comparison
) -> None:
    app = open_page("pages/changed.py")
    rows = told(app, "topics")["groups"][0]["rows"]
    stories = dict(zip(shipped.experiment.topics.ids, shipped.stories, strict=True))
    assert all(row["story"] == stories[row["topic"]] for row in rows if row["delta"] != "–")
    assert "unchanged in the top 20" in said(app)


def test_topic_shows_both_lists_as_they_stand(open_page: Opener, shipped: Comparison) -> None:
    view = shipped.topic("t02", depth=10)
    lists = told(open_page("pages/topic.py", topic="t02"), "lists")
    assert [row.doc for row in view.rows_a] == [row["doc"] for row in lists["a"]["results"]]
    assert [row.doc for row in view.rows_b] == [row["doc"] for row in lists["b"]["results"]]


def test_next_and_previous_step_through_the_filtered_topics(open_page: Opener) -> None:
    app = open_page("pages/topic.py", order="id", stratum="area", value="bread")
    assert "t01" == app.selectbox(key="topic-choice").value
    app.button(key="step-Next").click().run()
    assert "t02" == asked(app, "topic")
    app.button(key="step-Previous").click().run()
    assert "t01" == asked(app, "topic")
    assert app.button(key="step-Previous").disabled


def test_words_in_the_address_limit_the_topics_that_are_stepped_through(open_page: Opener) -> None:
    app = open_page("pages/topic.py", find="bread", order="id")
    assert "that hold “bread”" in said(app)
    assert all("bread" in label.lower() for label in app.selectbox(key="topic-choice").options)
    assert "No topic holds the words" in said(open_page("pages/topic.py", find="kettle of fish"))


def test_an_unknown_topic_is_told_and_a_held_out_one_stays_closed(open_page: Opener, shipped: Comparison) -> None:
    assert "There is no topic “nope”" in said(open_page("pages/topic.py", topic="nope"))
    held = next(topic for topic in shipped.experiment.topics.topics if topic.split == "held-out")
    page = said(open_page("pages/topic.py", topic=held.id))
    assert "This topic is held out" in page
    assert held.text not in page


@pytest.mark.parametrize(("topic", "side", "word"), [("t13", "a", "Empty"), ("t47", "b", "Failed")])
def test_a_side_without_an_answer_says_so(open_page: Opener, topic: str, side: str, word: str) -> None:
    lists = told(open_page("pages/topic.py", topic=topic), "lists")
    assert lists[side]["notice"].startswith(word)
    assert [] == lists[side]["results"]
    assert lists["comparable"] is (word == "Empty")


def test_evidence_lays_policies_side_by_side_and_counts_what_ran(open_page: Opener, shipped: Comparison) -> None:
    page = said(open_page("pages/evidence.py"))
    assert all(f">{field.name}</bdi>" in page for field in shipped.comparability.fields)
    assert "48 topics, 36 open, 12 held out" in page
    assert "10,000 resamples, seed 20100301" in page
    assert "comparekit verify experiment" in page


def test_evidence_proves_every_line_again_on_request(open_page: Opener) -> None:
    app = open_page("pages/evidence.py")
    app.button[0].click().run()
    assert "topics.jsonl: 48 lines" in said(app)


def test_without_an_experiment_the_door_is_open(open_page: Opener) -> None:
    app = open_page("pages/changed.py", experiment=None)
    assert not app.exception
    assert "<h1>Compare your own files</h1>" in said(app)


def test_a_link_to_files_that_are_gone_says_so(open_page: Opener) -> None:
    app = open_page("app.py", upload="no-such-token")
    assert not app.exception
    assert "no longer kept" in said(app)
