"""`httpx` instead of the standard library: for HTTP proxies, HTTP/2, client certificates, or a client that you have.

Plugboard(api_key=…, base_url=…, http_client=HttpxClient(httpx.Client()))
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ._given_http import pieces_of
from .http import Body, HttpRequest


@contextmanager
def _os_errors() -> Generator[None, None, None]:
    httpx = importlib.import_module("httpx")
    try:
        yield
    except httpx.TimeoutException as error:
        raise TimeoutError(str(error)) from error
    except httpx.HTTPError as error:
        raise ConnectionError(str(error)) from error


def _build(client: Any, request: HttpRequest, content: Body) -> Any:
    # Compressed, a download would have another size than its header says.
    headers = {"accept-encoding": "identity", **request.headers}
    return client.build_request(request.method, request.url, headers=headers, content=content, timeout=request.timeout)


def _begun(request: HttpRequest, response: Any) -> Any:
    """A response that has begun: a stream may pause for as long as it likes."""
    if request.is_stream:
        response.request.extensions["timeout"]["read"] = None
    return response


class _Response:
    def __init__(self, response: Any) -> None:
        self._response = response
        self.status: int = response.status_code
        self.headers: Iterable[tuple[str, str]] = response.headers.multi_items()

    @property
    def pieces(self) -> Iterator[bytes]:
        with _os_errors():
            yield from self._response.iter_bytes()

    def close(self) -> None:
        self._response.close()


class HttpxClient:
    """An `httpx.Client` for `Plugboard`."""

    # Any, so that the types of the SDK can be checked without httpx.
    def __init__(self, client: Any) -> None:
        self._client = client

    def send(self, request: HttpRequest) -> _Response:
        with _os_errors():
            built = _build(self._client, request, request.body)
            return _Response(_begun(request, self._client.send(built, stream=True, follow_redirects=False)))

    def close(self) -> None:
        self._client.close()


class _AsyncResponse:
    def __init__(self, response: Any) -> None:
        self._response = response
        self.status: int = response.status_code
        self.headers: Iterable[tuple[str, str]] = response.headers.multi_items()

    @property
    def pieces(self) -> AsyncIterator[bytes]:
        return self._read()

    async def _read(self) -> AsyncIterator[bytes]:
        with _os_errors():
            async for piece in self._response.aiter_bytes():
                yield piece

    async def close(self) -> None:
        await self._response.aclose()


class AsyncHttpxClient:
    """An `httpx.AsyncClient` for `AsyncPlugboard`."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def send(self, request: HttpRequest) -> _AsyncResponse:
        with _os_errors():
            # Of an iterable that is not asynchronous, httpx would make a body for the blocking client alone.
            content = request.body if isinstance(request.body, bytes | None) else pieces_of(request.body)
            built = _build(self._client, request, content)
            return _AsyncResponse(_begun(request, await self._client.send(built, stream=True, follow_redirects=False)))

    async def close(self) -> None:
        await self._client.aclose()
