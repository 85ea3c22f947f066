"""What the core needs of an HTTP client, and somebody else's client as such a one."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from typing import Protocol

from ._response import Headers
from .http import AsyncHttpClient, Body, HttpClient, HttpRequest


class Received(Protocol):
    """A response whose body is read piece by piece."""

    status: int
    headers: Headers

    async def read(self) -> bytes:
        """The next piece, or nothing at the end."""
        ...

    async def close(self) -> None: ...


class Http(Protocol):
    async def send(self, request: HttpRequest) -> Received: ...
    async def close(self) -> None: ...


async def pieces_of(body: Body) -> AsyncIterator[bytes]:
    if isinstance(body, AsyncIterable):
        async for piece in body:
            yield piece
    elif isinstance(body, bytes):
        yield body
    else:
        for piece in body or ():
            yield piece


class _GivenResponse:
    """A response of somebody else's client."""

    def __init__(
        self,
        status: int,
        headers: Iterable[tuple[str, str]],
        pieces: Iterable[bytes] | AsyncIterable[bytes],
        close: Callable[[], Awaitable[None] | None],
    ) -> None:
        self.status = status
        self.headers = Headers(headers)
        self._pieces = pieces_of(pieces)
        self._close = close

    async def read(self) -> bytes:
        async for piece in self._pieces:
            if piece:
                return piece
        return b""

    async def close(self) -> None:
        closing = self._close()
        if closing is not None:
            await closing


class GivenHttp:
    """An HTTP client that blocks, as the core expects one."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def send(self, request: HttpRequest) -> Received:
        response = self._client.send(request)
        return _GivenResponse(response.status, response.headers, response.pieces, response.close)

    async def close(self) -> None:
        self._client.close()


class GivenAsyncHttp:
    def __init__(self, client: AsyncHttpClient) -> None:
        self._client = client

    async def send(self, request: HttpRequest) -> Received:
        response = await self._client.send(request)
        return _GivenResponse(response.status, response.headers, response.pieces, response.close)

    async def close(self) -> None:
        await self._client.close()
