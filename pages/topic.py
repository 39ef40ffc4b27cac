"""Topic: what happened here?"""

import streamlit as st

from comparekit.ui import address, one_topic, shell
from comparekit.ui.controls import filters
from comparekit.ui.lists import two_lists
from comparekit.ui.text import show
from comparekit.ui.walk import walked

with shell.begin("Topic") as loaded:
    found = loaded.comparison
    topic = walked(found, filters(found))
    if topic is not None:
        depth = address.read_depth(st.query_params)
        looked_at = found.topic(topic, depth=depth)
        show(one_topic.head(looked_at), one_topic.story(looked_at), one_topic.values(found, looked_at))
        two_lists(found, looked_at, depth=depth)
        show(one_topic.legend(), one_topic.receipts(looked_at))
