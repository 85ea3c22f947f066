"""Bodies of responses that are read as streams."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Any

from ._drive import run
from ._given_http import Received
from ._response import Headers
from ._transport import own_errors


class _Body:
    """Reads as many bytes as somebody wants at a time."""

    def __init__(self, received: Received) -> None:
        self._received = received
        self._rest = b""

    async def piece(self) -> bytes:
        if self._rest:
            piece, self._rest = self._rest, b""
            return piece
        with own_errors():
            return await self._received.read()

    async def read(self, size: int) -> bytes:
        pieces: list[bytes] = []
        length = 0
        while size < 0 or length < size:
            piece = await self.piece()
            if not piece:
                break
            pieces.append(piece)
            length += len(piece)
        data = b"".join(pieces)
        if size >= 0:
            data, self._rest = data[:size], data[size:]
        return data

    async def close(self) -> None:
        await self._received.close()


class _About:
    """What the headers say."""

    def __init__(self, received: Received) -> None:
        self._body = _Body(received)
        self.status = received.status
        self.headers: Headers = received.headers

    @property
    def content_type(self) -> str | None:
        return self.headers.get("content-type")

    @property
    def size(self) -> int | None:
        """In bytes; None if it is not known."""
        length = self.headers.get("content-length", "")
        return int(length) if length.isdecimal() else None


class StreamedResponse(_About):
    """A response as a stream of bytes: read it, iterate over it, or pass it to an upload. Close it, or use `with`."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes, or everything."""
        return run(self._body.read(size))

    def __iter__(self) -> Iterator[bytes]:
        while piece := run(self._body.piece()):
            yield piece

    def text(self) -> str:
        return self.read().decode()

    def json(self) -> Any:
        return json.loads(self.read())

    def close(self) -> None:
        run(self._body.close())

    def __enter__(self) -> StreamedResponse:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncStreamedResponse(_About):
    """A response as a stream of bytes: read it, iterate over it, or pass it to an upload. Close it, or use `async with`."""

    async def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes, or everything."""
        return await self._body.read(size)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await self._body.piece():
            yield piece

    async def text(self) -> str:
        return (await self.read()).decode()

    async def json(self) -> Any:
        return json.loads(await self.read())

    async def close(self) -> None:
        await self._body.close()

    async def __aenter__(self) -> AsyncStreamedResponse:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()
