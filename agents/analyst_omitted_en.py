"""English questions that leave out what they are about: "Who is the author?", "Which is younger?".

Used only inside a thread: without one they are searched as they stand. A question with a name of
its own is left alone.
"""

import re
from collections.abc import Sequence

from .analyst_rules_en import content_words, names

# Nouns of something else: whose author, effects of what.
_RELATIONAL = frozenset(
    re.findall(
        r"\S+",
        """author authors writer director actor actors actress cast character characters
        protagonist theme themes plot story stories ending setting genre lyrics title titles
        term name names nickname cause causes reason reasons effect effects symptom symptoms
        treatment treatments cure risk risks danger dangers benefit benefits advantage
        advantages disadvantage disadvantages drawback drawbacks pro pros con cons downside
        downsides limitation limitations side difference differences similarity similarities
        type types kind kinds form forms category categories version versions variant variants
        part parts component components layer layers feature features characteristic
        characteristics property properties example examples instance instances origin origins
        history background result results finding findings outcome outcomes conclusion
        conclusions consequence consequences impact impacts influence significance importance
        role roles purpose purposes function functions goal goals aim aims meaning definition
        structure design process procedure method methods step steps requirement requirements
        rule rules price prices cost costs size weight length height age lifespan population
        climate capital founder founders inventor leader leaders member members winner winners
        owner owners president ceo reaction reactions response responses reception review
        reviews critic critics criticism criticisms controversy success award awards evidence
        alternative alternatives option options pattern patterns relationship relationships wife
        husband children child parents siblings brother brothers sister sisters family career
        education childhood hobbies birthplace use uses source sources objective objectives
        implication implications ingredient ingredients problem problems issue issues challenge
        challenges solution solutions exception exceptions experiment experiments study studies
        event events war battle law laws city country region area team group band album film
        movie book song show company organization organisation product device machine case
        situation accident trial lawsuit dispute argument idea concept theory policy program
        programme project plan period era practice technique technology approach policies system
        test tests rest others detail details date place location culture""",
    )
)
_PLAIN = frozenset(
    re.findall(
        r"\S+",
        """main major key best worst common important popular possible similar different successful
        famous new old big large small long-term short-term long short term current original
        early late latest known well best-known typical general specific notable interesting
        good bad great real true total overall average young younger older bigger better faster
        cheaper powerful legal free expensive safe dangerous ethical useful effective come comes
        came use used using caused causes include included involved affect affected start
        started begin began end ended considered called made held received released published
        invented discovered created developed founded built formed changed differ describe
        compare list find give choose pick buy treat fix avoid prevent identify recognize
        measure measured happening number amount""",
    )
)
_ADJECTIVE = re.compile(r"(?:al|ic|ive|ous|ful|ible|able|ent|ant|ary|ern|est|less|ish)$")
_ONE = re.compile(
    r"\b(?:an?|the|which|another|any|each|every|new|old|best|worst|good|bad|big|small|first|last|only)\s+"
    r"(?:[a-z\-]+\s+)?ones?\b(?!\s+(?:of|who|that|which|day|time|year|hundred|thousand|million|way))",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(
    r"\bthe (?:first|last|second|third|largest|biggest|smallest|oldest|youngest|longest|tallest"
    r"|best|worst|fastest|cheapest|(?:most|least) [a-z]+)\b\s*"
    r"(?=[?.!,]|$|(?:and|ever|to|in|on|invented|made|built|known|found)\b)"
    r"|\bare there (?:any|some|many)\b"
    r"(?=\s*(?:[?.!,]|$)|\s+(?:related|like|that|which|in|for|with|near)\b)"
    r"|^\W*which (?:ones?\b(?! of)|(?:is|are|was|were) (?!the\b|an?\b)[a-z]+"
    r"(?: and why)?\W*$)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?P<before>[a-z]+)\s+there\b(?!\s+(?:is|are|was|were|any|an?|no|been|be)\b)", re.I
)
_EXISTENTIAL = frozenset(
    re.findall(
        r"\S+",
        """is are was were be been being am will would could should can may might does do did if
        that how why out over hello hi so and or but when because since has have had get got""",
    )
)
_THEN = re.compile(
    r"\b(?:(?:that|the same) (?:day|date|year|night|month|week|time|season|game|match|period|era"
    r"|point|place|city|country|area|region|team|group|company|book|song|film|movie|album|law|war"
    r"|battle|event|case)|at the time|back then|in those days|by then)\b"
    r"(?!\s+(?:of|when|that|in|the|as)\b)",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"^\W*(?:(?:and|but|so)\W+)?(?:are|were|is|was) there (?:any|other|some)\b", re.IGNORECASE
)
_DONE = ("ed", "en", "ew", "ing", "ose", "ept", "ilt", "ade", "orn", "old", "ought", "aught")
_ASKED_FOR = re.compile(r"^\W*(?:what|which)\s+(?P<noun>[a-z]+)\b", re.IGNORECASE)
_DEFINED = re.compile(r"^\W*what(?:'s| is| are)\s+an?\b", re.IGNORECASE)
# Two or three capitalised words; the second and third are no common nouns of a title.
_PERSON = re.compile(
    r"[A-Z][a-zà-öø-ÿ]+(?: [A-Z](?:[a-zà-öø-ÿ]+|\.))?(?: [A-Z][A-Za-zà-öø-ÿ'’\-]+)"
)
_NO_PERSON = frozenset(
    re.findall(
        r"\S+",
        """New North South East West Great United Saint San Los Las Lake Mount World National
        University College School River City State States County Island Islands Street Bank
        Company Figure Table Section Chapter Part Appendix Plant Pump Unit Model Type Class
        Group Step Annex Article Clause Note Equation Phase Project Station Standard System The
        Act War Age""",
    )
)
_SHORTEST_NAME = 3
_ONES = re.compile(r"\b[a-z]+ ones\b(?! (?:who|that|of)\b)", re.IGNORECASE)
_THE_KIND = re.compile(
    r"\b(?:of|in|from|to|with|on|about|for|by|at) the (?:region|city|country|area|team|company|band"
    r"|album|film|movie|show|book|series|experiment|study|studies|project|program|programme"
    r"|expedition|war|event|problem|issue|case|process|method|approach|theory|product|technique"
    r"|group|organi[sz]ation|movement|law|act|policy)\W*$",
    re.IGNORECASE,
)
"""Ends in something that only an earlier turn can have named."""
_FEW = 3
_MOST_LEANING = 5


def left_out(question: str) -> str:
    """Which cue says that the question leaves out what it is about; empty: it names it."""
    there = _THERE.search(question)
    named, words = bool(names(question)), content_words(question)
    bare = _NO_NOUN.search(question)
    cues = {
        "there": there and there["before"].lower() not in _EXISTENTIAL,
        "that_time": _THEN.search(question),
        "one": not named and len(words) <= _FEW and _ONE.search(question),
        "ones": (ones := _ONES.search(question)) and not content_words(question[: ones.start()]),
        "the_kind": not named and len(words) <= _FEW + 1 and _THE_KIND.search(question),
        "noun_omitted": bare
        and not named
        and len(words) <= _FEW + 1
        and not content_words(question[: bare.start()]),
        "place_omitted": not named and len(words) < _FEW and _ANY.match(question),
        "owner_omitted": not named and _owner_missing(question, words),
    }
    return next((name for name, found in cues.items() if found), "")


def _owner_missing(question: str, words: list[str]) -> bool:
    """Whether all that the question names belongs to something that it does not name."""
    asked_for = _ASKED_FOR.match(question)
    lowered = [word.lower() for word in words]
    owned = [word in _RELATIONAL for word in lowered]
    if asked_for and owned and lowered[0] == asked_for["noun"].lower():
        owned[0] = False  # "What group …": the noun is what is asked for, not whose it is
    if not any(owned) or len(words) > _FEW + 1 or _DEFINED.match(question):
        return False
    left = [
        place
        for place, word in enumerate(lowered)
        if word not in _RELATIONAL and word not in _PLAIN and not _ADJECTIVE.search(word)
    ]
    # "Why was the system chosen?": what happened to it is not what it is.
    happened = len(left) == 1 and left[0] > owned.index(True)
    return not left or (happened and lowered[left[0]].endswith(_DONE))


def may_lean(question: str) -> bool:
    """Whether a short question without a name or number may be of what the thread is about."""
    plain = not names(question) and not re.search(r"[\d\"“《]", question)
    return plain and 1 <= len(content_words(question)) <= _MOST_LEANING


def full_names(question: str, thread: Sequence[str]) -> str:
    """The question with a surname or first name said in full, as the thread says it."""
    known = [name for earlier in thread for name in names(earlier) if _PERSON.fullmatch(name)]
    for short in names(question):
        whole = [n for n in known if short in (n.split()[0], n.split()[-1]) and n not in question]
        if whole and len(short) >= _SHORTEST_NAME and short not in _NO_PERSON:
            return re.sub(rf"\b{re.escape(short)}\b", whole[0], question, count=1)
    return question
