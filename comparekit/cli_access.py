"""The command line of people: `comparekit assessor add`, `comparekit assessor list`."""

import os
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from comparekit.access import VARIABLE, Role, add_person, read_access
from comparekit.errors import InputError

app = typer.Typer(help="Who may judge, and by which link.", no_args_is_help=True)

AccessFile = Annotated[
    Path | None, typer.Option("--access", help=f"The access file; else the one that {VARIABLE} names.")
]


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="The person's name, as it stands beside their answers.")],
    role: Annotated[
        Role, typer.Option(help="assessor: judges blind; engineer: reads; owner: adjudicates.")
    ] = "assessor",
    access: AccessFile = None,
    login: Annotated[
        str | None, typer.Option(help="What the proxy or the login calls them, such as an address.")
    ] = None,
    site: Annotated[
        str | None, typer.Option(help="Where the dashboard is reached; else only the end of the link is told.")
    ] = None,
) -> None:
    """Add a person to the access file, made when there is none, and tell their link: once, it is kept nowhere."""
    path = _path(access)
    token = add_person(path, name, role=role, login=login)
    page = "judge" if role == "assessor" else ""
    typer.echo(f"{(site or '').rstrip('/')}/{page}?token={quote(token)}")
    typer.echo(f"Added {name} as {role} to {path}. The link is shown this once; give it to them alone.", err=True)
    if os.environ.get(VARIABLE) is None:
        typer.echo(f"Start the dashboard with {VARIABLE}={path.resolve()}", err=True)


@app.command("list")
def list_people(access: AccessFile = None) -> None:
    """Tell who is in the access file, and how each is known."""
    for person in read_access(_path(access)).people:
        known = [how for how, value in (("link", person.token), ("login", person.login)) if value]
        typer.echo(f"{person.name}\t{person.role}\t{', '.join(known) or 'cannot come in'}")


def _path(given: Path | None) -> Path:
    named = os.environ.get(VARIABLE)
    if given is None and not named:
        raise InputError("no access file is named", todo=f"Give --access FILE, or set {VARIABLE}.")
    return given if given is not None else Path(str(named))
