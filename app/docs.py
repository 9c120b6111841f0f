"""The generated parts of the documentation: settings, and the graph's drawing.

`python -m tuwen.app.docs` rewrites them; a test compares them with the code.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from ..core.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
HEADER = """\
# Every setting with its default. Copy to .env and uncomment what you change.
# The same keys work in tuwen.toml: TUWEN_CHAT__BASE_URL is [chat] base_url.
"""


def rows(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """(environment variable, default, description) of every setting."""
    for name, field in model.model_fields.items():
        key = f"{prefix}{name.upper()}"
        if isinstance(field.default, BaseModel):
            yield from rows(type(field.default), f"{key}__")
        else:
            yield f"TUWEN_{key}", _default(field.default), field.description or ""


def _default(value: Any) -> str:
    if isinstance(value, SecretStr) or value in (None, (), {}):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def env_example() -> str:
    """`.env.example`."""
    lines = [HEADER]
    lines += [f"# {text}\n# {key}={default}\n" for key, default, text in rows()]
    return "\n".join(lines)


def settings_table() -> str:
    """docs/settings.md."""
    head = "# Settings\n\nBy environment, `.env` or `tuwen.toml`; unknown keys are refused.\n\n"
    body = [
        f"| `{key}` | {f'`{default}`' if default else ''} | {text} |"
        for key, default, text in rows()
    ]
    return head + "| variable | default | meaning |\n|---|---|---|\n" + "\n".join(body) + "\n"


def drawing() -> str:
    """The chat graph as mermaid, with its retrieval subgraph."""
    from ..graph.drawing import draw_chat

    return draw_chat()


def with_drawing(readme: str) -> str:
    """The README with the drawing between its markers."""
    block = f"<!-- graph -->\n```mermaid\n{drawing().strip()}\n```\n<!-- /graph -->"
    return re.sub(r"<!-- graph -->.*?<!-- /graph -->", lambda _: block, readme, flags=re.DOTALL)


def outputs() -> dict[Path, str]:
    """What each generated file must contain."""
    readme = ROOT / "README.md"
    return {
        ROOT / ".env.example": env_example(),
        ROOT / "docs" / "settings.md": settings_table(),
        readme: with_drawing(readme.read_text(encoding="utf-8")),
    }


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name}\n")
