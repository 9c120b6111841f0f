"""Which of the ranked sentences are said: the best one, what completes it, nothing twice."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from ..core.ports import Tokenizer
from .extractive_bridge import bridged
from .extractive_concepts import asked_terms, concepts, meets, speaks_of, terms_in
from .extractive_draft import letters, uncovered
from .extractive_sentences import OPTION, Candidate
from .extractive_words import answer_kind

_EXCEPTION = re.compile(r"^\s*(?:If|Unless|Where|When|However)\b|^\s*(?:如果?|若|但|遇|当)")
# A further sentence is said when it scores at least this share of the best one.
NEXT_SHARE = 0.66
NEXT_FOREIGN = 0.75
# A sentence without the kind of thing asked for takes one along from this many sentences around.
REACH = 2
# Sentences of one form share this much of their words, and name what they are of among the first.
_ALIKE, _FIRST = 0.5, 3


def best_sentences(question: str, ranked: Sequence[Candidate], most: int) -> list[Candidate]:
    """The sentences near the best one; with it, only those that hold what is asked for."""
    if not ranked:
        return []
    first = ranked[0]
    share = NEXT_FOREIGN if first.foreign else NEXT_SHARE
    near = [c for c in ranked if c.score >= share * first.score and (c is first or not c.empty)]
    if answer_kind(question) != "any" and first.kind:
        near = [c for c in near if c.kind]
    near = [c for c in near if c is first or not OPTION.match(c.text)]
    if first.foreign:  # nor one that says fewer of the question's words than it
        least = bridged(question, first.text)
        near = [c for c in near if bridged(question, c.text) >= least]
    return near[:most]


def completed(
    question: str, best: Sequence[Candidate], ranked: Sequence[Candidate]
) -> list[Candidate]:
    """With the neighbour that holds the kind of thing asked for, or speaks of the property asked
    for ("怎么办": 处理方法), where the best one lacks it."""
    if not best:
        return []
    first = best[0]
    if answer_kind(question) != "any" and (rule := _rule_before(first, ranked)):
        return list(dict.fromkeys([*best, rule]))
    lacking = [name for name in concepts(question) if not meets(name, first.text)]
    kindless = answer_kind(question) != "any" and not (first.kind and first.quantity)
    if not lacking and not kindless:
        return list(best)
    near = [
        c
        for c in ranked
        if c.passage == first.passage
        and 0 < abs(c.order - first.order) <= REACH
        and (
            (kindless and c.kind and (c.quantity or not first.kind))
            or any(speaks_of(name, c.text) for name in lacking)
        )
    ]
    near.sort(key=lambda c: (not c.quantity, abs(c.order - first.order), -c.score))
    return list(dict.fromkeys([*best, *near[:1]]))


def without_siblings(
    question: str, best: Sequence[Candidate], tokenizer: Tokenizer
) -> list[Candidate]:
    """Without the sentences that say of another what one says of whom the question names: "Adults
    may borrow 12 books" beside "Teachers may borrow 20 books" where a teacher asks."""
    asked = [t for t in asked_terms(question, tokenizer) if not t[:1].isdigit()]
    words = {c: tokenizer.tokens(c.text) for c in best}
    return [
        c for c in best if not any(_sibling(words[c], words[own], asked, tokenizer) for own in best)
    ]


def _sibling(
    words: Sequence[str], own: Sequence[str], asked: Sequence[str], tokenizer: Tokenizer
) -> bool:
    """Whether the words say something else just where `own` says a word of the question."""
    matcher = SequenceMatcher(None, words, own, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return False
    for what, a, b, c, d in matcher.get_opcodes():
        if what != "replace" or a > _FIRST:
            continue
        here, there = " ".join(words[a:b]), " ".join(own[c:d])
        if re.search(r"\d", here + there):
            continue  # how much it is, not whose
        if terms_in(there, asked, tokenizer) and not terms_in(here, asked, tokenizer):
            return True
    return False


def _rule_before(first: Candidate, ranked: Sequence[Candidate]) -> Candidate | None:
    """The sentence before an exception ("If it rains, …"), which has the rule: it speaks of the
    same and holds the kind of thing asked for."""
    if first.foreign or not _EXCEPTION.match(first.text):
        return None
    return next(
        (
            c
            for c in ranked
            if c.passage == first.passage
            and c.order == first.order - 1
            and c.kind
            and c.quantity
            and c.own > 0
        ),
        None,
    )


def distinct(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Without sentences that another one contains."""
    plain = [letters(c.text) for c in chosen]
    return [chosen[i] for i in uncovered(plain, lambda other, i: plain[i] in plain[other])]
