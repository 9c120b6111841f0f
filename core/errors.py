"""The error tree. A message says what happened and what to do, in the user's words.

TuwenError
├── UsageError            the caller asked for something impossible (exit code 2)
├── SettingsError         a setting is unknown, out of bounds or contradicts another
├── MissingExtraError     an optional package is not installed; names the extra
├── DocumentError         one file cannot be ingested; the batch goes on
│   ├── UnsupportedFileError
│   ├── EmptyFileError
│   ├── LockedFileError   password protected
│   ├── DamagedFileError
│   └── NoTextError       nothing readable (a scan without OCR)
├── StoreError            the store is locked, damaged or not writable
│   ├── StoreBusyError
│   └── IndexMismatchError  built with another model; says which command rebuilds
└── ModelError            a model endpoint failed
    ├── TransientError    worth a retry (429, 5xx, time-outs); may carry retry_after seconds
    └── PermanentError    not worth a retry (401, unknown model, content filter)
"""


class TuwenError(Exception):
    """Base of every error that may be shown to a person. `zh` is the message in Chinese, where
    there is one."""

    exit_code = 1
    zh = ""

    def said(self, language: str) -> str:
        """The message in Chinese for "zh" where it is known, else as raised."""
        return self.zh if language == "zh" and self.zh else str(self)


class UsageError(TuwenError):
    """The request itself is wrong."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting is unknown or out of bounds."""


class MissingExtraError(TuwenError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed. Install it with: pip install 'tuwen[{extra}]'"
        )
        self.package = package
        self.extra = extra


class DocumentError(TuwenError):
    """One file cannot be ingested. `reason` is a stable word for machines."""

    reason = "failed"


class UnsupportedFileError(DocumentError):
    """The content is of no type that any parser reads."""

    reason = "unsupported"


class EmptyFileError(DocumentError):
    """The file has no bytes, or only white space."""

    reason = "empty"


class LockedFileError(DocumentError):
    """The file needs a password."""

    reason = "locked"


class DamagedFileError(DocumentError):
    """The file is broken: truncated, invalid JSON, or not what its name says."""

    reason = "damaged"


class NoTextError(DocumentError):
    """There are pages but no text on them."""

    reason = "no_text"

    def __init__(self, message: str, *, pages: int = 0) -> None:
        super().__init__(message)
        self.pages = pages


class StoreError(TuwenError):
    """The store cannot be used. `place` is the folder or address that the message names: the
    operator reads it in the log, a reader of what was `said` does not."""

    def __init__(self, message: str, *, zh: str = "", place: object = "") -> None:
        super().__init__(message)
        self.zh = zh
        self.place = str(place)

    def said(self, language: str) -> str:
        """The message without its place."""
        text = super().said(language)
        return text.replace(self.place, "…") if len(self.place) > 1 else text


class StoreBusyError(StoreError):
    """Another process owns the store."""


class IndexMismatchError(StoreError):
    """The index was built with another model or dimension."""


class ModelError(TuwenError):
    """A model endpoint failed. `reason` is a stable word for machines.

    rate, server, timeout, connection, unreadable (transient); auth, quota, model, rejected (the
    form of the request, HTTP 400 or 422), too_long, filtered, empty, protocol (permanent).
    """

    kind = "model"

    def __init__(self, message: str, *, reason: str = "", zh: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.zh = zh


class TransientError(ModelError):
    """Worth a retry after `retry_after` seconds (None: the caller's own back-off)."""

    kind = "transient"

    def __init__(
        self, message: str, *, retry_after: float | None = None, reason: str = "", zh: str = ""
    ) -> None:
        super().__init__(message, reason=reason, zh=zh)
        self.retry_after = retry_after


class PermanentError(ModelError):
    """A retry would fail the same way."""

    kind = "permanent"
