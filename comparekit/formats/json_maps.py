"""
One JSON object that maps topics: `{topic: {document: number}}` (ranx) and `{topic: {"query": …}}` or `{topic: text}`.
"""

import re

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import JudgmentBuilder, RunBuilder
from comparekit.formats.json_values import beginning, first_record, members
from comparekit.formats.records import labels_of, read_strata_rows, read_topic_records
from comparekit.formats.registry import Options, register
from comparekit.formats.rows import ImportReport, JudgmentRows, RunRows
from comparekit.topics import Topic

OUTER = re.compile(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')
ORDER = 20


def _fits(source: Source, options: Options) -> bool:
    record = first_record(source)
    if record is not None:
        single = source.data.count(b"\n", 0, len(source.data.rstrip())) == 0
        return single and bool(record) and all(isinstance(value, dict) for value in record.values())
    return OUTER.match(beginning(source)) is not None


@register("json-map", "run", expects="one JSON object {topic: {document: score}}", fits=_fits, order=ORDER)
def read_run_map(source: Source, options: Options) -> RunRows:
    """A run without ranks."""
    run = RunBuilder(source, options)
    for line, topic, results in members(source, options.limits):
        for doc, score in _mapped(results, source, line).items():
            run.add(topic, doc, score=None if score is None else str(score), rank=None, line=line)
        if not results:
            run.empty_topics[topic] = None
    return run.built("json-map")


@register("json-map", "judgments", expects="one JSON object {topic: {document: grade}}", fits=_fits, order=ORDER)
def read_judgment_map(source: Source, options: Options) -> JudgmentRows:
    """Judgments; a `null` is an unjudged row."""
    judgments = JudgmentBuilder(source)
    for line, topic, grades in members(source, options.limits):
        for doc, grade in _mapped(grades, source, line).items():
            judgments.add(topic, doc, grade=None if grade is None else str(grade), line=line)
    return judgments.built("json-map")


@register("json-map", "topics", expects='one JSON object {topic: {"query": text}}', fits=_fits, order=ORDER)
def read_topic_map(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics by id, each a text or an object of fields."""
    records = (
        (line, {**(told if isinstance(told, dict) else {"text": told}), "id": topic})
        for line, topic, told in members(source, options.limits)
    )
    return read_topic_records(source, "json-map", records)


@register("json-map", "strata", expects="one JSON object {topic: {name: label}}", fits=_fits, order=ORDER)
def read_strata_map(source: Source, options: Options) -> tuple[dict[str, dict[str, str | None]], ImportReport]:
    """Strata: every single value of a topic is one, or those that `columns` names, under the caller's names."""
    rows = (
        (line, topic, labels_of(_mapped(told, source, line), options.columns))
        for line, topic, told in members(source, options.limits)
    )
    return read_strata_rows(source, "json-map", rows)


def _mapped(value: object, source: Source, line: int) -> dict[str, object]:
    if isinstance(value, dict):
        return value
    raise FormatError("a topic must hold an object", path=source.path, line=line, got=repr(value)[:60])
