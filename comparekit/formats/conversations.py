"""TREC CAsT's conversations: a list of dialogues with their turns; `106_1` is the first turn of dialogue 106."""

from collections.abc import Iterator

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.json_values import beginning, records
from comparekit.formats.records import Record, read_topic_records
from comparekit.formats.registry import Options, register
from comparekit.formats.rows import ImportReport
from comparekit.topics import Topic

TEXTS = ("manual_rewritten_utterance", "automatic_rewritten_utterance", "raw_utterance")


def _fits(source: Source, options: Options) -> bool:
    return beginning(source).startswith("[") and '"turn"' in beginning(source)


@register("cast", "topics", expects="a JSON list of dialogues with their turns", fits=_fits, order=20)
def read_dialogues(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """A topic a turn; its text is the utterance as rewritten to stand alone, or as spoken where it was not."""
    return read_topic_records(source, "cast", _turns(source, options))


def _turns(source: Source, options: Options) -> Iterator[tuple[int, Record]]:
    for line, dialogue in records(source, options.limits, blank=[]):
        turns = dialogue.get("turn")
        if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
            raise FormatError("the dialogue has no list of turns", path=source.path, line=line, got=", ".join(dialogue))
        for turn in turns:
            chosen = next((name for name in TEXTS if turn.get(name)), TEXTS[-1])
            rest = {name: value for name, value in turn.items() if name not in (chosen, "number")}
            yield line, {**rest, "id": f"{dialogue.get('number')}_{turn.get('number')}", "text": turn.get(chosen)}
