"""What is told along with the sentence that answers: what it leads to or goes on from."""

from itertools import islice, takewhile

from .extractive_forms import list_after
from .extractive_sentences import Candidate, is_heading, passage_sentences, says_nothing
from .extractive_stems import stem
from .passages import Passage

UNDER = 2
"""Sentences told of what stands under a heading."""


def opened(best: Candidate, passage: Passage) -> list[str]:
    """The best sentence with what it leads to or goes on from: the list behind a colon, the reply
    to a question, what stands under a heading, the words an item stands under; empty: neither."""
    if best.text.rstrip().endswith((":", "：")):
        return list_after(passage, best)
    if best.text.rstrip().endswith(("?", "？")):
        return passage_sentences(passage)[best.order : best.order + 2]
    if is_heading(best.text):
        below = takewhile(
            lambda text: not is_heading(text), passage_sentences(passage)[best.order + 1 :]
        )
        told = (x for x in below if not x.startswith(("|", "<")) and not says_nothing(x))
        said = list(islice(told, UNDER))
        return [best.text, *said] if said else []
    lead = stem(passage_sentences(passage), passage.section_path, best.order)
    return [lead, best.text] if lead else []
