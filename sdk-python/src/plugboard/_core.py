"""What the calls of each API have in common."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from ._content import OMIT, AsyncContent, without_omitted
from ._given_http import Received
from ._lists import Walk, stream_pages
from ._response import Answer, Page
from ._transport import Call, Transport

# What the Platform API's lists are paged by. `before`: newest first, or with `after` alone from there on. `log` is a list
# to which entries are added at its end.
Paging = Literal["after", "before", "until", "none", "log"]
_DEFAULT_PAGE = 50


@dataclass(frozen=True)
class Parts:
    """What a request has besides its path."""

    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = OMIT
    content: AsyncContent = OMIT
    size: int | None = None
    content_type: str | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Core(Protocol):
    def list(self, path: str, query: Mapping[str, Any], paging: Paging, stream: bool) -> Walk[Any]: ...
    async def call(self, method: str, path: str, parts: Parts) -> Answer[Any]: ...
    async def download(self, path: str) -> Answer[Received]: ...


def _body_of(body: Any) -> Any:
    return without_omitted(cast("dict[str, Any]", body)) if isinstance(body, dict) else body


async def _as_it_is(received: Received) -> Received:
    return received


class UnifiedCore:
    """The operations of the Unified API, over one connection."""

    def __init__(self, transport: Transport, connection: str) -> None:
        self.transport = transport
        self.connection = connection

    def _call(self, method: str, path: str, parts: Parts, is_stream: bool = False) -> Call:
        return Call(
            "unified",
            method,
            path,
            self.connection,
            parts.query,
            _body_of(parts.body),
            parts.content,
            parts.size,
            parts.content_type,
            parts.idempotency_key,
            parts.headers,
            is_stream,
        )

    async def request(self, method: str, path: str, parts: Parts) -> Answer[Any]:
        """`response` as it is."""
        answer = await self.transport.json(self._call(method, path, parts))
        return Answer(answer.data["response"], answer.response)

    async def call(self, method: str, path: str, parts: Parts) -> Answer[Any]:
        answer = await self.request(method, path, parts)
        return Answer(answer.data["data"], answer.response)

    async def download(self, path: str) -> Answer[Received]:
        return await self.transport.send(self._call("GET", path, Parts(), True), _as_it_is)

    def list(self, path: str, query: Mapping[str, Any], paging: Paging, stream: bool) -> Walk[Any]:
        async def load(after: str | None) -> Page[Any]:
            page = query if after is None else {**query, "after": after}
            answer = await self.request("GET", path, Parts(page))
            metadata: dict[str, Any] = answer.data.get("metadata") or {}
            return Page(answer.data["data"], metadata.get("next"), answer.response, answer.data.get("_raw"))

        def streamed() -> AsyncGenerator[Page[Any], None]:
            return stream_pages(self.transport, self._call("GET", path, Parts(query)))

        return Walk(load, stream=streamed if stream else None)


class PlatformCore:
    """The calls of the Platform API."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def call(self, method: str, path: str, parts: Parts) -> Answer[Any]:
        return await self.transport.json(Call("platform", method, path, query=parts.query, body=_body_of(parts.body)))

    async def download(self, path: str) -> Answer[Received]:
        return await self.transport.send(Call("platform", "GET", path, is_stream=True), _as_it_is)

    def list(self, path: str, query: Mapping[str, Any], paging: Paging, stream: bool) -> Walk[Any]:
        given = {name: value for name, value in without_omitted(query).items() if value is not None}

        async def load_log(after: str | None) -> Page[Any]:
            # With `before`, it is read backwards.
            direction = "before" if "before" in given else "after"
            page = given if after is None else {**given, direction: after}
            answer = await self.call("GET", path, Parts(page))
            return Page(answer.data["data"], answer.data["next"], answer.response)

        async def load(after: str | None) -> Page[Any]:
            is_forward = "after" in given and "before" not in given
            parameter = "after" if paging == "before" and is_forward else paging
            page = given if after is None else {**given, "offset": OMIT, parameter: after}
            answer = await self.call("GET", path, Parts(page))
            data: list[Any] = answer.data
            is_last = paging == "none" or not data or len(data) < given.get("limit", _DEFAULT_PAGE)
            last = None if is_last else str(data[-1]["id"])
            # A search of the request log may end early, with any number of entries.
            return Page(data, answer.response.headers.get("x-searched-until", last), answer.response)

        return Walk(load_log, grows=True) if paging == "log" else Walk(load)


class DryRunCore(UnifiedCore):
    """The same operations with `dry_run`."""

    async def call(self, method: str, path: str, parts: Parts) -> Answer[Any]:
        planned = Parts({**parts.query, "dry_run": True}, parts.body, idempotency_key=parts.idempotency_key)
        return await super().call(method, path, planned)


class ProxyCore(UnifiedCore):
    """The provider's own API, over one connection."""

    async def call(self, method: str, path: str, parts: Parts) -> Answer[Any]:
        headers = {"accept": "application/json", **parts.headers}
        call = Call("proxy", method, _with_slash(path), self.connection, parts.query, parts.body, headers=headers)
        return await self.transport.json(call)

    async def open(self, method: str, path: str, parts: Parts) -> Received:
        call = Call(
            "proxy",
            method,
            _with_slash(path),
            self.connection,
            parts.query,
            content=parts.content,
            size=parts.size,
            headers=parts.headers,
        )
        return await self.transport.send_as_it_is(call)


def _with_slash(path: str) -> str:
    return path if path.startswith("/") else f"/{path}"
