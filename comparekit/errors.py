"""
What can go wrong, as one tree::

    ComparekitError
    ├── InputError                a file or a value is not what it should be
    │   ├── FormatError           a foreign file could not be read
    │   ├── LimitExceeded         larger, longer or deeper than allowed
    │   ├── RecordError           a pinned record is malformed
    │   │   └── DigestMismatch    a pinned file was changed after it was written
    │   ├── DeclarationError      experiment.toml says something impossible
    │   └── MeasureError          a measure's name or parameter is unknown
    ├── StoreError                the record of answers cannot be used
    │   ├── StoreCorrupt          it is damaged, or was changed by something else
    │   ├── StoreFull             there is no room to write
    │   ├── StoreReadOnly         it can be read and not written
    │   ├── StoreTooNew           a later version made it
    │   ├── StoreBusy             somebody else held it for too long
    │   └── EventConflict         another answer stands under this event's id
    ├── NotComparable             two receipt sets that must not be compared
    └── NothingExecuted           no topic was left to compare

A message has four parts: what happened, where, what was expected against what was found, and what to do.
"""

from pathlib import Path


class ComparekitError(Exception):
    """
    The root of every error this library raises on purpose.

    `exit_code` is what the command line ends with: 1 when an input is wrong or does not verify,
    2 when nothing could be compared.
    """

    exit_code = 1

    def __init__(
        self,
        what: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        expected: object = None,
        got: object = None,
        todo: str = "",
    ) -> None:
        self.what = what
        self.path = None if path is None else Path(path)
        self.line = line
        self.expected = expected
        self.got = got
        self.todo = todo
        super().__init__(self._message())

    @property
    def where(self) -> str:
        """`file:line`, as far as known; empty when the error is not about a file."""
        if self.path is None:
            return ""
        return str(self.path) if self.line is None else f"{self.path}:{self.line}"

    def _message(self) -> str:
        comparison = ""
        if self.expected is not None and self.got is not None:
            comparison = f": expected {self.expected}, got {self.got}"
        elif self.expected is not None:
            comparison = f": expected {self.expected}"
        elif self.got is not None:
            comparison = f": got {self.got}"
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.todo}" if self.todo else ""
        return f"{place}{self.what}{comparison}.{advice}"


class InputError(ComparekitError):
    """A file or a value is not what it should be."""


class FormatError(InputError):
    """A foreign file could not be read."""


class LimitExceeded(InputError):
    """Something is larger, longer or deeper than allowed."""


class RecordError(InputError):
    """A pinned record is malformed."""


class DigestMismatch(RecordError):
    """A pinned file was changed after it was written."""


class DeclarationError(InputError):
    """The declaration of an experiment is incomplete or contradicts itself."""


class MeasureError(InputError):
    """The name or a parameter of a measure is unknown."""


class StoreError(ComparekitError):
    """The record of answers cannot be used; nothing that was recorded is lost."""


class StoreCorrupt(StoreError):
    """The record is damaged, or something other than this program changed it."""


class StoreFull(StoreError):
    """There is no room to write; nothing was recorded."""


class StoreReadOnly(StoreError):
    """The record can be read and not written."""


class StoreTooNew(StoreError):
    """A later version of the program made the record; it was left alone."""


class StoreBusy(StoreError):
    """Somebody else held the record for too long; nothing was recorded."""


class EventConflict(StoreError):
    """Another answer is recorded under the event's id; it stands."""


class NotComparable(ComparekitError):
    """Two receipt sets that must not be compared."""

    exit_code = 2


class NothingExecuted(ComparekitError):
    """No topic was left to compare, so there is no result."""

    exit_code = 2
