"""Settings from the environment and a TOML file: read once, unknown keys refused.

Order: defaults < TOML (`TUWEN_CONFIG`, else ./tuwen.toml) < .env in the working folder <
environment. `TUWEN_CHAT__BASE_URL` is `chat.base_url`.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import ValidationError

from ..core.errors import SettingsError
from ..core.settings import Settings

PREFIX = "TUWEN_"
CONFIG_KEY = "TUWEN_CONFIG"
RESERVED = frozenset({CONFIG_KEY, "TUWEN_TEST_DATA"})
SHORT_NAMES = {"TUWEN_API_KEYS": "TUWEN_SERVER__API_KEYS"}


def load_settings(
    env: Mapping[str, str] | None = None, *, folder: Path | None = None, **overrides: Any
) -> Settings:
    """The settings of `env` (default: the process's) and of the files in `folder`.

    `overrides` are top-level fields that win, e.g. `home=...`. Raises SettingsError naming the
    key and what is allowed.
    """
    folder = folder or Path()
    if env is None:
        env = process_env(folder)
    values = _merge(_from_toml(env, folder), _from_env(env))
    try:
        return Settings.model_validate({**values, **overrides})
    except ValidationError as error:
        raise SettingsError(_in_words(error)) from error


def process_env(folder: Path) -> dict[str, str]:
    """The process's environment over the `.env` of `folder`."""
    dotenv = {key: value or "" for key, value in dotenv_values(folder / ".env").items()}
    return {**dotenv, **os.environ}


def toml_path(env: Mapping[str, str], folder: Path) -> Path:
    """The TOML file of settings, whether it exists or not."""
    named = env.get(CONFIG_KEY)
    return Path(named) if named else folder / "tuwen.toml"


def _from_toml(env: Mapping[str, str], folder: Path) -> dict[str, Any]:
    path = toml_path(env, folder)
    if not path.is_file():
        if named := env.get(CONFIG_KEY):
            raise SettingsError(f"{CONFIG_KEY} names {named}, which does not exist.")
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path.name} is no valid TOML: {error}") from error


def _from_env(env: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in sorted(env):
        if not key.startswith(PREFIX) or key in RESERVED:
            continue
        full = SHORT_NAMES.get(key, key)
        *groups, name = full.removeprefix(PREFIX).lower().split("__")
        room = values
        for group in groups:
            room = room.setdefault(group, {})
        room[name] = _value(name, env[key])
    return values


def _value(name: str, text: str) -> Any:
    if name == "api_keys":
        return [part.strip() for part in text.split(",") if part.strip()]
    if text[:1] in "{[" and text:
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return text
    return text


def _merge(low: dict[str, Any], high: dict[str, Any]) -> dict[str, Any]:
    merged = dict(low)
    for key, value in high.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _in_words(error: ValidationError) -> str:
    lines = []
    for item in error.errors():
        where = ".".join(str(part) for part in item["loc"])
        variable = PREFIX + "__".join(str(part).upper() for part in item["loc"])
        if item["type"] == "extra_forbidden":
            if isinstance(item["input"], dict) and item["input"]:
                variable += f"__{next(iter(item['input'])).upper()}"
            lines.append(f"Unknown setting {where} ({variable}). See .env.example for the list.")
        else:
            lines.append(f"Setting {where} ({variable}): {item['msg']}.")
    return "\n".join(lines)
