"""The evaluation receipt: what was compared, by which rules, how much of it ran, and what came out."""

import json
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from comparekit.canonical import digest_of
from comparekit.comparison import Comparison
from comparekit.figures import Figure
from comparekit.inference import Inference
from comparekit.judgments import grade_counts
from comparekit.measures import Measure
from comparekit.overlap import VARIANT
from comparekit.receipts import ReceiptSet
from comparekit.results import ALL, Result
from comparekit.significance import PairedTest
from comparekit.states import STATES
from comparekit.version import VERSION

SCHEMA = "comparekit.evaluation.v1"
PACKAGES = ("numpy", "scipy", "pyarrow", "rfc8785", "orjson", "rbo")
SHOWN_TOP = 10


def evaluation(comparison: Comparison, measures: Iterable[Measure] | None = None) -> dict[str, Any]:
    """
    The evaluation receipt of a comparison: a digested `body`, its `digest`, and the `environment` beside it.

    Equal inputs under equal rules give an equal body, whatever machine it ran on.
    """
    chosen = tuple(measures) if measures is not None else comparison.measures
    body = {
        "schema": SCHEMA,
        "experiment": comparison.experiment.declaration.name,
        "a": comparison.a_name,
        "b": comparison.b_name,
        "inputs": _inputs(comparison),
        "comparability": _comparability(comparison),
        "rules": _rules(comparison),
        "counts": _counts(comparison, chosen),
        "results": [_result(comparison.result(measure)) for measure in chosen],
        "verdict": _verdict(comparison),
    }
    return {"body": body, "digest": digest_of(body), "environment": _environment(comparison)}


def evaluation_json(comparison: Comparison, measures: Iterable[Measure] | None = None) -> str:
    """The evaluation receipt as indented JSON text, keys in order."""
    return json.dumps(evaluation(comparison, measures), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _inputs(comparison: Comparison) -> dict[str, Any]:
    experiment = comparison.experiment
    pinned = {name: source.pinned.digest for name, source in experiment.sources.items()}
    return {
        "declaration": experiment.declaration.digest,
        "topics": experiment.topics.digest,
        "files": pinned,
        "judgments": {"name": experiment.judgments.name, "digest": experiment.judgments.digest},
        "receipts": {side: _receipts(each) for side, each in (("a", comparison.a), ("b", comparison.b))},
        "unpinned": list(experiment.unpinned),
    }


def _receipts(receipts: ReceiptSet) -> dict[str, Any]:
    manifest = receipts.manifest
    return {
        "name": manifest.name,
        "manifest": manifest.digest,
        "receipts": manifest.receipts.digest,
        "policy": manifest.policy_digest,
    }


def _comparability(comparison: Comparison) -> dict[str, Any]:
    found = comparison.comparability
    return {
        "level": found.level,
        "sentence": found.sentence,
        "fields": [{"name": each.name, "status": each.status, "a": each.a, "b": each.b} for each in found.fields],
    }


def _rules(comparison: Comparison) -> dict[str, Any]:
    declaration = comparison.experiment.declaration
    return {
        "target": {"measure": str(declaration.target.measure), "smallest_effect": declaration.target.smallest_effect},
        "guards": [
            {"measure": str(guard.measure), "tolerance": guard.tolerance, "against": guard.against}
            for guard in declaration.guards
        ],
        "scale": list(declaration.scale) if declaration.scale else None,
        "relevant_from": declaration.relevant_from,
        "conflict": declaration.conflict,
        "missing": declaration.missing,
        "tie_band": declaration.tie_band,
        "delta": "B - A, rounded to 12 decimals",
        "without_relevant": "left out of the measure on both sides",
        "unjudged": "as not relevant, unless the measure says judged_only=True",
        "order": "as the receipts stand",
        "overlap": {
            "variant": VARIANT,
            "p": declaration.persistence,
            "depth": comparison.depth,
            "depth_rule": comparison.depth_rule,
        },
        "seed": declaration.seed,
        "resamples": declaration.resamples,
    }


def _counts(comparison: Comparison, measures: tuple[Measure, ...]) -> dict[str, Any]:
    alignment, experiment = comparison.alignment, comparison.experiment
    opened = comparison.open_topics
    states = {
        side: {state: int(((codes == code) & opened).sum()) for code, state in enumerate(STATES)}
        for side, codes in (("a", alignment.state_a), ("b", alignment.state_b))
    }
    judged = np.diff(alignment.grades.offsets)
    grades = alignment.grades.grades[np.repeat(opened, judged)]
    changed = comparison.overlap.counts(opened)
    return {
        "topics": len(experiment.topics),
        "open": int(opened.sum()),
        "held_out": comparison.held_out,
        "states": states,
        "judgment_rows": experiment.judgments.rows,
        "judged_documents": len(grades),
        "grades": grade_counts(grades),
        "without_judgments": int(((judged == 0) & opened).sum()),
        "holes": comparison.holes(SHOWN_TOP),
        "shared_documents": int(opened[alignment.shared_topic].sum()),
        "answered": changed.answered,
        "changed": {f"top {k}": amount for k, amount in sorted(changed.in_order.items())},
        "strata": {name: len(comparison.stratum_values(name)) for name in experiment.topics.strata},
        "measures": len(measures),
    }


def _result(result: Result) -> dict[str, Any]:
    paired = result.paired
    return {
        "measure": str(result.measure),
        "n": result.inference.n,
        "mean_a": _figure(paired.mean_a),
        "mean_b": _figure(paired.mean_b),
        "wins": paired.wins,
        "ties": paired.ties,
        "losses": paired.losses,
        "not_comparable": paired.not_comparable,
        "reasons": dict(paired.left_out),
        **_inference(result.inference),
        "as_empty": _inference(result.as_empty) if result.as_empty else None,
    }


def _inference(found: Inference) -> dict[str, Any]:
    interval = found.interval
    return {
        "mean": _figure(found.mean),
        "median": _figure(found.median),
        "trimmed_mean": _figure(found.trimmed_mean),
        "effect_size": _figure(found.effect_size),
        "interval": {
            "low": interval.low,
            "high": interval.high,
            "level": interval.level,
            "method": interval.method,
            "seed": interval.seed,
            "resamples": interval.resamples,
            "reason": interval.reason or None,
        },
        "tests": [_test(test) for test in found.tests],
    }


def _test(test: PairedTest) -> dict[str, Any]:
    return {
        "name": test.name,
        "method": test.method,
        "p": _figure(test.p),
        "statistic": _figure(test.statistic),
        "seed": test.seed,
        "resamples": test.resamples,
    }


def _figure(figure: Figure) -> float | dict[str, Any]:
    return {"value": None, "reason": figure.reason} if figure.value is None else figure.value


def _verdict(comparison: Comparison) -> dict[str, Any] | None:
    verdict = comparison.result(comparison.target, ALL).verdict
    return None if verdict is None else {"kind": verdict.kind, "sentence": verdict.sentence}


def _environment(comparison: Comparison) -> dict[str, Any]:
    parity = comparison.parity
    return {
        "comparekit": VERSION,
        "python": sys.version.split()[0],
        "packages": dict(_versions()),
        "rbo_parity": {
            "checked": parity.checked,
            "agreed": parity.agreed,
            "seed": parity.seed,
            "reason": parity.reason or None,
        },
    }


@cache
def _versions() -> tuple[tuple[str, str | None], ...]:
    return tuple((name, _version(name)) for name in PACKAGES)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
