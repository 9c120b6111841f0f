"""English follow-ups: telling them from self-contained questions, and resolving them.

Whether a pronoun leans on an earlier question follows the binding rules: a subject or possessive
pronoun may stand for something said before it in the same sentence; an object pronoun only for
something in an earlier clause.
"""

import re

_WORD = re.compile(r"[A-Za-z][\w'’\-]*|\d[\w.,\-]*")
_FUNCTION = frozenset(
    re.findall(
        r"\S+",
        """a an the of in on at to for from by with about into over under after before during
        between and or but so then also as than if when while because that which who whom whose
        what where why how is are was were be been being am do does did done doing have has had
        having can could will would shall should may might must not no yes any some there here it
        its they them their he him his she her hers this these those we us our you your i me my one
        ones other another else more most very much many just still only even ever too really next
        happen happened happens mean work works like get got go goes went make made say said tell
        know think thing things way ways long far often again first last up out off s t please
        example examples""",
    )
)
_ASKING = frozenset(
    re.findall(
        r"\S+",
        """what when where who whom whose why how which is are was were do does did can could will
        would should has have had may might must in at on for the a an and tell describe explain
        give show list name please if after before during i to as from with by about any other
        besides also ok okay then so but or compare was not""",
    )
)
_OPENER = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|well|so|hmm|and|but|or|also|then|now)\b[,\s]*)*(?:what|how) about\b\s*",
    re.I,
)
_AND = re.compile(r"^\s*(?:and|but|or|so|then)\b[,\s]+", re.I)
_PRONOUN = re.compile(
    r"\b(?:[Hh]e|[Hh]im|[Hh]is|[Ss]he|[Hh]ers?|[Ii]t|[Ii]ts|[Tt]hey|[Tt]hem|[Tt]heirs?)\b(?:['’]s\b)?"
)
_POSSESSIVE = ("his", "its", "their", "theirs", "hers")
_OBJECT = re.compile(r"^\s*(?:$|[?.,!;]|(?:in|on|at|to|for|with|from|as|by|about|after|instead)\b)")
_AUXILIARY = re.compile(
    r"(?:^|\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must"
    r"|when|if|that|because|while|after|before|why|how|where|what|and|but|than|as)(?:n['’]t)?)\s*$",
    re.I,
)
_THIS = re.compile(
    r"\b(?:this|these|those)\b(?!\s+(?:who|that|which|with|of|in|documents?|reports?|articles?|papers?"
    r"|pages?|books?|slides?|decks?|presentations?|manuals?|files?|texts?|surveys?|stud(?:y|ies)|guides?"
    r"|brochures?|standards?|sections?|lectures?|courses?)\b)"
    r"|(?:^|\b(?:is|was|are|were|did|does|do|after|before|for|of|with|about|like|why|how|when|where"
    r"|by|from|in|on|at|to|during|and|has|had|will|would|could)\s+)(?P<that>that)\b"
    r"(?=\s*(?:$|[?.,!;])|\s+(?:\w+))",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:the (?:other|second|third|fourth|first|last) ones?|the (?:former|latter)|another one)\b"
    r"|\b(?:the (?:other|second|third|first|same)|the others|any others?)\s*(?=$|[?.,!])",
    re.I,
)
_ELSE = re.compile(r"\belse\b|\b(?:any|some) (?:other|more)\b", re.I)
_BARE_OTHER = re.compile(r"\bother\b", re.I)
# "What happened in 1977?", "Was the album successful?": to whom, of whom, an earlier turn says.
_HAPPENED = re.compile(
    r"^\W*what (?:else )?happen(?:s|ed)?"
    r"(?: (?:in|on|after|during|before|next|then|to|with)\b|\W*$)",
    re.I,
)
_DEFINITE = re.compile(
    r"\bthe (?:album|film|movie|band|song|single|book|novel|show|series|episode|revival|argument"
    r"|tour|trial|battle|poetry|play|record|wedding|marriage|award)\b(?! (?:of|by|in|from|on)\b)",
    re.I,
)
_EXPLETIVE = re.compile(
    r"\bit (?:true|possible|likely|safe|necessary|normal|legal|ok|okay|hard|easy|difficult|better"
    r"|common|worth)\s+(?:to|that|for|if|when|in|not)\b"
    r"|\bit (?:takes?|costs?|rain|snow|called when|mean (?:to|when|if)|feel like to|comes to)\b"
    r"|\bit worth (?:\w+ing)\b|\bwhat time (?:is|was) it\b"
    r"|\bit (?:is|was) (?:said|known|believed|possible|true|likely|important|necessary)\b",
    re.I,
)
_NAME = re.compile(
    r"(?:[A-ZÀ-ÖØ-ÞČĆĐŠŽŁŚŹŻİŞĞ][\w'’\-]*)(?:(?:(?<=\b[A-Z])\.)?\s+(?:(?:of|the|and|de|van|von|for|in|&)\s+){0,2}"
    r"(?:[A-Z][\w'’\-]*|\d[\d.\-]*(?<=\d)))*"
)
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_CLAUSE = re.compile(
    r",|;|\b(?:when|if|after|before|because|while|since|who|which|and|or|but)\b", re.I
)
_NOUN_PHRASE = re.compile(r"\b(?:an?|the|each|every|most|some|many|people|which)\s+[a-z]+", re.I)
_TAIL = re.compile(r"[\s?.!]+$")
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b", re.I
)

