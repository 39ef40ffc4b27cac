"""Places for a record: a file and a PostgreSQL database, and disks that are small or cannot be written."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.pool import NullPool

ROOT = Path(__file__).parents[2]
REQUIRED = os.environ.get("COMPAREKIT_REQUIRED") == "1"
_numbers = count(1)

Mount = Callable[[str], bool]


def lacking(reason: str) -> None:
    """Skip loudly; fail where nothing may be left out."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def helper(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run .ci/postgres."""
    command = ["sh", str(ROOT / ".ci" / "postgres"), *arguments]
    return subprocess.run(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=300
    )


@pytest.fixture(scope="session")
def memory() -> Iterator[Path]:
    """A folder in memory where there is one: what is measured is the program, not the disk."""
    room = Path("/dev/shm")
    roomy = room.is_dir() and os.access(room, os.W_OK) and shutil.disk_usage(room).free > 1 << 30
    folder = Path(tempfile.mkdtemp(prefix="comparekit-", dir=room if roomy else None))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A PostgreSQL of our own in a folder; yields its URL."""
    try:
        started = helper("start", str(folder))
        if started.returncode != 0:
            lacking("PostgreSQL cannot be started: sh .ci/postgres install")
        yield started.stdout.strip()
    finally:
        if folder.exists():
            helper("stop", str(folder))


@pytest.fixture(scope="session")
def server(memory: Path) -> Iterator[str]:
    """The URL of a PostgreSQL server in which databases and roles may be made: COMPAREKIT_POSTGRES, else our own."""
    pytest.importorskip("psycopg", reason="pip install -r requirements-postgres.txt")
    given = os.environ.get("COMPAREKIT_POSTGRES")
    if given:
        yield given
        return
    with cluster(memory / "postgres") as url:
        yield url


def run_sql(address: str, *statements: str) -> None:
    """Run statements outside of transactions."""
    url = make_url(address).set(drivername="postgresql+psycopg")
    engine = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))


@contextmanager
def database(server: str) -> Iterator[str]:
    """An empty database that belongs to a role without further rights; yields its URL."""
    name = f"comparekit_{os.getpid()}_{next(_numbers)}"
    run_sql(
        server,
        f"CREATE ROLE {name} LOGIN PASSWORD 'a secret word'",
        f"CREATE DATABASE {name} OWNER {name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
    )
    try:
        url = make_url(server).set(username=name, password="a secret word", database=name)
        yield url.render_as_string(hide_password=False)
    finally:
        run_sql(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"DROP ROLE IF EXISTS {name}")


@pytest.fixture
def postgres(server: str) -> Iterator[str]:
    """The URL of an empty database."""
    with database(server) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, memory: Path) -> Iterator[str]:
    """Where a new record may be made, once as a file and once as a database."""
    if request.param == "postgresql":
        yield request.getfixturevalue("postgres")
        return
    folder = memory / f"store-{next(_numbers)}"
    folder.mkdir()
    yield str(folder / "judgments.sqlite")
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, Mount]]:
    """A disk of 512 KiB of its own, and a function that mounts it again with other options, such as "ro"."""
    if os.geteuid() != 0:
        lacking("a small disk can only be mounted as root")
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*options: str) -> bool:
        return subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0

    if not mount("-t", "tmpfs", "-o", "size=512k,mode=755", "tmpfs", str(folder)):
        lacking("no disk can be mounted here")
    try:
        yield folder, lambda how: mount("-o", f"remount,{how}", str(folder))
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
