"""
The only way text from outside reaches a page.

Names of rankers, topics, documents, ids and messages are data: they may hold markup, formulas or control characters.
`tag` escapes every child that is not already `Html`, so a page cannot forget to.
"""

import html
import unicodedata

import streamlit as st

_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


class Html(str):
    """Text that is already safe HTML; everything else is escaped on its way in."""

    __slots__ = ()


def escaped(text: object) -> Html:
    """Any value as HTML that shows it letter for letter."""
    return text if isinstance(text, Html) else Html(html.escape(str(text)))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """
    One HTML element.

    A trailing underscore in an attribute's name is dropped (`class_`), inner ones become hyphens (`aria_label`);
    an attribute that is None or False is left out, True stands alone.
    """
    shown = "".join(_attribute(key, value) for key, value in attributes.items())
    inner = "".join(escaped(child) for child in children if child is not None)
    return Html(f"<{name}{shown}>{inner}</{name}>")


def join(*parts: object) -> Html:
    """Elements one after the other; strings among them are escaped, None is left out."""
    return Html("".join(escaped(part) for part in parts if part is not None))


def show(*parts: object) -> None:
    """Draw elements on the page."""
    st.html(tag("div", *parts, class_="ck"))


def visible(text: str) -> str:
    """Text with every control and format character written out as U+XXXX, so that two ids never merely look equal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"[U+{ord(each):04X}]" if unicodedata.category(each) in _INVISIBLE else each for each in text)


def ident(text: str) -> Html:
    """An id, letter for letter; leading and trailing blanks stay visible."""
    return tag("code", visible(text), class_="ck-id")


def prose(text: str) -> Html:
    """A person's words; kept apart from their surroundings, so that right-to-left marks do not reorder the page."""
    return tag("bdi", text)


def hidden(text: str) -> Html:
    """Words for those who listen to the page; nothing is drawn."""
    return tag("span", text, class_="ck-hidden")


def number(value: float | None, *, places: int = 3) -> str:
    """A value with three decimals, a dash when there is none."""
    return "–" if _nothing(value) else f"{value:.{places}f}"


def signed(value: float | None, *, places: int = 3) -> str:
    """A difference with its sign; zero, and what rounds to zero, has none."""
    if _nothing(value):
        return "–"
    shown = f"{value:+.{places}f}"
    return shown[1:] if float(shown) == 0.0 else shown.replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """A 95 % interval in words."""
    return "–" if _nothing(low) or _nothing(high) else f"{signed(low)} to {signed(high)}"


def p_value(value: float | None) -> str:
    """A p-value with three decimals; a smaller one says so."""
    if _nothing(value):
        return "–"
    return "< 0.001" if value is not None and value < 0.001 else f"{value:.3f}"


def count(value: int, one: str, many: str = "") -> str:
    """A count with its noun: "1 topic", "7,000 topics"."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def percent(part: float, whole: float) -> str:
    """A share in whole percent; a dash of nothing."""
    return "–" if not whole else f"{100 * part / whole:.0f} %"


def short(digest: str) -> str:
    """The first twelve hex digits of a digest."""
    return digest.removeprefix("sha256:")[:12]


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'


def _nothing(value: float | None) -> bool:
    return value is None or value != value