_PREPOSITION = re.compile(r"\b(?:before|after|since|than|like|until)\s*$", re.I)
_LONG_PHRASE = 5
_ENOUGH = 3
_NOUN_AFTER = re.compile(
    r"\s+(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b)[A-Za-z]"
)


def follow_up_cue(question: str) -> str:
    """Which cue says that the question leans on an earlier one; empty: it stands by itself."""
    content, named = content_words(question), bool(names(question))
    cues = {
        "what_about": _OPENER.match(question) and not _told(question),
        "and_fragment": _AND.match(question)
        and (fragment(question) or (len(content) <= 4 and not named)),
        "bare_question": _WORD.search(question) and not content and not _QUOTED.search(question),
        "other_one": _OTHER.search(question),
        "pronoun": _anaphor(question),
        "happened": _HAPPENED.match(question) and not named and len(content) <= 3,
        "definite": _DEFINITE.search(question) and not named and len(content) <= 3,
        "else": _ELSE.search(question) and not named and len(content) <= 4,
        "other": _BARE_OTHER.search(question) and not named and len(content) <= 1,
    }
    return next((name for name, found in cues.items() if found), "")


def _told(question: str) -> bool:
    """Whether "what about ..." says itself what is asked: "the effect of X on Y"."""
    rest = question[found.end() :] if (found := _OPENER.match(question)) else ""
    words = rest.split()
    return len(words) > _LONG_PHRASE or (len(words) == _LONG_PHRASE and bool(names(rest)))


def needs_antecedent(question: str) -> bool:
    """Whether the question means nothing without an earlier one: a pronoun and little else."""
    if _WORD.search(question) and not content_words(question):
        return True
    leans = _anaphor(question) or _OTHER.search(question) or _OPENER.match(question)
    return bool(leans) and len(content_words(question)) <= 4 and not names(question)


def fragment(question: str) -> str:
    """What is new in "what about X?", "and in 2021?"; empty for a whole question."""
    opened = _OPENER.match(question)
    if opened:
        rest = question[opened.end() :]
    elif _AND.match(question) and not _VERB.search(question):
        rest = _AND.sub("", question)
    else:
        return ""
    rest = re.sub(r"^(?:for|with|in the case of)\s+", "", _TAIL.sub("", rest), flags=re.I)
    if _PRONOUN.search(rest) or not _WORD.search(rest) or len(rest.split()) > 8:
        return ""
    return rest


def entity(topic: str) -> str:
    """What the topic is about: a quoted title, a name, else its longest noun-like run."""
    quoted = _QUOTED.search(topic)
    if quoted:
        return quoted.group(1)
    name = next(iter(names(topic)), "")
    # "the Bronze Age collapse" is not the Bronze Age.
    whole = re.search(rf"\bthe {re.escape(name)} [a-z]+(?=\W*$)", topic) if name else None
    return whole.group() if whole else name


