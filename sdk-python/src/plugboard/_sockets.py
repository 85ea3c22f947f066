"""Connections to a server: one that blocks, and one of asyncio. Both have a deadline instead of a time-out."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import socket
import ssl
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

PIECE_BYTES = 65536
# A peer that vanished is noticed after two minutes, also while nothing is expected from it.
_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}


class Stream(Protocol):
    deadline: float | None
    """By the clock of `time.monotonic`."""

    async def read(self) -> bytes:
        """Some bytes, or none at the end."""
        ...

    async def write(self, data: bytes) -> None: ...
    def is_usable(self) -> bool:
        """Whether an idle connection is still open."""
        ...

    def close(self) -> None: ...


def _remaining(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("timed out")
    return seconds


def _tune(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class BlockingStream:
    def __init__(self, sock: socket.socket, deadline: float | None) -> None:
        self._socket = sock
        self.deadline = deadline

    @classmethod
    async def open(cls, host: str, port: int, tls: ssl.SSLContext | None, deadline: float | None) -> BlockingStream:
        sock = socket.create_connection((host, port), _remaining(deadline))
        try:
            _tune(sock)
            if tls:
                sock.settimeout(_remaining(deadline))
                sock = tls.wrap_socket(sock, server_hostname=host)
        except BaseException:
            sock.close()
            raise
        return cls(sock, deadline)

    async def read(self) -> bytes:
        self._socket.settimeout(_remaining(self.deadline))
        return self._socket.recv(PIECE_BYTES)

    async def write(self, data: bytes) -> None:
        self._socket.settimeout(_remaining(self.deadline))
        self._socket.sendall(data)

    def is_usable(self) -> bool:
        # There is something to read only if the server has closed it.
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return not selector.select(0)

    def close(self) -> None:
        self._socket.close()


def _forget(task: asyncio.Future[Any]) -> None:
    """Takes the exception that nobody waits for any more."""
    if not task.cancelled():
        task.exception()


async def _before(deadline: float | None, step: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.wait_for`, which ignores a cancellation that comes at the wrong moment until Python 3.12."""
    if deadline is None:
        return await step
    task = asyncio.ensure_future(step)
    try:
        await asyncio.wait({task}, timeout=max(0, deadline - time.monotonic()))
        if not task.done():
            raise TimeoutError("timed out")
        return task.result()
    finally:
        task.cancel()
        task.add_done_callback(_forget)


class AsyncioStream:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deadline: float | None) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self.deadline = deadline

    @classmethod
    async def open(cls, host: str, port: int, tls: ssl.SSLContext | None, deadline: float | None) -> AsyncioStream:
        reader, writer = await _before(deadline, asyncio.open_connection(host, port, ssl=tls, limit=PIECE_BYTES))
        _tune(writer.get_extra_info("socket"))
        return cls(reader, writer, deadline)

    async def read(self) -> bytes:
        return await _before(self.deadline, self._reader.read(PIECE_BYTES))

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await _before(self.deadline, self._writer.drain())

    def is_usable(self) -> bool:
        # A client may outlive the loop that opened the connection, as with several calls of `asyncio.run`.
        is_here = self._loop is asyncio.get_running_loop()
        return is_here and not self._writer.is_closing() and not self._reader.at_eof()

    def close(self) -> None:
        if not self._loop.is_closed():
            self._writer.transport.abort()
            return
        # Nobody else would tell the server.
        with contextlib.suppress(OSError):
            self._writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
