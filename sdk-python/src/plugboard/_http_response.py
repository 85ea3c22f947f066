"""Responses of HTTP/1.1, read piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from http.client import parse_headers
from io import BytesIO

from ._response import Headers
from ._sockets import Stream

_MAX_HEAD_BYTES = 256 * 1024


class ProtocolError(OSError):
    """What arrived is not HTTP, or ended too early."""


class _Reader:
    """Reads lines and pieces from a stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._buffer = b""

    @property
    def is_empty(self) -> bool:
        return not self._buffer

    async def until(self, end: bytes) -> bytes:
        while (at := self._buffer.find(end)) < 0:
            if len(self._buffer) > _MAX_HEAD_BYTES:
                raise ProtocolError("the response's headers are too long")
            piece = await self._stream.read()
            if not piece:
                raise ProtocolError("the connection was closed before the response")
            self._buffer += piece
        found, self._buffer = self._buffer[: at + len(end)], self._buffer[at + len(end) :]
        return found

    async def some(self, max_bytes: int | None) -> bytes:
        piece = self._buffer or await self._stream.read()
        cut = len(piece) if max_bytes is None else max_bytes
        self._buffer = piece[cut:]
        return piece[:cut]


class HttpReply:
    def __init__(self, stream: Stream, status: int, headers: Headers, release: Callable[[], None]) -> None:
        self.status = status
        self.headers = headers
        self._stream = stream
        self._reader = _Reader(stream)
        self._release = release
        self._is_chunked = False
        self._left: int | None = 0
        self._is_finished = False

    @classmethod
    async def read_head(cls, stream: Stream, method: str, release: Callable[[], None]) -> HttpReply:
        response = cls(stream, 0, Headers(), release)
        version = ""
        # Responses such as 103 come before the one that counts.
        while response.status < 200:
            head = await response._reader.until(b"\r\n\r\n")
            first, _, rest = head.partition(b"\r\n")
            version, _, status = first.decode("latin-1").partition(" ")
            if not version.startswith("HTTP/1.") or not status[:3].isdecimal():
                raise ProtocolError("the response is not HTTP/1.1")
            response.status = int(status[:3])
            response.headers = Headers(parse_headers(BytesIO(rest)).items())
        response._expect_body(method, version)
        return response

    def _expect_body(self, method: str, version: str) -> None:
        headers = self.headers
        self._is_chunked = headers.get("transfer-encoding", "").lower().endswith("chunked")
        length = headers.get("content-length", "")
        if method == "HEAD" or self.status in (204, 304):
            self._is_chunked, self._left = False, 0
        elif self._is_chunked:
            self._left = 0
        else:
            # Without a length, the body ends with the connection.
            self._left = int(length) if length.isdecimal() else None
        is_kept = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
        if not is_kept or self._left is None:
            self._release = self._stream.close
        if self._left == 0 and not self._is_chunked:
            self._finish()

    async def read(self) -> bytes:
        if self._is_finished:
            return b""
        try:
            return await self._read_piece()
        except BaseException:
            await self.close()
            raise

    async def _read_piece(self) -> bytes:
        if self._is_chunked and self._left == 0:
            size = (await self._reader.until(b"\r\n")).split(b";")[0].strip()
            try:
                self._left = int(size, 16)
            except ValueError:
                raise ProtocolError("the response has an invalid chunk") from None
            if self._left == 0:
                while await self._reader.until(b"\r\n") != b"\r\n":
                    pass
                self._finish()
                return b""
        piece = await self._reader.some(self._left)
        if not piece:
            if self._left is not None:
                raise ProtocolError("the connection was lost while the response was read")
            self._finish()
            return b""
        if self._left is not None:
            self._left -= len(piece)
            if self._left == 0 and self._is_chunked:
                await self._reader.until(b"\r\n")
            elif self._left == 0:
                self._finish()
        return piece

    def _finish(self) -> None:
        self._is_finished = True
        self._stream.deadline = None
        if self._reader.is_empty:
            self._release()
        else:
            self._stream.close()

    async def close(self) -> None:
        if not self._is_finished:
            self._is_finished = True
            self._stream.close()
