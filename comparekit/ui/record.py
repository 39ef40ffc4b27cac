"""What a comparison rests on, laid out: files and digests, repairs, policies, rules, counts and versions."""

from collections.abc import Iterable, Mapping
from typing import Any

from comparekit.comparison import Comparison
from comparekit.experiment import Experiment
from comparekit.receipts import ReceiptSet
from comparekit.sealing import from_record
from comparekit.ui.frame import repairs_list, value
from comparekit.ui.loading import Loaded
from comparekit.ui.tables import table
from comparekit.ui.text import Html, count, hidden, ident, join, prose, short, tag, visible

_STATUS = {"same": ("=", "same"), "differs": ("≠", "differs"), "not recorded": ("?", "not recorded")}


def verified(loaded: Loaded) -> Html:
    """The sentence this page opens with: what was proved before anything was shown."""
    experiment = loaded.comparison.experiment
    whole = len(experiment.sources) + len(experiment.receipts)
    loose = (
        [tag("p", "Not pinned by the declaration: ", *(ident(name) for name in experiment.unpinned), class_="ck-note")]
        if experiment.unpinned
        else []
    )
    return tag(
        "section",
        tag("h1", f"{count(whole, 'file')} verified, byte for byte"),
        tag(
            "p",
            "Every file was hashed when it was opened, and is what was pinned. A file that differs would not be shown.",
            class_="ck-lead",
        ),
        *loose,
        class_="ck-headline",
    )


def files(experiment: Experiment) -> Html:
    """Every pinned file with its digest, and the file it was made from."""
    rows = [_file(name, source.pinned, source.origin) for name, source in experiment.sources.items()]
    rows += [
        _file(f"receipts/{name}", each.manifest.receipts, each.manifest.source)
        for name, each in experiment.receipts.items()
    ]
    return table("Pinned files", ("File", "Made from", "SHA-256", "Lines"), rows, words=3)


def repairs(experiment: Experiment) -> Html:
    """What was set right when the files were sealed, file by file."""
    found = [from_record(dict(each)) for each in _repair_records(experiment)]
    return repairs_list(found) if found else tag("p", "Nothing had to be repaired.", class_="ck-muted")


def policies(comparison: Comparison) -> Html:
    """Both policies value by value; what differs comes first."""
    fields = sorted(comparison.comparability.fields, key=lambda each: list(_STATUS).index(each.status) != 1)
    rows = [
        (tag("span", prose(visible(each.name)), class_="ck-key"), _status(each.status), value(each.a), value(each.b))
        for each in fields
    ]
    sides = (tag("span", "A, ", prose(comparison.a_name)), tag("span", "B, ", prose(comparison.b_name)))
    columns = ("Field", hidden("Status"), *sides)
    return table("Policies side by side", columns, rows, words=4)


def counts(body: Mapping[str, Any]) -> Html:
    """How much was looked at: zero work is never a pass."""
    found = body["counts"]
    states = {
        side: ", ".join(f"{amount:,} {state}" for state, amount in found["states"][side].items() if amount)
        for side in ("a", "b")
    }
    rows = [
        ("Topics", f"{count(found['topics'], 'topic')}, {found['open']:,} open, {found['held_out']:,} held out"),
        ("Answers of A", states["a"] or "none"),
        ("Answers of B", states["b"] or "none"),
        ("Judgments", f"{count(found['judgment_rows'], 'row')} on {count(found['judged_documents'], 'document')}"),
        ("Grades", ", ".join(f"{amount:,} × {grade}" for grade, amount in sorted(found["grades"].items())) or "none"),
        ("Topics without judgments", f"{found['without_judgments']:,}"),
        ("Unjudged in the first ten", f"{found['holes']['a']:,} of A, {found['holes']['b']:,} of B"),
        ("Documents in both lists", f"{found['shared_documents']:,}"),
        ("Strata", ", ".join(f"{visible(name)} ({values:,})" for name, values in found["strata"].items()) or "none"),
        ("Measures", f"{found['measures']:,}"),
    ]
    return table("Counts of what ran", ("What", "How much"), rows, words=2)


