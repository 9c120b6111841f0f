"""A question that names a document is answered from that, or from what others say of it."""

import pytest

from tuwen.agents.extractive import write_extractive
from tuwen.core.analysis import Analysis

OWN = "Eastport Tugs owns twelve tugs. Its dock is checked every year."
OTHER = "The pump of the Company had a rated pressure of 50 bar as of 2 July 2023."
OF_IT = "Eastport had a pump with a rated pressure of 60 bar as of 2 July 2023."


@pytest.mark.parametrize(
    ("others", "told", "untold"),
    [([OTHER], "", "50 bar"), ([OTHER, OF_IT], "60 bar", "50 bar")],
)
def test_another_firms_figure_is_not_told_for_the_named_one(
    others, told, untold, passage, tokenizer, embedder
):
    question = "What was Eastport's rated pressure of the pump at the end of July 2023?"
    passages = [passage(1, OWN, doc_id="east", title="Eastport_2023_annual_report")]
    passages += [
        passage(n, text, doc_id=f"d{n}", title="CONTENTS") for n, text in enumerate(others, 2)
    ]
    analysis = Analysis(
        question=question,
        rewritten=question,
        queries=(question,),
        question_type="numeric",
        language="en",
        named="Eastport",
        named_docs=("east",),
    )
    draft = write_extractive(analysis, passages, tokenizer=tokenizer, embedder=embedder)
    assert draft.abstained is not bool(told)
    assert told in draft.text
    assert untold not in draft.text
