"""Lists: their first page, and everything by iterating."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from ._drive import iterate, run
from ._given_http import Received
from ._read_error import line_error
from ._response import Page, ResponseInfo
from ._transport import Call, Transport, own_errors
from .errors import NetworkError, PlugboardError

T = TypeVar("T")


@dataclass(frozen=True)
class Walk(Generic[T]):
    """How a list is read."""

    load: Callable[[str | None], Awaitable[Page[T]]]
    grows: bool = False
    """A list that grows has a `next` on every page, and ends for now with one that is empty."""
    stream: Callable[[], AsyncGenerator[Page[T], None]] | None = None
    """Instead of loading page by page. Nothing is loaded before somebody asks for it."""

    async def pages(self, first: Callable[[], Awaitable[Page[T]]]) -> AsyncGenerator[Page[T], None]:
        if self.stream:
            pages = self.stream()
            try:
                async for page in pages:
                    yield page
            finally:
                await pages.aclose()
            return
        page = await first()
        while True:
            yield page
            if page.next is None or (self.grows and not page.data):
                return
            page = await self.load(page.next)


class List(Generic[T]):
    """A list: `data` is its first page, and `for` goes through everything, loading pages as they are needed."""

    def __init__(self, walk: Walk[T]) -> None:
        self._walk = walk
        self._page: Page[T] | None = None
        if not walk.stream:
            run(self._first())

    async def _first(self) -> Page[T]:
        if self._page is None:
            self._page = await self._walk.load(None)
        return self._page

    @property
    def data(self) -> list[T]:
        """The records of the first page."""
        return run(self._first()).data

    @property
    def next(self) -> str | None:
        """Where the next page begins: see `next` of `Page`. None if there is only one page."""
        return run(self._first()).next

    @property
    def raw(self) -> Any:
        """The provider's own response, if `include_raw` was set."""
        return run(self._first()).raw

    @property
    def response(self) -> ResponseInfo:
        """The first page's response."""
        return run(self._first()).response

    def pages(self) -> Iterator[Page[T]]:
        """Page by page. Pages are loaded as they are needed."""
        return iterate(self._walk.pages(self._first))

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def to_list(self, max: int | None = None) -> list[T]:
        """Everything, or the first `max` records."""
        records: list[T] = []
        for page in self.pages():
            records += page.data
            if max is not None and len(records) >= max:
                break
        return records[:max]

    def __repr__(self) -> str:
        return f"List(data={self._page.data!r}, next={self._page.next!r})" if self._page else "List(…)"


class AsyncList(Generic[T]):
    """A list: `await` gives its first page, and `async for` goes through everything. Sends nothing before that."""

    def __init__(self, walk: Walk[T]) -> None:
        self._walk = walk
        self._page: Page[T] | None = None

    async def _first(self) -> Page[T]:
        if self._page is None:
            self._page = await self._walk.load(None)
        return self._page

    def __await__(self) -> Generator[Any, None, Page[T]]:
        return self._first().__await__()

    def pages(self) -> AsyncGenerator[Page[T], None]:
        """Page by page. Pages are loaded as they are needed."""
        return self._walk.pages(self._first)

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for record in page.data:
                yield record

    async def to_list(self, max: int | None = None) -> list[T]:
        """Everything, or the first `max` records."""
        records: list[T] = []
        pages = self.pages()
        try:
            async for page in pages:
                records += page.data
                if max is not None and len(records) >= max:
                    break
        finally:
            await pages.aclose()
        return records[:max]


async def _lines_of(received: Received) -> AsyncGenerator[bytes, None]:
    """The lines of a body. What follows the last line break was cut off."""
    rest = b""
    try:
        while piece := await received.read():
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line
    finally:
        await received.close()


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise NetworkError("A line of the stream is not JSON") from error


async def _as_stream(received: Received) -> Received:
    return received


async def stream_pages(transport: Transport, call: Call) -> AsyncGenerator[Page[Any], None]:
    """A whole list, from one response. A response that breaks off continues after its last complete page."""
    headers = {**call.headers, "accept": "application/x-ndjson"}
    call = replace(call, headers=headers, is_stream=True)
    attempt = 0
    while True:
        opened = await transport.send(call, _as_stream)
        lines = _lines_of(opened.data)
        data: list[Any] = []
        try:
            with own_errors(transport.settings.timeout):
                async for line in lines:
                    entry = _parse(line)
                    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
                    if fields.get("success") is False:
                        raise line_error(fields, opened.response.request_id)
                    # The only lines with this key: no record has it.
                    if not fields.get("metadata"):
                        data.append(entry)
                        continue
                    after: str | None = fields["metadata"]["next"]
                    yield Page(data, after, opened.response, fields.get("_raw"))
                    if after is None:
                        return
                    call = replace(call, query={**call.query, "after": after})
                    data, attempt = [], 0
            raise NetworkError("The stream ended before the list did")
        except PlugboardError as error:
            await transport.wait_to_retry(error, attempt)
        finally:
            await lines.aclose()
        attempt += 1
