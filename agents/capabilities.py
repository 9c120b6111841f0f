"""What each endpoint was found to accept."""


class Capabilities:
    """The rung of the ladder that each endpoint accepts; shared by all roles of a process."""

    def __init__(self) -> None:
        self._rung: dict[str, int] = {}

    def rung(self, endpoint: str) -> int:
        """Where to begin: 0 json_schema, 1 json_object, 2 prompt."""
        return self._rung.get(endpoint, 0)

    def remember(self, endpoint: str, rung: int) -> None:
        """The endpoint accepted this rung and refused those above."""
        self._rung[endpoint] = max(rung, self.rung(endpoint))
