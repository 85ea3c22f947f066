"""What the SDK needs of an HTTP client, for those who bring their own with `http_client`."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from typing import Protocol

Body = bytes | Iterable[bytes] | AsyncIterable[bytes] | None


@dataclass(frozen=True)
class HttpRequest:
    """A request as it is sent: nothing has to be added to it but its length."""

    method: str
    url: str
    headers: dict[str, str]
    """With names in lower case. `content-length` is there if the size of a stream is known."""
    body: Body
    timeout: float
    """Seconds until the response is read; of a stream, until it begins."""
    is_stream: bool = False
    """Whether the response is read as a stream."""


class HttpResponse(Protocol):
    """A response whose body is read piece by piece."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Iterable[tuple[str, str]]: ...
    @property
    def pieces(self) -> Iterable[bytes]: ...
    def close(self) -> None: ...


class HttpClient(Protocol):
    """Sends requests. Redirects are not followed, and no status is an error.

    If there is no response, `send` raises an `OSError`: a `TimeoutError` if it took too long.
    """

    def send(self, request: HttpRequest) -> HttpResponse: ...
    def close(self) -> None: ...


class AsyncHttpResponse(Protocol):
    """A response whose body is read piece by piece."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Iterable[tuple[str, str]]: ...
    @property
    def pieces(self) -> AsyncIterable[bytes]: ...
    async def close(self) -> None: ...


class AsyncHttpClient(Protocol):
    """As `HttpClient`, for `AsyncPlugboard`."""

    async def send(self, request: HttpRequest) -> AsyncHttpResponse: ...
    async def close(self) -> None: ...
