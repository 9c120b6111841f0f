"""Make derived indexes what the catalog says: after a change of encoder, or of something worse."""

from dataclasses import asdict

from ..core.settings import Settings
from .doctor import Finding
from .services import opened_store


def rebuild(settings: Settings, collection: str) -> int:
    """Embed a collection again; how many chunks. Raises StoreError when there is none."""
    with opened_store(settings) as store:
        return store.reindex(collection)


def mend(settings: Settings) -> list[Finding]:
    """Compare every index with the catalog and mend it; what was done, and what could not be."""
    with opened_store(settings) as store:
        done = asdict(store.repair())
    problems = done.pop("problems")
    counts = ", ".join(f"{name} {count}" for name, count in done.items() if count)
    findings = [Finding(name="repair", state="ok", detail=counts or "nothing to mend")]
    findings += [Finding(name="repair", state="bad", detail=problem) for problem in problems]
    return findings
