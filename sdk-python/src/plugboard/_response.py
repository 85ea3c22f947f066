"""What is known about a response besides its body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class RateLimit(NamedTuple):
    """What is left of the connection's rate limit."""

    limit: int
    """How many calls the window allows."""
    remaining: int
    reset: int
    """Seconds until the window ends."""


class Headers(Mapping[str, str]):
    """Headers by name, in any case."""

    def __init__(self, items: Iterable[tuple[str, str]] = ()) -> None:
        self._values: dict[str, str] = {}
        for name, value in items:
            known = self._values.get(name.lower())
            self._values[name.lower()] = value if known is None else f"{known}, {value}"

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values})"

    def rate_limit(self, header_prefix: str) -> RateLimit | None:
        # With our own prefix where the usual names belong to the provider.
        prefix = header_prefix if f"{header_prefix}ratelimit-limit" in self else "x-"
        limit, remaining, reset = (self.get(f"{prefix}ratelimit-{name}", "") for name in RateLimit._fields)
        if not limit.isdecimal():
            return None
        return RateLimit(int(limit), int(remaining or 0), int(reset or 0))


@dataclass(frozen=True)
class ResponseInfo:
    """The response that a result comes from."""

    status: int
    headers: Headers
    request_id: str | None
    """Finds the request in Plugboard's log."""
    rate_limit: RateLimit | None
    """None if the call was not counted."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A result with its response."""

    data: T
    response: ResponseInfo


@dataclass(frozen=True)
class Page(Generic[T]):
    """A part of a list."""

    data: list[T]
    next: str | None
    """Pass it as `after` to get the next page, as `before` if you read backwards, as `until` of the request log; None if
    this is the last one."""
    response: ResponseInfo = field(repr=False, compare=False)
    raw: Any = None
    """The provider's own response, if `include_raw` was set."""


@dataclass(frozen=True)
class Attempt:
    """One attempt to send a request."""

    method: str
    url: str
    """Without the query."""
    attempt: int
    """1 for the first one."""
    seconds: float
    status: int | None
    """None if there was no response."""
    request_id: str | None
    error: BaseException | None
    """Why there was no response."""
