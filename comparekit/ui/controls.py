"""The filters of a page: drawn from the address, and written back to it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.experiment import judgment_sets
from comparekit.minting import minted_folder
from comparekit.strata import NO_STRATUM
from comparekit.ui import address, frame
from comparekit.ui.address import View, read_view

_PREFIX = "in-address: "


def filters(comparison: Comparison) -> View:
    """Draw the filters of a page and return what they say; the address is the truth, the widgets follow it."""
    view = read_view(st.query_params, comparison)
    frame.notes(view.problems)
    measures = list(dict.fromkeys([*map(str, comparison.measures), str(view.measure)]))
    with st.container(horizontal=True, gap="small", key="filters"):
        _select(
            "Measure",
            measures,
            address.MEASURE,
            str(view.measure),
            width=220,
            free=True,
            help="Choose one, or type any other, such as P(rel=2)@5",
        )
        strata = address.strata_of(comparison)
        if strata:
            _select(
                "Topics",
                [(), *strata],
                address.STRATUM,
                view.selection.stratum or (),
                width=260,
                show=_stratum_label,
                write=_write_stratum,
            )
        splits = address.splits_of(comparison)
        if splits:
            _select("Split", ["", *splits], address.SPLIT, view.selection.split or "", width=170, show=_split_label)
        experiment = comparison.experiment
        sets = judgment_sets(experiment.folder, minted_folder(experiment.declaration))
        if len(sets) > 1:
            _select(
                "Judgment set",
                list(sets),
                address.JUDGMENTS,
                comparison.experiment.judgments.name,
                width=200,
                show=_judgments_label,
            )
    return view


def choose(
    label: str, options: list[Any], name: str, value: Any, *, show: Callable[[Any], str] = str, width: int | str = 180
) -> None:
    """A choice that lives in the address under `name`; the address is changed before the page runs again."""
    _select(label, options, name, value, width=width, show=show)


def chosen_page(pages: int) -> int:
    """The page of a long table, from the address; the numbers are drawn when there is more than one."""
    page = address.read_page(st.query_params, pages=pages)
    if pages > 1:
        key = f"{_PREFIX}{address.PAGE} {page} of {pages}"
        st.pagination(pages, default=page, key=key, on_change=_turn, args=(key,))
    return page


def _select(
    label: str,
    options: list[Any],
    name: str,
    value: Any,
    *,
    width: Any,
    show: Callable[[Any], str] = str,
    free: bool = False,
    write: Callable[[str], None] | None = None,
    help: str | None = None,
) -> None:
    key = _PREFIX + name
    st.session_state[key] = value
    st.selectbox(
        label,
        options,
        key=key,
        format_func=show,
        on_change=write or _write,
        args=(name,),
        width=width,
        label_visibility="collapsed",
        accept_new_options=free,
        placeholder=help,
    )


def _write(name: str) -> None:
    value = st.session_state[_PREFIX + name]
    if not value:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = str(value)
    st.query_params.pop(address.PAGE, None)


def _turn(key: str) -> None:
    st.query_params[address.PAGE] = str(st.session_state[key])


def _write_stratum(name: str) -> None:
    chosen = st.session_state[_PREFIX + name]
    for each in (address.STRATUM, address.VALUE, address.PAGE):
        st.query_params.pop(each, None)
    if chosen:
        st.query_params[address.STRATUM] = chosen[0]
        if chosen[1] is not None:
            st.query_params[address.VALUE] = chosen[1]


def _stratum_label(stratum: tuple[str, str | None] | tuple[()]) -> str:
    return "All topics" if not stratum else f"{stratum[0]}: {stratum[1] if stratum[1] is not None else NO_STRATUM}"


def _split_label(split: str) -> str:
    return "All open topics" if not split else f"Split: {split}"


def _judgments_label(name: str) -> str:
    return f"Judgments: {name}"
