"""
Holding a key must not run through topic after topic: a button's shortcut fires on every repeated keydown.

An element without a body drops repeated keydowns before Streamlit sees them; typing in a box is left alone.
"""

import streamlit as st

_guard = st.components.v2.component(
    "comparekit_keyguard",
    isolate_styles=False,
    js="""
const typing = node => !!node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));
const drop = event => {
  if (event.repeat && /^[a-z]$/i.test(event.key) && !typing(event.composedPath()[0])) {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
};
export default function () {
  // Called again on every change, cleaned up only at unmount: adding the same listener twice does nothing.
  window.addEventListener("keydown", drop, true);
  return () => window.removeEventListener("keydown", drop, true);
}
""",
)


def no_key_repeat() -> None:
    """Drop the repeated keydowns of a held letter on this page."""
    _guard(key="keyguard", data={})
