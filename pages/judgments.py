"""Judgments: what do the experts say?"""

from comparekit.ui import access_gate, judgments_adjudication, judgments_record, judgments_writing, shell
from comparekit.ui.judging_store import book
from comparekit.ui.judgments_experts import experts_panel
from comparekit.ui.text import show

with shell.begin("Judgments") as loaded:
    found, person, answers = loaded.comparison, access_gate.known(), book()
    events = answers.events()
    show(judgments_record.headline(found, events))
    experts_panel(found)
    judgments_record.draw_people(found, events)
    judgments_record.draw_agreement(found, events)
    judgments_adjudication.adjudicate(found, answers, person)
    show(judgments_writing.human_and_click(judgments_record.merged(found, events)))
    judgments_writing.minting(found, answers, person)
    judgments_writing.exports(found, answers.events())
    show(judgments_record.record(answers))
