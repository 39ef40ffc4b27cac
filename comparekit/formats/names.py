"""How columns and fields are spelled in the wild: one table, read without regard to case, blanks, `_`, `-` and `.`."""

from collections.abc import Iterable

SPELLINGS = {
    "topic": ("topic", "qid", "topic_id", "query_id"),
    "query": ("query", "query_text", "user_query"),
    "doc": ("docid", "docno", "doc", "document_id", "document", "corpus_id"),
    "score": ("score", "sim", "similarity"),
    "rank": ("rank", "position", "doc_position"),
    "tag": ("tag", "run", "run_id", "system"),
    "grade": ("grade", "rel", "relevance", "rating", "score", "label", "gain"),
    "assessor": ("assessor", "annotator", "rater"),
    "source": ("source",),
    "title": ("title", "name"),
    "text": ("text", "body", "contents", "content", "snippet", "abstract", "description"),
    "url": ("url", "link", "uri"),
    "topic_id": ("id", "qid", "topic", "topic_id", "query_id", "number"),
    "topic_text": ("text", "query", "query_text", "title"),
    "task": ("task",),
    "need": ("need", "information_need", "narrative", "description"),
    "strata": ("strata",),
    "split": ("split",),
    "doc_id": ("id", "docno", "docid", "doc", "document_id", "asin"),
    "results": ("results", "hits", "ranking"),
}


def plain(name: str) -> str:
    """A name as the table compares it."""
    return name.strip().casefold().translate({ord(mark): None for mark in " _-."})


def spelled(role: str, names: Iterable[str]) -> str | None:
    """Which of `names` plays a role, the first spelling first; `None` when none does."""
    found = {plain(name): name for name in names}
    return next((found[plain(each)] for each in SPELLINGS[role] if plain(each) in found), None)
