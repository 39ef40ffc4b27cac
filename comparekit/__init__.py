"""
Did it get better? Compare two rankers topic by topic, on pinned and verified answers.

    >>> import comparekit
    >>> experiment = comparekit.open_experiment("fixtures/experiment")    # doctest: +SKIP
    >>> comparison = comparekit.compare(experiment)                       # doctest: +SKIP
    >>> print(comparison.result(comparison.target).verdict.sentence)      # doctest: +SKIP
"""

from comparekit.comparison import Comparison, compare
from comparekit.errors import (
    ComparekitError,
    DeclarationError,
    DigestMismatch,
    FormatError,
    InputError,
    LimitExceeded,
    MeasureError,
    NotComparable,
    NothingExecuted,
    RecordError,
)
from comparekit.evaluation import evaluation
from comparekit.experiment import Experiment, open_experiment, verify
from comparekit.inference import infer
from comparekit.measures import Measure, parse_measure
from comparekit.overlap import overlap, rank_biased_overlap
from comparekit.pinning import Choices
from comparekit.results import ALL, Result, Selection
from comparekit.sealing import init_experiment
from comparekit.version import VERSION as __version__

__all__ = [
    "ALL",
    "Choices",
    "ComparekitError",
    "Comparison",
    "DeclarationError",
    "DigestMismatch",
    "Experiment",
    "FormatError",
    "InputError",
    "LimitExceeded",
    "Measure",
    "MeasureError",
    "NotComparable",
    "NothingExecuted",
    "RecordError",
    "Result",
    "Selection",
    "__version__",
    "compare",
    "evaluation",
    "infer",
    "init_experiment",
    "open_experiment",
    "overlap",
    "parse_measure",
    "rank_biased_overlap",
    "verify",
]
