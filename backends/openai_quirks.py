"""What an endpoint was found not to accept, learnt from its refusals and kept for the process."""

from dataclasses import dataclass, field
from typing import Any

from ..core.errors import PermanentError

Json = dict[str, Any]
_DROPPABLE = ("stream_options", "temperature")


@dataclass
class Quirks:
    """Deviations of one endpoint. `learn` turns a refusal into one, `apply` obeys them."""

    stream_only: bool = False
    """Calls without streaming are refused, as by models that think."""
    no_system_role: bool = False
    opens_thinking: bool = False
    """Replies close a <think> that they did not open."""
    max_completion_tokens: bool = False
    """The limit goes by its newer name."""
    dropped: set[str] = field(default_factory=set)

    def apply(self, params: Json) -> Json:
        """The parameters without what the endpoint refuses."""
        kept = {key: value for key, value in params.items() if key not in self.dropped}
        if self.max_completion_tokens and "max_tokens" in kept:
            kept["max_completion_tokens"] = kept.pop("max_tokens")
        return kept

    def learn(self, error: PermanentError, params: Json) -> bool:
        """Whether the refusal taught something that makes another attempt sensible."""
        if error.reason != "rejected":
            return False
        message = str(error).lower()
        if "max_completion_tokens" in message and "max_tokens" in params:
            self.max_completion_tokens = True
            return True
        for name in _DROPPABLE:
            if name in message and name in params:
                self.dropped.add(name)
                return True
        if "system" in message and "role" in message and not self.no_system_role:
            self.no_system_role = True
            return True
        if "stream" in message and "stream_options" not in params and not self.stream_only:
            self.stream_only = True
            return True
        return False
