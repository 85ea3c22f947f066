"""The body of a request: JSON, or what is uploaded."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, cast, runtime_checkable

from .http import Body

PIECE_BYTES = 65536


@runtime_checkable
class Readable(Protocol):
    """A binary file that is open for reading, or a download."""

    def read(self, size: int = ..., /) -> bytes: ...


Content = str | bytes | Readable | Iterable[bytes | str]
"""What is uploaded. Anything but text and bytes is a stream."""
AsyncContent = Content | AsyncIterable[bytes | str]
"""What `AsyncPlugboard` uploads: also what can be iterated over asynchronously."""


class _Omit:
    def __repr__(self) -> str:
        return "OMIT"

    def __bool__(self) -> bool:
        return False


OMIT: Any = _Omit()
"""The value of a parameter that is not sent. `None` is sent, as null."""


def without_omitted(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not OMIT}


def _to_bytes(piece: bytes | str) -> bytes:
    return piece.encode() if isinstance(piece, str) else bytes(piece)


def _read_pieces(file: Readable) -> Iterator[bytes]:
    while piece := file.read(PIECE_BYTES):
        yield _to_bytes(piece)


def _iterate(content: Iterable[bytes | str]) -> Iterator[bytes]:
    for piece in content:
        yield _to_bytes(piece)


async def _iterate_async(content: AsyncIterable[bytes | str]) -> AsyncIterator[bytes]:
    async for piece in content:
        yield _to_bytes(piece)


def _seek_info(file: Any) -> tuple[int, int] | None:
    """Where a file is, and how much follows; None if it can be read only once."""
    try:
        if not file.seekable():
            return None
        start: int = file.tell()
        end: int = file.seek(0, 2)
        file.seek(start)
        return start, end - start
    except (AttributeError, OSError):
        return None


class RequestBody:
    """What is sent, and what the headers say about it."""

    def __init__(self, open_body: Callable[[], Body], headers: dict[str, str], once: bool = False) -> None:
        self.open = open_body
        """A new body for each attempt."""
        self.headers = headers
        self.once = once
        """Whether it can be sent only once."""


def json_body(value: Any) -> RequestBody:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return RequestBody(lambda: data, {"content-type": "application/json"})


def content_body(content: AsyncContent, size: int | None, content_type: str | None) -> RequestBody:
    # A download has both.
    content_type = content_type or getattr(content, "content_type", None)
    if isinstance(content, str):
        content_type = content_type or "text/plain;charset=UTF-8"
    headers = {"content-type": content_type} if isinstance(content_type, str) else {}
    if isinstance(content, (str, bytes, bytearray, memoryview)):
        data = _to_bytes(cast("str | bytes", content))
        return RequestBody(lambda: data, headers)
    known: Any = size if size is not None else getattr(content, "size", None)
    seekable = None if isinstance(content, AsyncIterable) else _seek_info(content)
    if not isinstance(known, int) and seekable:
        known = seekable[1]
    if isinstance(known, int):
        headers["content-length"] = str(known)
    if seekable:
        start = seekable[0]

        def rewound() -> Iterator[bytes]:
            cast(Any, content).seek(start)
            return _read_pieces(cast(Readable, content))

        return RequestBody(rewound, headers)
    if isinstance(content, AsyncIterable):
        pieces: Body = _iterate_async(content)
    elif isinstance(content, Readable):
        pieces = _read_pieces(content)
    else:
        pieces = _iterate(content)
    return RequestBody(lambda: pieces, headers, once=True)
