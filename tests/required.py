"""In required mode (COMPAREKIT_REQUIRED=1) a skipped test is a failed run: nothing is left out in silence."""

import os

import pytest

_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if os.environ.get("COMPAREKIT_REQUIRED") == "1" and _skipped and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("COMPAREKIT_REQUIRED") == "1" and _skipped:
        terminalreporter.write_line(f"required mode: {len(_skipped)} tests were skipped, which fails this run")