def weak_entity(topic: str) -> str:
    """The longest run of content words, the last one on ties; a possessive ends a run."""
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(topic):
        stem = re.sub(r"['’]s$|(?<=s)['’]$", "", word)
        if stem.lower() in _FUNCTION:
            runs.append([])
            continue
        runs[-1].append(stem)
        if stem != word:
            return " ".join(runs[-1])
    best = max(enumerate(runs), key=lambda pair: (min(len(pair[1]), 4), pair[0]))[1]
    return " ".join(best)


def replace_pronouns(question: str, name: str) -> str:
    """The question with its first leaning pronoun, and the same one again, said by name."""
    found = _anaphor(question)
    if found is None:
        return question
    if found.group().lower() in ("this", "these", "those") and _NOUN_AFTER.match(
        question[found.end() :]
    ):
        return question  # "this edict": the topic names it in other words
    if "that" in found.groupdict() and found["that"]:
        start, end, word = found.start("that"), found.end("that"), "that"
    else:
        start, end, word = found.start(), found.end(), found.group()
    form = _form(word.lower(), question[end:], name)
    return question[:start] + form + question[end:]


def after(topic: str, question: str, name: str) -> str:
    """The question behind the topic that it leans on."""
    lead = topic.strip()
    if lead and lead[-1] not in ".?!。？！":
        words = _WORD.findall(lead)
        lead += "?" if words and words[0].lower() in _ASKING else "."
    return f"{lead} {question.strip()}"


def tidy(question: str) -> str:
    """Without the connecting words of a dialogue."""
    return _AND.sub("", question).strip()


def content_words(text: str) -> list[str]:
    """Words that carry meaning of their own."""
    return [
        word
        for word in _WORD.findall(text)
        if re.sub(r"['’]s?$", "", word.lower()) not in _FUNCTION
    ]


def _anaphor(question: str) -> re.Match[str] | None:
    """The first pronoun whose antecedent is not in the question itself."""
    # "Is it possible to fix it?": only the second one stands for something.
    question = _EXPLETIVE.sub(lambda empty: " " * len(empty.group()), question)
    for found in _PRONOUN.finditer(question):
        if not _bound(question[: found.start()], found.group(), question[found.end() :]):
            return found
    for found in _THIS.finditer(question):
        start = found.start("that") if found["that"] else found.start()
        if not names(question[:start]) and len(content_words(question[:start])) <= 2:
            return found
    return None


def _bound(before: str, pronoun: str, rest: str) -> bool:
    """Whether the pronoun stands for something that the question says before it."""
    if _PREPOSITION.search(before) and _OBJECT.match(rest):  # "What came after it?"
        return bool(names(before)) or len(content_words(before)) >= _ENOUGH
    clauses = list(_CLAUSE.finditer(before))
    earlier = before[: clauses[-1].start()] if clauses else ""
    if content_words(earlier) or _QUOTED.search(before):
        return True
    word = re.sub(r"['’]s$", "", pronoun.lower())
    if word in _POSSESSIVE or (word == "her" and not _OBJECT.match(rest)):
        content = content_words(before)
        return bool(names(before)) or bool(_NOUN_PHRASE.search(before)) or len(content) >= 2
    if word in ("it", "them", "him", "her") and not _AUXILIARY.search(before):
        return len(content_words(before)) >= 4
    return bool(names(before)) or len(content_words(before)) >= _ENOUGH


def names(text: str) -> list[str]:
    """Capitalised names and identifiers, without a word that is capital by its place alone."""
    found = []
    for match in _NAME.finditer(text):
        words, before = match.group().split(), text[: match.start()].rstrip()
        first = not before or before[-1] in ".?!:"
        dropped = False
        while words and (words[0].lower() in _FUNCTION or (first and words[0].lower() in _ASKING)):
            words, dropped = words[1:], True
        by_place = first and not dropped and len(words) == 1 and " " in text.strip()
        if not words or (by_place and not any(c.isdigit() for c in words[0])):
            continue
        name = re.sub(r"['’]s$|(?<=s)['’]$", "", " ".join(words))
        if name != "I":
            found.append(name)
    return found


def _form(word: str, rest: str, name: str) -> str:
    """The name in the pronoun's case."""
    if word in _POSSESSIVE or (word == "her" and not _OBJECT.match(rest)):
        return f"{name}'" if name.endswith("s") else f"{name}'s"
    return f"{name} is" if re.search(r"['’]s$", word) else name
