"""
The gate of every page: who is in front of it, and may they see it?

Each page has its own, since a deep link on a fresh server runs a page alone. Identity lives in the session; after a
reload the browser gives it back from its own storage. Links never carry it: a token leaves the address on first use.
"""

import time
from pathlib import Path

import streamlit as st

from comparekit.access import (
    Access,
    Person,
    Right,
    configured_access,
    local_person,
    person_of_ticket,
    ticket_for,
)
from comparekit.errors import ComparekitError
from comparekit.ui.judging_store import book
from comparekit.ui.text import Html, prose, show, tag

TOKEN = "token"
PERSON = "person"
_FORGET, _WRITE, _REFUSED = "person-forget", "person-write", "person-refused"
_memory = st.components.v2.component(
    "comparekit_memory", js=(Path(__file__).parent / "memory.js").read_text("utf-8"), isolate_styles=False
)


def admit(right: Right) -> Person | None:
    """
    The person in front of the page; whoever may not see it is told so, and the page ends there.

    None where nobody needs to be known: on one machine without an access.toml.
    """
    access = configured_access()
    if not access.team:
        return _kept()
    person = _known(access)
    if person is None:
        _turn_away(access)
    elif not person.may(right):
        show(_not_for(person))
        st.page_link("pages/judge.py", label="Go to judging")
        st.stop()
    return person


def known() -> Person | None:
    """The person in front of the page, as far as the session or the browser knows; nothing is asked."""
    return _kept() or (None if configured_access().team else _taken(_remember("name", ask=True)))


def ask_name() -> Person:
    """The person at this machine, asked once and remembered by this browser; the page ends until it is answered."""
    person = _kept()
    if person is None:
        return _taken(_remember("name", ask=True)) or _asked()
    if st.session_state.pop(_WRITE, False):
        _remember("name", write=person.name)
    return person


def leave() -> None:
    """Forget who is in front of the page, here and in the browser."""
    st.session_state.pop(PERSON, None)
    st.session_state[_FORGET] = True


def _kept() -> Person | None:
    kept = st.session_state.get(PERSON)
    return kept if isinstance(kept, Person) else None


def _known(access: Access) -> Person | None:
    """Whoever is known by session, link, proxy, login or ticket, in this order; a changed entry must come in anew."""
    asked = st.query_params.get(TOKEN)
    if asked is not None and _kept() is None:
        return _exchanged(access, asked)
    st.query_params.pop(TOKEN, None)
    kept = _kept()
    if kept is not None and kept in access.people:
        return kept
    person = access.by_login(_proxied(access)) or access.by_login(_signed_in(access)) or _by_ticket(access)
    st.session_state[PERSON] = person
    return person


def _exchanged(access: Access, token: str) -> Person | None:
    person = access.by_token(token)
    st.session_state[PERSON] = person
    st.session_state[_REFUSED] = person is None
    secret = _secret()
    ticket = "" if person is None or secret is None else ticket_for(person, secret=secret, now=time.time())
    _remember("ticket", write=ticket)
    return person


def _by_ticket(access: Access) -> Person | None:
    ticket, secret = _remember("ticket", ask=True), _secret()
    return person_of_ticket(access, ticket, secret=secret, now=time.time()) if ticket and secret else None


def _proxied(access: Access) -> str | None:
    return st.context.headers.get(access.header) if access.header else None


def _signed_in(access: Access) -> str | None:
    if not access.oidc:
        return None
    found = st.user.to_dict()
    return str(found["email"]) if found.get("email") and found.get("email_verified", True) else None


def _secret() -> bytes | None:
    # Without a record nothing can be signed; the person is asked again after a reload, and nothing else is lost.
    try:
        return book().secret
    except ComparekitError:
        return None


def _remember(name: str, *, write: str = "", ask: bool = False) -> str:
    """What this browser keeps under a name, as soon as it has told; empty until then."""
    forget = bool(st.session_state.pop(_FORGET, False))
    data = {"name": f"comparekit-{name}", "write": write, "ask": ask and not forget, "forget": forget, "strip": TOKEN}
    found = _memory(key=f"memory-{name}", data=data, on_kept_change=lambda: None)
    return str(found.get("kept") or "") if ask and not forget else ""


def _taken(name: str) -> Person | None:
    try:
        person = local_person(name) if name else None
    except ComparekitError:
        return None
    st.session_state[PERSON] = person
    return person


def _asked() -> Person:
    with st.form("who", width=560):
        show(
            tag("h1", "Who is judging?"),
            tag(
                "p",
                "Your name stands beside your answers, so that agreement can be told. It is asked once.",
                class_="ck-lead",
            ),
        )
        name = st.text_input("Your name", key="who-name", max_chars=80, autocomplete="name")
        if st.form_submit_button("Begin", type="primary") and name.strip():
            st.session_state[PERSON] = local_person(name)
            st.session_state[_WRITE] = True
            st.rerun()
    st.stop()


def _turn_away(access: Access) -> None:
    refused = st.session_state.get(_REFUSED, False)
    show(_who(refused=refused))
    if access.oidc:
        st.button("Sign in", type="primary", on_click=st.login)
    st.stop()


def _who(*, refused: bool) -> Html:
    said = (
        "This link does not open anything (any more). Ask for a new one."
        if refused
        else "Open it by the link that was made for you, or sign in. Nothing else is shown here."
    )
    title = "This link is not known" if refused else "Please say who you are"
    return tag("section", tag("h1", title), tag("p", said, class_="ck-lead"), class_="ck-who")


def _not_for(person: Person) -> Html:
    return tag(
        "section",
        tag("h1", "This page is not for assessors"),
        tag(
            "p",
            "You judge blind, ",
            prose(person.name),
            ": the other pages would tell which ranker is which.",
            class_="ck-lead",
        ),
    )
