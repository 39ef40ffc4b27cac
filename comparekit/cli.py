"""The command line: init, seal, verify, compare, open."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from comparekit import cli_access, cli_judgments, console
from comparekit.comparison import Comparison, compare
from comparekit.declaration import DEFAULT_MEASURES, FILE, Missing, read_declaration
from comparekit.errors import ComparekitError, InputError, NothingExecuted
from comparekit.evaluation import evaluation_json
from comparekit.experiment import open_experiment, pinned_topics
from comparekit.experiment import verify as verify_folder
from comparekit.grading import Conflict
from comparekit.judgments import PINNED
from comparekit.measures import parse_measure
from comparekit.minting import minted_folder
from comparekit.ordering import Order
from comparekit.pinning import Choices
from comparekit.records import Progress as Told
from comparekit.sealing import from_record, init_experiment, load_run
from comparekit.sealing import seal as seal_run
from comparekit.tabular import to_csv

ROOT = Path(__file__).parents[1]

app = typer.Typer(
    help="Did it get better? Compare two rankers topic by topic, on pinned and verified answers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
_err = Console(stderr=True, markup=False, highlight=False)

app.add_typer(cli_judgments.judgments, name="judgments")
app.add_typer(cli_judgments.store, name="store")
app.add_typer(cli_access.app, name="assessor")

RunFile = Annotated[Path, typer.Argument(help="A run: TREC, CSV or TSV with named columns, or JSONL; gzipped or not.")]
OrderOption = Annotated[
    Order,
    typer.Option(
        help="How a run's rows become a ranking: by score (then id), as trec_eval does, or by the rank column."
    ),
]


def main() -> None:
    """Run the command line; every refusal is one sentence and an exit code."""
    try:
        app()
    except ComparekitError as error:
        _err.print(f"comparekit: {error}", style="red", soft_wrap=True)
        sys.exit(error.exit_code)


@app.command()
def init(
    a: Annotated[Path, typer.Option("--a", help="The baseline's run.")],
    b: Annotated[Path, typer.Option("--b", help="The candidate's run.")],
    qrels: Annotated[Path, typer.Option(help="The judgments: TREC qrels, BEIR TSV or CSV.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make.")],
    topics: Annotated[Path | None, typer.Option(help="The topics: TSV, CSV, JSONL, BEIR, TREC XML or SMART.")] = None,
    documents: Annotated[Path | None, typer.Option(help="The documents' texts: JSONL or BEIR corpus.")] = None,
    strata: Annotated[Path | None, typer.Option(help="A table of topics and their strata, with a header.")] = None,
    order: OrderOption = "score",
    target: Annotated[str, typer.Option(help="The measure that decides.")] = "nDCG@10",
    smallest_effect: Annotated[float, typer.Option(help="The smallest mean difference that matters.")] = 0.01,
    measure: Annotated[list[str] | None, typer.Option(help="A measure to show; may be repeated.")] = None,
    conflict: Annotated[
        Conflict, typer.Option(help="Which grade holds where one document was graded differently.")
    ] = "refuse",
    missing: Annotated[Missing, typer.Option(help="What a topic without an answer is.")] = "undeclared",
    relevant_from: Annotated[float, typer.Option(help="The grade from which a document is marked relevant.")] = 1.0,
    name: Annotated[str | None, typer.Option(help="The experiment's name; else the folder's.")] = None,
    name_a: Annotated[str | None, typer.Option(help="The baseline's name; else the file's.")] = None,
    name_b: Annotated[str | None, typer.Option(help="The candidate's name; else the file's.")] = None,
    policy_a: Annotated[Path | None, typer.Option(help="The baseline's policy, TOML or JSON.")] = None,
    policy_b: Annotated[Path | None, typer.Option(help="The candidate's policy, TOML or JSON.")] = None,
) -> None:
    """Make a whole experiment folder from two runs and judgments, every choice spelled out in experiment.toml."""
    choices = Choices(
        order=order,
        conflict=conflict,
        missing=missing,
        target=target,
        smallest_effect=smallest_effect,
        measures=tuple(measure or DEFAULT_MEASURES),
        relevant_from=relevant_from,
        name=name,
        name_a=name_a,
        name_b=name_b,
        policy_a=_policy(policy_a),
        policy_b=_policy(policy_b),
    )
    for each in (target, *choices.measures):
        parse_measure(each)
    with _telling() as told:
        repairs = init_experiment(
            output,
            a=a,
            b=b,
            qrels=qrels,
            topics=topics,
            documents=documents,
            strata=strata,
            choices=choices,
            progress=told,
        )
    console.print_repairs(_err, repairs)
    _err.print(f"Made {output}. Read {output / FILE}, then: comparekit compare {output}", soft_wrap=True)


@app.command()
def seal(
    run: RunFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="FOLDER/receipts/NAME in an experiment's folder.")],
    order: OrderOption = "score",
    policy: Annotated[Path | None, typer.Option(help="The ranker's policy, TOML or JSON.")] = None,
) -> None:
    """Seal one more run as a receipt set of an experiment."""
    folder = output.parent.parent
    if output.parent.name != "receipts":
        raise InputError(
            "not a place for receipts", path=output, expected="FOLDER/receipts/NAME", todo="Name one in an experiment."
        )
    topics = pinned_topics(folder)
    with _telling() as told:
        told(f"Reading {run.name}", 0.0)
        loaded = load_run(run, order=order, name=output.name)
        told(f"Sealing {output.name}", 0.5)
        manifest = seal_run(loaded, output.parent, topics=topics, policy=_policy(policy))
    console.print_repairs(_err, map(from_record, manifest.repairs))
    _err.print(
        f"Sealed {manifest.receipts.count} receipts as {output.name}, digest {manifest.receipts.digest}", soft_wrap=True
    )


@app.command()
def verify(folder: Annotated[Path, typer.Argument(help="An experiment's folder.")]) -> None:
    """Hash everything again and prove every line; ends at the first mismatch with file, line, expected and got."""
    with _telling() as told:
        report = verify_folder(folder, progress=told)
    for line in report:
        print(line)
    print("verified")


@app.command("compare")
def compare_command(
    folder: Annotated[Path, typer.Argument(help="An experiment's folder.")],
    measure: Annotated[
        list[str] | None, typer.Option(help="A measure instead of the declared ones; may be repeated.")
    ] = None,
    judgments: Annotated[str, typer.Option(help="The judgment set to evaluate under.")] = PINNED,
    format: Annotated[
        Literal["text", "json", "csv"], typer.Option(help="For people, the evaluation receipt, or per-topic figures.")
    ] = "text",
    a: Annotated[str | None, typer.Option("--a", help="Another receipt set as the baseline.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="Another receipt set as the candidate.")] = None,
    exploratory: Annotated[
        bool, typer.Option("--exploratory", help="Compare although the topics differ; marked everywhere.")
    ] = False,
) -> None:
    """Compare baseline and candidate, and say whether it got better."""
    with _telling() as told:
        minted = None if judgments == PINNED else minted_folder(read_declaration(folder / FILE))
        experiment = open_experiment(folder, a=a, b=b, judgments=judgments, minted=minted, progress=told)
        told("Comparing", 0.9)
        comparison = compare(experiment, a=a, b=b, exploratory=exploratory)
        measures = tuple(map(parse_measure, measure)) if measure else comparison.measures
        text = _rendered(comparison, measures, format)
    if format == "text":
        console.print_comparison(_out(), comparison, measures)
    else:
        sys.stdout.write(text)
    if not comparison.result(comparison.target).inference.n:
        raise NothingExecuted(
            f"no topic can be compared on {comparison.target}",
            expected="topics answered by both with a relevant judgment",
        )


@app.command("open")
def open_command(
    folder: Annotated[
        Path | None, typer.Argument(help="An experiment's folder; without one, drop files on the page.")
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on, on this machine only.")] = 8501,
) -> None:
    """Open the dashboard on a folder."""
    if folder is not None:
        read_declaration(folder / FILE)
    page = ROOT / "app.py"
    if not page.exists():
        raise InputError(
            "the dashboard's pages are not beside the package",
            path=page,
            todo="Run from a checkout, or install it with pip install -e .",
        )
    environment = {**os.environ, "COMPAREKIT_EXPERIMENT": str(folder.resolve()) if folder else ""}
    command = [sys.executable, "-m", "streamlit", "run", str(page), "--server.port", str(port)]
    raise typer.Exit(subprocess.call(command, cwd=ROOT, env=environment))


def _rendered(comparison: Comparison, measures: tuple[Any, ...], format: str) -> str:
    if format == "json":
        return evaluation_json(comparison, measures)
    return to_csv(comparison, measures) if format == "csv" else ""


def _out() -> Console:
    # A pipe has no width; tables cut to 80 columns would hide figures.
    return Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 140)


def _policy(path: Path | None) -> Mapping[str, Any] | None:
    if path is None:
        return None
    try:
        text = path.read_text("utf-8")
        policy = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"not a policy ({error})", path=path, expected="a TOML or JSON file") from error
    if not isinstance(policy, dict):
        raise InputError("not a policy", path=path, expected="an object")
    return policy


@contextmanager
def _telling() -> Iterator[Told]:
    """A progress bar on the terminal's error stream; silent where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, share: bar.update(task, description=what, completed=share)
