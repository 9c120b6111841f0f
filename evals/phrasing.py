"""Questions made from a collection's own words, without a model and the same every time."""

import re
import unicodedata
from collections.abc import Sequence

from ..core.label import Label, display, find_labels
from ..core.ports import Tokenizer
from ..core.text import has_cjk, language, sentences

FULL_WIDTH = str.maketrans("0123456789.", "０１２３４５６７８９．")
HAN_DIGITS = "零一二三四五六七八九"
DROP_EVERY = 4
"""Every fourth content word is left out of a paraphrase."""
LEAST_WORDS, MOST_WORDS = 3, 12
LABEL_KINDS = ("figure", "table")
_FORMULA = re.compile(r"\$|\\[A-Za-z]")
_KEPT_CODE = re.compile(r"[A-Za-z]")
_ASK_ZH = {"figure": "{}展示了什么内容？", "table": "{}列出了什么内容？"}
_ASK_EN = {"figure": "What does {} show?", "table": "What does {} list?"}


def label_forms(label: Label, tongue: str) -> list[str]:
    """The ways in which people write a label, the document's language first, the other last."""
    usual = display(label, tongue)
    number = ".".join(label.parts)
    plain = all(part.isdigit() for part in label.parts)
    sub = f"({label.sub})" if label.sub else ""
    if not plain:
        return [usual]
    dashed = "-".join(label.parts) + sub
    forms = [usual]
    if tongue == "zh":
        word = "图" if label.kind == "figure" else "表"
        forms += [f"{word} {dashed}", f"{word}{(number + sub).translate(FULL_WIDTH)}"]
        if label.kind == "figure":
            forms.append(f"圖{number}{sub}")
        if len(label.parts) == 1 and len(number) == 1 and number != "0" and not sub:
            forms.append(f"{word}{HAN_DIGITS[int(number)]}")
    else:
        short = "Fig." if label.kind == "figure" else "Tab."
        forms += [f"{short} {number}{sub}", f"{usual.split()[0].lower()} {dashed}"]
        forms.append(f"{usual.split()[0].upper()} {number}{sub}")
    forms.append(display(label, "en" if tongue == "zh" else "zh"))
    return list(dict.fromkeys(forms))


def label_question(kind: str, form: str) -> str:
    """A question by number, in the language of the written form."""
    return (_ASK_ZH if has_cjk(form) else _ASK_EN)[kind].format(form)


def without_label(caption: str) -> str:
    """A caption without the label that it begins with."""
    spans = find_labels(caption)
    if spans and not caption[: spans[0].start].strip():
        return caption[spans[0].end :].strip(" \t.:：、-—–|")
    return caption.strip()


def scrambled(text: str, tokenizer: Tokenizer) -> str:
    """The first content words of a text, every fourth dropped, the second half first; "" if there
    are too few."""
    words = [word for word in _words(text, tokenizer) if word]
    kept = [word for place, word in enumerate(words) if (place + 1) % DROP_EVERY][:MOST_WORDS]
    if len(kept) < LEAST_WORDS:
        return ""
    middle = len(kept) // 2
    turned = [*kept[middle:], *kept[:middle]]
    return _glued(turned)


def _words(text: str, tokenizer: Tokenizer) -> list[str]:
    """Content words as they stand in the text: the tokenizer's, or the Latin word around them."""
    found: list[str] = []
    for piece in re.findall(r"[A-Za-z][A-Za-z'\-]*|\d+(?:\.\d+)?%?|[^\x00-\x7f]+", text):
        if piece[0].isascii():
            found += [piece] if tokenizer.tokens(piece) else []
        else:
            found += tokenizer.tokens(unicodedata.normalize("NFKC", piece))
    return list(dict.fromkeys(found))


def _glued(words: Sequence[str]) -> str:
    text = ""
    for word in words:
        latin = bool(_KEPT_CODE.search(word[0])) or word[0].isdigit()
        before = bool(text) and (text[-1].isascii() and text[-1].isalnum())
        text += (" " if latin and before else "") + word
    return text


def paraphrase(caption: str, kind: str, tokenizer: Tokenizer) -> str:
    """A wish for the figure with this caption, in other words and without its number."""
    words = scrambled(without_label(caption), tokenizer)
    if not words:
        return ""
    table = kind == "table"
    if language(caption) == "zh":
        return f"哪{'个表' if table else '张图'}是关于{words}的？"
    return f"Which {'table' if table else 'figure'} is about {words}?"


def unnamed(caption: str, tokenizer: Tokenizer) -> str:
    """A question in a caption's words that asks for no figure or table; "" when it has too few."""
    words = scrambled(without_label(caption), tokenizer)
    if not words:
        return ""
    return f"{words}是怎样的？" if language(caption) == "zh" else f"What about {words}?"


def plain_question(sentence: str, tokenizer: Tokenizer) -> str:
    """An ordinary question about what a sentence says; "" when it says too little."""
    words = scrambled(sentence, tokenizer)
    if not words:
        return ""
    if language(sentence) == "zh":
        return f"关于{words}，文中是怎么说的？"
    return f"What is said about {words}?"


def telling_sentence(text: str, *, least: int = 30, most: int = 220) -> str:
    """The first sentence of fair length without label and formula; "" without one."""
    for start, end in sentences(text):
        sentence = text[start:end]
        weight = len(sentence) * (2 if has_cjk(sentence) else 1)
        fair = least <= weight and len(sentence) <= most
        if fair and not _FORMULA.search(sentence) and not find_labels(sentence):
            return sentence
    return ""


def overlap(words: Sequence[str], others: Sequence[str]) -> float:
    """Share of `words` that are among `others`; 0 without words."""
    wanted = set(words)
    return len(wanted & set(others)) / len(wanted) if wanted else 0.0
