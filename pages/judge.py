"""Judge: which list serves this need?"""

import streamlit as st

from comparekit.ui import access_gate, grading, judging, judging_head, shell

with shell.begin("Judge", blind=True) as loaded:
    person = access_gate.ask_name()
    if st.query_params.get(judging_head.MODE) == judging_head.GRADE:
        grading.grade_documents(loaded, person)
    else:
        judging.judge_pairs(loaded, person)