def rules(body: Mapping[str, Any]) -> Html:
    """The rules that every figure follows, as they were declared."""
    found, overlap = body["rules"], body["rules"]["overlap"]
    rows = [
        (
            "Target",
            f"{found['target']['measure']}, smallest difference that matters {found['target']['smallest_effect']:g}",
        ),
        *(
            (f"Guard {guard['measure']}", f"tolerance {guard['tolerance']:g}; against {guard['against']}")
            for guard in found["guards"]
        ),
        ("Delta", found["delta"]),
        ("Tie band", f"{found['tie_band']:g}"),
        (
            "Relevant from",
            f"grade {found['relevant_from']:g}"
            + (f" of {found['scale'][0]:g} to {found['scale'][1]:g}" if found["scale"] else ""),
        ),
        ("Conflicting grades", found["conflict"]),
        ("A topic without a receipt", found["missing"]),
        ("A topic without relevant judgments", found["without_relevant"]),
        ("Unjudged documents", found["unjudged"]),
        ("Order", found["order"]),
        (
            "Overlap",
            f"{overlap['variant']}, p = {overlap['p']:g}, depth {overlap['depth']:,} ({overlap['depth_rule']})",
        ),
        ("Resampling", f"{found['resamples']:,} resamples, seed {found['seed']}"),
    ]
    return table("Rules", ("Rule", "As declared"), rows, words=2)


def environment(receipt: Mapping[str, Any]) -> Html:
    """Versions, and how often the overlap agreed with its independent witness; beside the digest, not in it."""
    found, parity = receipt["environment"], receipt["environment"]["rbo_parity"]
    agreed = f"{parity['agreed']:,} of {count(parity['checked'], 'topic')} agree (seed {parity['seed']})"
    rows = [
        ("Agreement with the rbo package", parity["reason"] or agreed),
        ("comparekit", found["comparekit"]),
        ("Python", found["python"]),
        *((name, version or "not installed") for name, version in found["packages"].items()),
    ]
    return table("Environment", ("What", "Found"), rows, words=2)


def digests(receipt: Mapping[str, Any]) -> Html:
    """The digests that identify this comparison, in full."""
    inputs = receipt["body"]["inputs"]
    rows = [
        ("Evaluation receipt", receipt["digest"]),
        ("Declaration", inputs["declaration"]),
        ("Topics (ids and texts)", inputs["topics"]),
        ("Judgment set", inputs["judgments"]["digest"]),
        *((f"Receipts of {side.upper()}", inputs["receipts"][side]["receipts"]) for side in ("a", "b")),
        *((f"Policy of {side.upper()}", inputs["receipts"][side]["policy"]) for side in ("a", "b")),
    ]
    return table(
        "Digests",
        ("Of", "SHA-256"),
        [(name, tag("code", digest, class_="ck-digest")) for name, digest in rows],
        words=2,
    )


def assessors(experiment: Experiment) -> Html:
    """Who judged, and from which source, with the number of rows of each."""
    judged = experiment.judgments
    parts = [f"{visible(name)} ({rows:,})" for name, rows in (*judged.assessors.items(), *judged.sources.items())]
    return tag(
        "p",
        "Judgment set ",
        ident(judged.name),
        ": ",
        prose(", ".join(parts) or "no assessor is recorded"),
        ".",
        class_="ck-muted",
    )


def sentences(report: Iterable[str]) -> Html:
    """The lines of a verification."""
    return tag("ul", *(tag("li", visible(line)) for line in report), class_="ck-repairs")


def commands(folder: str) -> Html:
    """How to get the same figures without this page."""
    lines = (
        f"comparekit verify {folder}",
        f"comparekit compare {folder}",
        f"comparekit compare {folder} --format json",
        f"comparekit compare {folder} --format csv",
    )
    return tag("pre", tag("code", "\n".join(map(visible, lines))), class_="ck-code", tabindex="0")


def _file(name: str, pinned: Any, origin: Mapping[str, Any] | None) -> tuple[object, ...]:
    made = (
        "–"
        if origin is None
        else join(
            tag("span", prose(visible(str(origin["name"])))),
            tag("span", f" {origin['format']}, {short(str(origin['digest']))}", class_="ck-muted"),
        )
    )
    return ident(name), made, tag("code", short(pinned.digest), title=pinned.digest), f"{pinned.count:,}"


def _repair_records(experiment: Experiment) -> list[Mapping[str, Any]]:
    pinned = [each for source in experiment.sources.values() for each in source.repairs]
    sets: Iterable[ReceiptSet] = experiment.receipts.values()
    return pinned + [each for found in sets for each in found.manifest.repairs]


def _status(status: str) -> Html:
    sign, word = _STATUS[status]
    return tag(
        "span", tag("span", sign, aria_hidden="true"), f" {word}", class_=f"ck-status ck-{word.replace(' ', '-')}"
    )
