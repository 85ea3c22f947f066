"""The body of a request: JSON, or what is uploaded."""

from __future__ import annotations

import json
from array import array
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, Union, cast, runtime_checkable

from ._drive import iterate
from ._given_http import pieces_of
from .http import Body

PIECE_BYTES = 65536


@runtime_checkable
class Readable(Protocol):
    """A file that is open for reading, or a download."""

    def read(self, size: int = ..., /) -> bytes: ...


Content = Union[str, bytes, bytearray, memoryview, "array[Any]", Readable, Iterable[bytes | str]]
"""What is uploaded. Anything but text and bytes is a stream; its text is sent as UTF-8."""
AsyncContent = Content | AsyncIterable[bytes | str]
"""What `AsyncPlugboard` uploads: also what can be iterated over asynchronously."""


class _Omit:
    def __repr__(self) -> str:
        return "OMIT"

    def __bool__(self) -> bool:
        return False


OMIT: Any = _Omit()
"""The value of a parameter that is not sent. `None` is sent as null in a body, and left out of a query."""


def without_omitted(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not OMIT}


def _bytes_of(content: Any) -> bytes | None:
    """The bytes of text and of anything that consists of bytes, such as an `array`; None of anything else."""
    if isinstance(content, (str, bytes)):
        return content.encode() if isinstance(content, str) else content
    try:
        # `mmap` is both: it is read, instead of copied as a whole.
        return None if isinstance(content, Readable) else memoryview(content).tobytes()
    except TypeError:
        return None


def _to_bytes(piece: Any) -> bytes:
    data = _bytes_of(piece)
    if data is None:
        raise TypeError(f"content has to consist of bytes or text, not of {type(piece).__name__}")
    return data


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
        # Of text, positions are no numbers of bytes.
        if not file.seekable() or isinstance(file.read(0), str):
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


def _check_stream(content: object) -> None:
    name = type(content).__name__
    if isinstance(content, Mapping) or not isinstance(content, (Readable, Iterable, AsyncIterable)):
        kinds = "text, bytes, an open file, an iterable of bytes or text, or a download"
        raise TypeError(f"content has to be {kinds}, not {name}")


def content_body(content: AsyncContent, size: int | None, content_type: str | None) -> RequestBody:
    # A download has both.
    content_type = content_type or getattr(content, "content_type", None)
    if isinstance(content, str):
        content_type = content_type or "text/plain;charset=UTF-8"
    headers = {"content-type": content_type} if isinstance(content_type, str) else {}
    data = _bytes_of(content)
    if data is not None:
        return RequestBody(lambda: data, headers)
    _check_stream(content)
    seekable = None if isinstance(content, AsyncIterable) else _seek_info(content)
    known: Any = size
    if known is None:
        known = seekable[1] if seekable else getattr(content, "size", None)
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
        pieces = _iterate(cast("Iterable[bytes | str]", content))
    return RequestBody(lambda: pieces, headers, once=True)


async def _of_length(pieces: AsyncIterator[bytes], length: int) -> AsyncGenerator[bytes, None]:
    left, last = length, b""
    async for piece in pieces:
        left -= len(piece)
        if left < 0:
            break
        # The last piece waits for the end: what is too long never becomes a complete request.
        if left:
            yield piece
        else:
            last += piece
    if left:
        comparison = "longer" if left < 0 else "shorter"
        raise ValueError(f"the content is {comparison} than its size of {length} bytes: pass its exact size, or none")
    yield last


def open_body(body: RequestBody | None, headers: Mapping[str, str]) -> Body:
    """A new body for an attempt. A stream is refused if it does not have the length that the headers say, because the
    server would read the rest as the next request."""
    content = body.open() if body else None
    length = headers.get("content-length")
    if content is None or isinstance(content, bytes) or length is None:
        return content
    checked = _of_length(pieces_of(content), int(length))
    return checked if isinstance(content, AsyncIterable) else iterate(checked)
