"""HTTP/1.1 with the standard library alone: connections that are kept, and bodies as streams in both directions."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from ._given_http import Received, pieces_of
from ._http_response import HttpReply
from ._sockets import Stream
from .http import Body, HttpRequest

Origin = tuple[str, str, int]
OpenStream = Callable[[str, int, "ssl.SSLContext | None", "float | None"], Awaitable[Stream]]

_MAX_IDLE = 20
# Shorter than servers keep a connection.
_MAX_IDLE_SECONDS = 4.0


def _head_of(request: HttpRequest, origin: Origin, target: str) -> bytes:
    scheme, host, port = origin
    name = f"[{host}]" if ":" in host else host
    headers = {"host": name if port == {"http": 80, "https": 443}[scheme] else f"{name}:{port}", **request.headers}
    if isinstance(request.body, bytes):
        headers["content-length"] = str(len(request.body))
    elif request.body is not None and "content-length" not in headers:
        headers["transfer-encoding"] = "chunked"
    elif request.body is None and request.method != "GET":
        headers["content-length"] = "0"
    lines = [f"{request.method} {target} HTTP/1.1", *(f"{header}: {value}" for header, value in headers.items())]
    if any(letter in line for line in lines for letter in "\r\n\0"):
        raise ValueError("headers cannot contain line breaks")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def _send(stream: Stream, head: bytes, body: Body) -> None:
    if isinstance(body, bytes):
        return await stream.write(head + body)
    await stream.write(head)
    if body is None:
        return
    is_chunked = b"\r\ntransfer-encoding: chunked\r\n" in head
    async for piece in pieces_of(body):
        if piece:
            await stream.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
    if is_chunked:
        await stream.write(b"0\r\n\r\n")


class OwnHttp:
    """Sends requests over connections that it opens and keeps."""

    def __init__(self, open_stream: OpenStream) -> None:
        self._open = open_stream
        self._idle: dict[Origin, list[tuple[float, Stream]]] = {}
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    async def send(self, request: HttpRequest) -> Received:
        parts = urlsplit(request.url)
        origin = (parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        head = _head_of(request, origin, target)
        deadline = time.monotonic() + request.timeout
        stream = self._take(origin, deadline) or await self._open(origin[1], origin[2], self._tls_for(origin), deadline)
        try:
            response = await self._exchange(stream, request, head, lambda: self._keep(origin, stream))
        except BaseException:
            stream.close()
            raise
        if request.is_stream:
            stream.deadline = None
        return response

    async def _exchange(
        self, stream: Stream, request: HttpRequest, head: bytes, release: Callable[[], None]
    ) -> HttpReply:
        try:
            await _send(stream, head, request.body)
        except (BrokenPipeError, ConnectionResetError) as error:
            # A server may respond and close the connection before it has read everything.
            try:
                return await HttpReply.read_head(stream, request.method, stream.close)
            except OSError:
                raise error from None
        return await HttpReply.read_head(stream, request.method, release)

    def _tls_for(self, origin: Origin) -> ssl.SSLContext | None:
        if origin[0] == "https" and not self._tls:
            self._tls = ssl.create_default_context()
        return self._tls if origin[0] == "https" else None

    def _take(self, origin: Origin, deadline: float) -> Stream | None:
        with self._lock:
            idle = self._idle.get(origin, [])
            while idle:
                since, stream = idle.pop()
                if time.monotonic() - since < _MAX_IDLE_SECONDS and stream.is_usable():
                    stream.deadline = deadline
                    return stream
                stream.close()
        return None

    def _keep(self, origin: Origin, stream: Stream) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            idle.append((time.monotonic(), stream))
            if len(idle) > _MAX_IDLE:
                idle.pop(0)[1].close()

    async def close(self) -> None:
        with self._lock:
            for idle in self._idle.values():
                for _, stream in idle:
                    stream.close()
            self._idle.clear()
