"""
One response of a search engine as it came over the wire: Elasticsearch and OpenSearch, Solr, Vespa.

A response does not say which topic it answers, so the caller does (`topic`). Results stand in the order of the
response. When they come from more than one index, an id may mean two documents: then ids become `index/id`.
"""

import re
from typing import Any

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import RunBuilder
from comparekit.formats.json_values import beginning, first_record, parsed
from comparekit.formats.records import Record, text_of, texts_of
from comparekit.formats.registry import Options, register
from comparekit.formats.rows import RunRows
from comparekit.repairs import repair

# Where the list is, and how a result calls its id, score and fields.
SHAPES = (
    (("hits", "hits"), "_id", "_score", "_source"),
    (("response", "docs"), "id", "score", None),
    (("root", "children"), "id", "relevance", "fields"),
)
OUTER = re.compile(r'"(hits|response|root)"\s*:\s*\{')


def _fits(source: Source, options: Options) -> bool:
    record = first_record(source)
    if record is not None:
        return any(isinstance(record.get(path[0]), dict) for path, *_ in SHAPES)
    return beginning(source).startswith("{") and OUTER.search(beginning(source)) is not None


@register("engine-response", "run", expects="one JSON response of a search engine", fits=_fits, order=10)
def read_engine_response(source: Source, options: Options) -> RunRows:
    """A run of one topic."""
    if options.topic is None:
        todo = 'Name it with topic="…".'
        raise FormatError("a response does not say which topic it answers", path=source.path, todo=todo)
    response = parsed(source.data.decode(), source=source, line=1, limits=options.limits)
    hits, (_, id_name, score_name, fields_name) = _hits(response, source)
    by_index = len({str(hit.get("_index")) for hit in hits}) > 1
    run = RunBuilder(source, options)
    run.empty_topics |= {} if hits else {options.topic: None}
    for place, hit in enumerate(hits, start=1):
        doc = text_of(hit.get(id_name), source=source, line=1, what="document id")
        doc = f"{hit.get('_index')}/{doc}" if by_index else doc
        score = hit.get(score_name)
        run.add(options.topic, doc, score=None if score is None else str(score), rank=place, line=1)
        fields = hit.get(fields_name, {}) if fields_name else hit
        run.note_texts(doc, texts_of(fields) if isinstance(fields, dict) else {})
    message = "Results come from more than one index, so each id was prefixed with its index and a slash."
    told = [repair("index-in-id", message, file=source.name, count=len(hits))] if by_index else []
    return run.built("engine-response", repairs=told)


def _hits(response: Any, source: Source) -> tuple[list[Record], tuple[Any, ...]]:
    for shape in SHAPES:
        value = response
        for name in shape[0]:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, list) and all(isinstance(hit, dict) for hit in value):
            return value, shape
    expected = " or ".join(".".join(path) for path, *_ in SHAPES)
    raise FormatError(
        "the response holds no list of results", path=source.path, expected=expected, got=str(response)[:60]
    )
