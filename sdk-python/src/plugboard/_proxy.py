"""The provider's own API, with the connection's credentials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._calls import AsyncCalls, Calls
from ._content import OMIT, AsyncContent, Content
from ._core import Parts, ProxyCore
from ._drive import run
from ._streams import AsyncStreamedResponse, StreamedResponse


class Proxy:
    """Calls the provider's own API. As with any HTTP client, error statuses do not raise; redirects are returned."""

    def __init__(self, core: ProxyCore) -> None:
        self._core = core
        self._calls = Calls(core)

    def __call__(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] = {},
        content: Content | None = None,
        size: int | None = None,
        headers: Mapping[str, str] = {},
    ) -> StreamedResponse:
        """Sends a request once, and returns the provider's response as a stream: close it, or use `with`."""
        parts = Parts(query, content=OMIT if content is None else content, size=size, headers=headers)
        return StreamedResponse(run(self._core.open(method, path, parts)))

    def json(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] = {},
        body: Any = OMIT,
        headers: Mapping[str, str] = {},
    ) -> Any:
        """The JSON of the provider's response. Error statuses raise, and reads are sent again as those of methods are."""
        return self._calls.call(method, path, Parts(query, body, headers=headers))


class AsyncProxy:
    """Calls the provider's own API. As with any HTTP client, error statuses do not raise; redirects are returned."""

    def __init__(self, core: ProxyCore) -> None:
        self._core = core
        self._calls = AsyncCalls(core)

    async def __call__(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] = {},
        content: AsyncContent | None = None,
        size: int | None = None,
        headers: Mapping[str, str] = {},
    ) -> AsyncStreamedResponse:
        """Sends a request once, and returns the provider's response as a stream: close it, or use `async with`."""
        parts = Parts(query, content=OMIT if content is None else content, size=size, headers=headers)
        return AsyncStreamedResponse(await self._core.open(method, path, parts))

    async def json(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] = {},
        body: Any = OMIT,
        headers: Mapping[str, str] = {},
    ) -> Any:
        """The JSON of the provider's response. Error statuses raise, and reads are sent again as those of methods are."""
        return await self._calls.call(method, path, Parts(query, body, headers=headers))
