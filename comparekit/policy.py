"""The pinned identity of a pipeline: what answered, over what, and how."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from comparekit.canonical import digest_of
from comparekit.errors import RecordError

SHAPE: Mapping[str, Mapping[str, Any] | None] = {
    "corpus": {"name": None, "documents": None, "digest": None},
    "index": {"digest": None},
    "analyzer": {"name": None, "version": None, "config": None},
    "ranker": {"name": None, "version": None, "parameters": None},
    "matcher": None,
    "expansion": None,
    "features": None,
    "budget": {"depth": None},
    "tie_order": None,
}
"""Every part of a policy; what nobody recorded is null, never invented."""

TIE_ORDERS = {
    "score": "score descending, then document id descending",
    "trec_eval": "score descending in single precision, then document id descending",
    "rank": "rank column ascending",
}


def complete(given: Mapping[str, Any], *, path: Path | str | None = None) -> dict[str, Any]:
    """
    A policy with every part present: as given, else null.

    Raises `RecordError` on a part that policies do not have.
    """
    unknown = sorted(set(given) - set(SHAPE))
    if unknown:
        raise RecordError(f'a policy has no part "{unknown[0]}"', path=path, expected=", ".join(SHAPE))
    policy: dict[str, Any] = {}
    for part, shape in SHAPE.items():
        value = given.get(part)
        if shape is not None and value is not None and not isinstance(value, Mapping):
            raise RecordError(f'the policy part "{part}" is not an object', path=path, got=type(value).__name__)
        policy[part] = value if shape is None else {**shape, **(value or {})}
    return policy


def fields(policy: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every recorded or recordable value with its dotted name, such as `ranker.parameters.k1`."""
    for part, value in policy.items():
        yield from _flat(part, value)


def policy_digest(policy: Mapping[str, Any]) -> str:
    """The digest that every receipt of this policy carries."""
    return digest_of(policy)


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key in sorted(value):
            yield from _flat(f"{name}.{key}", value[key])
    else:
        yield name, value
