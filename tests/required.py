"""In required mode (COMPAREKIT_REQUIRED=1) a skipped test is a failed run: nothing is left out in silence."""

import os

import pytest

REQUIRED = os.environ.get("COMPAREKIT_REQUIRED") == "1"
_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    # A file that skips itself while it is read has no tests to report.
    if report.skipped:
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    # With nothing left to run pytest ends with 5, which is a failure already.
    if REQUIRED and _skipped and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if REQUIRED and _skipped:
        terminalreporter.write_line(f"required mode: skipped, which fails this run: {', '.join(_skipped)}")
