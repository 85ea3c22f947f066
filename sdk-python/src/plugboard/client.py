"""The clients: `Plugboard`, which blocks, and `AsyncPlugboard`, for asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from ._address import Addresses
from ._calls import AsyncCalls, AsyncDryRunCalls, Calls, DryRunCalls
from ._content import OMIT
from ._core import DryRunCore, Parts, PlatformCore, ProxyCore, UnifiedCore
from ._drive import run
from ._given_http import GivenAsyncHttp, GivenHttp
from ._http import OwnHttp
from ._platform_async_gen import AsyncPlatform
from ._platform_gen import Platform
from ._proxy import AsyncProxy, Proxy
from ._response import Attempt
from ._sockets import AsyncioStream, BlockingStream
from ._transport import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, Settings, Transport
from ._unified_async_gen import AsyncOperations, AsyncOperationsDryRun
from ._unified_gen import Operations, OperationsDryRun
from .http import AsyncHttpClient, HttpClient


async def _sleep(seconds: float) -> None:
    time.sleep(seconds)


async def _sleep_async(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _check_id(id: str) -> str:
    if not id:
        raise ValueError("the ID of a connection is required")
    return id


class ConnectionClient(Operations):
    """The operations that a connection's provider has."""

    def __init__(self, transport: Transport, id: str) -> None:
        self._transport = transport
        self._core = UnifiedCore(transport, _check_id(id))
        super().__init__(Calls(self._core))
        self.id = id
        self.proxy = Proxy(ProxyCore(transport, id))
        """The provider's own API, with the connection's credentials."""

    @property
    def dry_run(self) -> OperationsDryRun:
        """The same operations. Nothing is sent to the provider: each returns what it would send."""
        return OperationsDryRun(DryRunCalls(DryRunCore(self._transport, self.id)))

    def request(self, method: str, path: str, *, query: Mapping[str, Any] = {}, body: Any = OMIT) -> Any:
        """Any call of the Unified API; returns `response` as it is, for parameters that methods do not have."""
        return run(self._core.request(method, path, Parts(query, body))).data

    def with_options(
        self, *, timeout: float = OMIT, max_retries: int = OMIT, headers: Mapping[str, str] = OMIT
    ) -> ConnectionClient:
        """The same connection, with other options: see `Plugboard`."""
        return ConnectionClient(self._transport.with_options(timeout, max_retries, headers), self.id)


class AsyncConnectionClient(AsyncOperations):
    """The operations that a connection's provider has."""

    def __init__(self, transport: Transport, id: str) -> None:
        self._transport = transport
        self._core = UnifiedCore(transport, _check_id(id))
        super().__init__(AsyncCalls(self._core))
        self.id = id
        self.proxy = AsyncProxy(ProxyCore(transport, id))
        """The provider's own API, with the connection's credentials."""

    @property
    def dry_run(self) -> AsyncOperationsDryRun:
        """The same operations. Nothing is sent to the provider: each returns what it would send."""
        return AsyncOperationsDryRun(AsyncDryRunCalls(DryRunCore(self._transport, self.id)))

    async def request(self, method: str, path: str, *, query: Mapping[str, Any] = {}, body: Any = OMIT) -> Any:
        """Any call of the Unified API; returns `response` as it is, for parameters that methods do not have."""
        return (await self._core.request(method, path, Parts(query, body))).data

    def with_options(
        self, *, timeout: float = OMIT, max_retries: int = OMIT, headers: Mapping[str, str] = OMIT
    ) -> AsyncConnectionClient:
        """The same connection, with other options: see `AsyncPlugboard`."""
        return AsyncConnectionClient(self._transport.with_options(timeout, max_retries, headers), self.id)


class Plugboard(Platform):
    """A client of one Plugboard service and workspace. It has the Platform API: what belongs to the workspace.

    `api_key`: a key of the workspace. `base_url`: where Plugboard is, as in `https://plugboard.example.com`; or each
    API, if they have addresses of their own. `timeout`: seconds that one attempt may take. `max_retries`: how often a
    request is sent again. `headers`: further headers of every request. `header_prefix`: the service's `HEADER_PREFIX`.
    `log`: called after each attempt to send a request; what it raises is ignored. `http_client`: instead of the
    standard library.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | Addresses,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] = {},
        header_prefix: str = "SVC-",
        log: Callable[[Attempt], object] | None = None,
        http_client: HttpClient | None = None,
    ) -> None:
        http = GivenHttp(http_client) if http_client else OwnHttp(BlockingStream.open)
        settings = Settings(api_key, base_url, timeout, max_retries, headers, header_prefix, log)
        self._use(Transport(http, _sleep, settings))

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        super().__init__(Calls(PlatformCore(transport)))

    @property
    def platform(self) -> Platform:
        """The Platform API by the name that other SDKs have for it: `pb.platform.connections` is `pb.connections`."""
        return self

    def connection(self, id: str) -> ConnectionClient:
        """The operations that a connection's provider has. Sends nothing by itself."""
        return ConnectionClient(self._transport, id)

    def with_options(
        self, *, timeout: float = OMIT, max_retries: int = OMIT, headers: Mapping[str, str] = OMIT
    ) -> Plugboard:
        """The same client, with other options. It shares the connections to the service."""
        client = Plugboard.__new__(Plugboard)
        client._use(self._transport.with_options(timeout, max_retries, headers))
        return client

    def close(self) -> None:
        """Closes the idle connections to the service."""
        run(self._transport.close())

    def __enter__(self) -> Plugboard:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Plugboard(base_url={self._transport.settings.base_url!r})"


class AsyncPlugboard(AsyncPlatform):
    """A client of one Plugboard service and workspace, for asyncio. Its arguments are those of `Plugboard`."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | Addresses,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] = {},
        header_prefix: str = "SVC-",
        log: Callable[[Attempt], object] | None = None,
        http_client: AsyncHttpClient | None = None,
    ) -> None:
        http = GivenAsyncHttp(http_client) if http_client else OwnHttp(AsyncioStream.open)
        settings = Settings(api_key, base_url, timeout, max_retries, headers, header_prefix, log)
        self._use(Transport(http, _sleep_async, settings))

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        super().__init__(AsyncCalls(PlatformCore(transport)))

    @property
    def platform(self) -> AsyncPlatform:
        """The Platform API by the name that other SDKs have for it: `pb.platform.connections` is `pb.connections`."""
        return self

    def connection(self, id: str) -> AsyncConnectionClient:
        """The operations that a connection's provider has. Sends nothing by itself."""
        return AsyncConnectionClient(self._transport, id)

    def with_options(
        self, *, timeout: float = OMIT, max_retries: int = OMIT, headers: Mapping[str, str] = OMIT
    ) -> AsyncPlugboard:
        """The same client, with other options. It shares the connections to the service."""
        client = AsyncPlugboard.__new__(AsyncPlugboard)
        client._use(self._transport.with_options(timeout, max_retries, headers))
        return client

    async def close(self) -> None:
        """Closes the idle connections to the service."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncPlugboard:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncPlugboard(base_url={self._transport.settings.base_url!r})"
