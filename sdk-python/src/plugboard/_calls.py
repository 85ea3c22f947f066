"""What the generated methods call: one class for each client."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ParamSpec, TypedDict, TypeVar, cast, overload

from ._core import Core, Paging, Parts
from ._drive import run
from ._lists import AsyncList, List
from ._response import Answer
from ._streams import AsyncStreamedResponse, StreamedResponse

P = ParamSpec("P")
T = TypeVar("T")


def _data_of(answer: Answer[Any]) -> Any:
    return answer.data


def _answer_of(answer: Answer[Any]) -> Any:
    return answer


class Calls:
    """Of the client that blocks."""

    def __init__(self, core: Core, finish: Callable[[Answer[Any]], Any] = _data_of) -> None:
        self._core = core
        self._finish = finish

    def list(self, path: str, query: Mapping[str, Any], paging: Paging = "after", stream: bool = False) -> Any:
        return List[Any](self._core.list(path, query, paging, stream))

    def call(self, method: str, path: str, parts: Parts = Parts()) -> Any:
        return self._finish(run(self._core.call(method, path, parts)))

    def download(self, path: str) -> Any:
        answer = run(self._core.download(path))
        return self._finish(Answer(StreamedResponse(answer.data), answer.response))

    def answering(self) -> Calls:
        return Calls(self._core, _answer_of)


class AsyncCalls:
    """Of the client for asyncio."""

    def __init__(self, core: Core, finish: Callable[[Answer[Any]], Any] = _data_of) -> None:
        self._core = core
        self._finish = finish

    def list(self, path: str, query: Mapping[str, Any], paging: Paging = "after", stream: bool = False) -> Any:
        return AsyncList[Any](self._core.list(path, query, paging, stream))

    async def call(self, method: str, path: str, parts: Parts = Parts()) -> Any:
        return self._finish(await self._core.call(method, path, parts))

    async def download(self, path: str) -> Any:
        answer = await self._core.download(path)
        return self._finish(Answer(AsyncStreamedResponse(answer.data), answer.response))

    def answering(self) -> AsyncCalls:
        return AsyncCalls(self._core, _answer_of)


class DryRunCalls(Calls):
    """Every call returns what it would send."""

    def list(self, path: str, query: Mapping[str, Any], paging: Paging = "after", stream: bool = False) -> Any:
        return self.call("GET", path, Parts(query))

    def download(self, path: str) -> Any:
        return self.call("GET", path)


class AsyncDryRunCalls(AsyncCalls):
    async def list(self, path: str, query: Mapping[str, Any], paging: Paging = "after", stream: bool = False) -> Any:
        return await self.call("GET", path, Parts(query))

    async def download(self, path: str) -> Any:
        return await self.call("GET", path)


class PlannedRequest(TypedDict):
    """A request that would be sent to the provider."""

    method: str
    url: str
    headers: dict[str, str]
    body: Any


class DryRun(TypedDict):
    """What a call would send to the provider, without credentials."""

    requests: list[PlannedRequest]
    complete: bool
    """False if further calls follow that depend on the provider's answer to this one."""


def planned(method: Callable[P, object]) -> Callable[P, DryRun]:
    """A method of `DryRunCalls`, with what it returns then."""
    return cast("Callable[P, DryRun]", method)


def planned_async(method: Callable[P, object]) -> Callable[P, Awaitable[DryRun]]:
    return cast("Callable[P, Awaitable[DryRun]]", method)


@overload
def with_response(  # pyright: ignore[reportOverlappingOverload]
    method: Callable[P, Awaitable[T]],
) -> Callable[P, Awaitable[Answer[T]]]: ...
@overload
def with_response(method: Callable[P, T]) -> Callable[P, Answer[T]]: ...
def with_response(method: Callable[P, Any]) -> Callable[P, Any]:
    """The same method, which returns its result together with the response: `with_response(github.me)()`.

    Lists have their responses themselves, as `response` of each page.
    """
    group: Any = getattr(method, "__self__", None)
    calls = getattr(group, "_calls", None)
    if not isinstance(calls, (Calls, AsyncCalls)) or method.__name__ == "list":
        raise TypeError("with_response takes a method of a client that is not a list, as in with_response(github.me)()")
    answering = copy.copy(group)
    answering._calls = calls.answering()
    return getattr(answering, method.__name__)
