"""The frozen pydantic base that every noun shares."""

from pydantic import BaseModel, ConfigDict


class Noun(BaseModel):
    """Immutable, strict about unknown fields: a misspelt field is an error, not a loss."""

    model_config = ConfigDict(frozen=True, extra="forbid")
