"""Words only: prompts as files, with checked placeholders.

A prompt file begins with the names of its variables and then holds the text, in which a variable
is written {{name}}:

    variables: question, evidence
    ---
    Question: {{question}}

Parts that a system message and a user message need apart are separated by a line `=== user ===`.
"""

import re
from functools import cache
from importlib import resources

from ..core.errors import UsageError
from ..core.model import Noun
from ..core.text import digest

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_SPLIT = "=== user ==="
# Chat templates' control tokens: in retrieved text they could end the message they stand in.
_CONTROL = re.compile(r"<(?=[|｜])")


class Prompt(Noun):
    """A prompt of the package. `version` is a digest of the text: it belongs in traces."""

    name: str
    text: str
    variables: frozenset[str]
    version: str

    def render(self, **values: str) -> str:
        """The text with every variable filled in, in one pass: values are never expanded again.

        Raises UsageError when the names differ from `variables`.
        """
        return self._fill(self.text, values)

    def parts(self, **values: str) -> tuple[str, str]:
        """(system, user): the two halves of a prompt that has both, each filled in."""
        system, _, user = self.text.partition(_SPLIT)
        return self._fill(system, values).strip(), self._fill(user, values).strip()

    def _fill(self, text: str, values: dict[str, str]) -> str:
        if set(values) != self.variables:
            wanted, given = sorted(self.variables), sorted(values)
            raise UsageError(f"Prompt {self.name} takes {wanted}, not {given}.")
        return _PLACEHOLDER.sub(lambda found: values[found.group(1)], text)


def names() -> tuple[str, ...]:
    """Every prompt of the package, sorted."""
    files = resources.files(__package__).iterdir()
    return tuple(sorted(f.name.removesuffix(".md") for f in files if f.name.endswith(".md")))


@cache
def load(name: str, language: str = "") -> Prompt:
    """The prompt `name`, or its form in a language ("zh", "en") where there is one.

    Raises UsageError for an unknown name and for a file whose declared variables are not those
    that it uses.
    """
    known = names()
    chosen = f"{name}_{language}" if f"{name}_{language}" in known else name
    if chosen not in known:
        raise UsageError(f"There is no prompt {chosen!r}. Known: {', '.join(known)}.")
    raw = (resources.files(__package__) / f"{chosen}.md").read_text(encoding="utf-8")
    return parse(chosen, raw)


def parse(name: str, raw: str) -> Prompt:
    """A prompt from a file's text. Raises UsageError when its head does not fit its body."""
    head, mark, text = raw.partition("\n---\n")
    if not mark or not head.startswith("variables:"):
        raise UsageError(f"Prompt {name} must begin with 'variables: ...' and a line '---'.")
    declared = {word.strip() for word in head.removeprefix("variables:").split(",")} - {""}
    used = set(_PLACEHOLDER.findall(text))
    if declared != used:
        raise UsageError(
            f"Prompt {name} declares {sorted(declared)} but uses {sorted(used)}. Make them equal."
        )
    text = text.strip() + "\n"
    return Prompt(name=name, text=text, variables=frozenset(declared), version=digest(text))


def fence(text: str, tag: str = "sources") -> str:
    """`text` between marks that it cannot contain: what stands inside is data, not instruction.

    The marks carry a digest of the text itself, so that no document can close its own fence.
    """
    safe = _CONTROL.sub("< ", text)
    mark = digest(tag, safe, length=8)
    return f"<{tag} {mark}>\n{safe}\n</{tag} {mark}>"
