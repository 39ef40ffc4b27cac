"""The command line for answers: judgments mint, export, import, agreement; store verify, backup."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from comparekit.agreement import Agreement
from comparekit.assessors import agreements, grade_ratings, habits, preference_ratings
from comparekit.comparison import compare
from comparekit.events import Event
from comparekit.experiment import open_experiment
from comparekit.exports import grades_csv, history, preferences_csv, qrels, read_history, triples_csv
from comparekit.files import write_new
from comparekit.minted import FOLDER
from comparekit.minting import mint, minted_folder
from comparekit.preferences import experts
from comparekit.proportions import Proportion
from comparekit.records import read_data
from comparekit.settling import Rule
from comparekit.store import open_store

judgments = typer.Typer(
    help="Answers as judgments: mint a set, export, import, agreement.", no_args_is_help=True, rich_markup_mode=None
)
store = typer.Typer(help="The record of answers: verify it, back it up.", no_args_is_help=True, rich_markup_mode=None)

Folder = Annotated[Path, typer.Argument(help="An experiment's folder.")]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="The record: a file or a PostgreSQL URL; else COMPAREKIT_STORE, else yours."),
]
RuleOption = Annotated[Rule, typer.Option(help="How several people's grades make one.")]
GraderOption = Annotated[
    list[str] | None, typer.Option("--grader", help="Whose grades count; may be repeated; else everybody's.")
]

Kind = Literal["history", "qrels", "grades", "preferences", "triples"]


@judgments.command("mint")
def mint_command(
    folder: Folder,
    place: StoreOption = None,
    rule: RuleOption = "majority",
    grader: GraderOption = None,
    without_names: Annotated[bool, typer.Option("--without-names", help="Leave the graders' names out.")] = False,
    into_experiment: Annotated[
        bool, typer.Option("--into-experiment", help="Write into FOLDER/judgments instead of beside the record.")
    ] = False,
) -> None:
    """Make a new numbered judgment set from the pinned one and the recorded grades; nothing existing changes."""
    experiment = open_experiment(folder)
    with open_store(place, read_only=True) as record:
        events, head = record.events(), record.head
    made = mint(
        experiment,
        events,
        rule=rule,
        out=folder / FOLDER if into_experiment else minted_folder(experiment.declaration, place),
        graders=grader or None,
        named=not without_names,
        head=head,
        created_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    print(f"{made.name}: {made.counts['judgments']} judgments, digest {made.digest}")
    print(f"{made.counts['added']} added, {made.counts['replaced']} replaced, {made.counts['kept']} kept as they were")
    print(made.path)


@judgments.command("export")
def export_command(
    folder: Folder,
    place: StoreOption = None,
    what: Annotated[Kind, typer.Option("--what", help="What to export.")] = "history",
    rule: RuleOption = "majority",
    grader: GraderOption = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A new file; else the terminal.")] = None,
) -> None:
    """Export what was recorded: qrels under a rule, CSV of grades or preferences, triples, or the whole history."""
    events = _recorded(place)
    data = history(events) if what == "history" else _table(folder, events, what, rule, grader).encode()
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        write_new(output, data)


@judgments.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="A history that was exported here or elsewhere.")],
    place: StoreOption = None,
) -> None:
    """Record an exported history again; what is recorded already stays as it is."""
    events = read_history(read_data(file), path=file)
    with open_store(place) as record:
        before = {event.event_id for event in record.events()}
        added = sum(event.event_id not in before for event in record.append_all(events))
    print(f"{added} events recorded, {len(events) - added} were there already")


@judgments.command("agreement")
def agreement_command(folder: Folder, place: StoreOption = None) -> None:
    """How far the assessors agree, with the number of items behind each figure, and how each of them works."""
    comparison = compare(open_experiment(folder))
    events = _recorded(place)
    for title, ratings in (
        ("Preferences", preference_ratings(comparison, events)),
        ("Grades", grade_ratings(comparison, events)),
    ):
        print(title)
        for each in agreements(ratings):
            print(f"  {_agreement(each)}")
    panel = experts(comparison, events)
    print(
        f"Experts: {panel.all.wins} wins, {panel.all.ties} ties ({panel.unchanged} unchanged), "
        f"{panel.all.losses} losses, {panel.unresolved} unresolved, {panel.open} open"
    )
    for person in habits(events):
        print(
            f"{person.assessor}: {person.answers} answers, left {_share(person.left)}, "
            f"consistent {_share(person.consistent)}, {len(person.hasty)} unusually fast"
        )


@store.command("verify")
def verify_command(place: StoreOption = None) -> None:
    """Prove the record: its file, and the chain of digests over every event."""
    with open_store(place, read_only=True) as record:
        report = record.verify()
    print(f"{report.place}: {report.events} events, head {report.head[1]}")
    if report.clock_steps_back:
        print(f"the clock went back {report.clock_steps_back} times; the order of record is what counts")
    print("verified")


@store.command("backup")
def backup_command(
    output: Annotated[Path, typer.Argument(help="The file to make; an existing one is never replaced.")],
    place: StoreOption = None,
) -> None:
    """Copy the record to a new file while it may be in use."""
    with open_store(place, read_only=True) as record:
        report = record.backup(output)
    print(f"{report.place}: {report.events} events, head {report.head[1]}")


def _recorded(place: str | None) -> tuple[Event, ...]:
    with open_store(place, read_only=True) as record:
        return record.events()


def _table(folder: Path, events: Iterable[Event], what: Kind, rule: Rule, graders: list[str] | None) -> str:
    experiment = open_experiment(folder)
    if what == "qrels":
        return qrels(experiment, events, rule=rule, graders=graders or None)
    if what == "grades":
        return grades_csv(experiment, events)
    comparison = compare(experiment)
    return preferences_csv(comparison, events) if what == "preferences" else triples_csv(comparison, events)


def _agreement(each: Agreement) -> str:
    note = f"; {each.note}" if each.note else ""
    return f"{each.name}: {each.figure.text('.3f')} (n = {each.n} items, {each.answers} answers{note})"


def _share(found: Proportion) -> str:
    if found.low is None or found.high is None:
        return found.share.text(".2f")
    return f"{found.share.text('.2f')} [{found.low:.2f}, {found.high:.2f}] of {found.n}"
