"""Sends requests: addresses, credentials, time-outs, retries, errors."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ._address import Addresses, Surface, read_addresses, to_url
from ._content import OMIT, AsyncContent, RequestBody, content_body, json_body, open_body, without_omitted
from ._given_http import Http, Received
from ._read_error import read_response, to_error
from ._response import Answer, Attempt
from .errors import (
    NetworkError,
    PlugboardError,
    RequestInProgressError,
    RequestTimeoutError,
    ServiceUnavailableError,
)
from .http import HttpRequest

T = TypeVar("T")

# Longer than Plugboard waits for a provider, its retries included.
DEFAULT_TIMEOUT = 120.0
DEFAULT_MAX_RETRIES = 2
# A response that asks for a longer wait is returned as an error immediately.
_MAX_WAIT_SECONDS = 60


@dataclass(frozen=True)
class Settings:
    """What a client was created with."""

    api_key: str = field(repr=False)
    base_url: str | Addresses
    timeout: float = DEFAULT_TIMEOUT
    max_retries: int = DEFAULT_MAX_RETRIES
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    header_prefix: str = "SVC-"
    log: Callable[[Attempt], object] | None = None


@dataclass(frozen=True)
class Call:
    surface: Surface
    method: str
    path: str
    connection: str | None = None
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = OMIT
    """Sent as JSON."""
    content: AsyncContent = OMIT
    """Sent as it is."""
    size: int | None = None
    content_type: str | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    is_stream: bool = False


def _is_repeatable(call: Call) -> bool:
    """Whether a request that may have been carried out can be sent again."""
    # With its key, a write to a provider can. The Platform API has no keys, and of the provider's own API nothing is
    # known.
    if call.surface == "unified":
        return True
    return call.method != "POST" if call.surface == "platform" else call.method == "GET"


def _retry_delay(error: PlugboardError, attempt: int, repeatable: bool) -> float | None:
    """Seconds to wait before another attempt; None if there should be none."""
    # What was refused was not carried out. Plugboard itself retries everything else that a provider answers.
    refused = error.status == 429 or isinstance(error, RequestInProgressError)
    is_gateway = error.source is None and (error.status or 0) >= 500
    unanswered = error.status is None or isinstance(error, ServiceUnavailableError) or is_gateway
    if not refused and not (unanswered and repeatable):
        return None
    if error.retry_after is not None:
        return None if error.retry_after > _MAX_WAIT_SECONDS else error.retry_after
    return min(8.0, 0.5 * 2**attempt) * random.uniform(0.5, 1)


def _body_of(call: Call) -> RequestBody | None:
    if call.content is not OMIT:
        return content_body(call.content, call.size, call.content_type)
    return None if call.body is OMIT else json_body(call.body)


@contextmanager
def own_errors(timeout: float = 0) -> Generator[None, None, None]:
    """What happens without a response, as an error of the SDK."""
    try:
        yield
    except TimeoutError as error:
        raise RequestTimeoutError(f"No response within {timeout:g} s") from error
    except OSError as error:
        raise NetworkError(f"Plugboard cannot be reached: {error}") from error


async def read_text(received: Received) -> str:
    pieces: list[bytes] = []
    while piece := await received.read():
        pieces.append(piece)
    await received.close()
    return b"".join(pieces).decode("utf-8", "replace")


class Transport:
    def __init__(self, http: Http, sleep: Callable[[float], Awaitable[None]], settings: Settings) -> None:
        if not settings.api_key:
            raise ValueError("api_key is required: a key of the workspace, as in sk_…")
        self._http = http
        self._sleep = sleep
        self._addresses = read_addresses(settings.base_url)
        self.settings = settings

    def with_options(self, timeout: float, max_retries: int, headers: Mapping[str, str]) -> Transport:
        changes = without_omitted({"timeout": timeout, "max_retries": max_retries, "headers": headers})
        return Transport(self._http, self._sleep, replace(self.settings, **changes))

    async def close(self) -> None:
        await self._http.close()

    def _url(self, call: Call) -> str:
        return to_url(self._addresses[call.surface], call.path, call.query, call.surface)

    def _headers(self, call: Call, body: RequestBody | None) -> dict[str, str]:
        given = {**self.settings.headers, **call.headers}
        headers = {name.lower(): value for name, value in given.items()}
        for name, value in (body.headers if body else {}).items():
            headers.setdefault(name, value)
        headers["authorization"] = f"Bearer {self.settings.api_key}"
        if call.connection is not None:
            headers[f"{self.settings.header_prefix.lower()}connection-id"] = call.connection
        if call.surface == "unified" and call.method != "GET":
            headers.setdefault("idempotency-key", str(uuid.uuid4()))
            if call.idempotency_key is not None:
                headers["idempotency-key"] = call.idempotency_key
        return headers

    async def _send_once(self, request: HttpRequest, attempt: int) -> Received:
        """Sends a request once, and logs it."""
        started = time.monotonic()

        def log(received: Received | None, error: BaseException | None) -> None:
            if not self.settings.log:
                return
            info = read_response(received.status, received.headers, self.settings.header_prefix) if received else None
            status, request_id = (info.status, info.request_id) if info else (None, None)
            seconds = time.monotonic() - started
            url = request.url.partition("?")[0]
            try:
                self.settings.log(Attempt(request.method, url, attempt, seconds, status, request_id, error))
            except Exception:
                pass

        try:
            received = await self._http.send(request)
        except BaseException as error:
            log(None, error)
            raise
        log(received, None)
        return received

    async def json(self, call: Call) -> Answer[Any]:
        text = await self.send(call, read_text)
        try:
            return Answer(json.loads(text.data) if text.data else None, text.response)
        except ValueError as error:
            hint = "" if call.surface == "proxy" else ". Check base_url"
            raise PlugboardError(
                f"The response is not JSON{hint}", status=text.response.status, request_id=text.response.request_id
            ) from error

    async def send(self, call: Call, read: Callable[[Received], Awaitable[T]]) -> Answer[T]:
        """Sends the call until it succeeds or should not be sent again. `read` is a part of each attempt."""
        body = _body_of(call)
        headers = self._headers(call, body)
        url = self._url(call)
        attempt = 0
        while True:
            request = HttpRequest(
                call.method, url, headers, open_body(body, headers), self.settings.timeout, call.is_stream
            )
            try:
                return await self._attempt(request, attempt + 1, read)
            except PlugboardError as error:
                if body and body.once:
                    raise
                await self.wait_to_retry(error, attempt, _is_repeatable(call))
            attempt += 1

    async def wait_to_retry(self, error: PlugboardError, attempt: int, repeatable: bool = True) -> None:
        """Waits until a request can be sent again, or raises the error if it should not be."""
        delay = _retry_delay(error, attempt, repeatable) if attempt < self.settings.max_retries else None
        if delay is None:
            raise error
        await self._sleep(delay)

    async def _attempt(self, request: HttpRequest, attempt: int, read: Callable[[Received], Awaitable[T]]) -> Answer[T]:
        prefix = self.settings.header_prefix
        with own_errors(request.timeout):
            received = await self._send_once(request, attempt)
            info = read_response(received.status, received.headers, prefix)
            if not 200 <= received.status < 300:
                raise to_error(info, await read_text(received), prefix)
            return Answer(await read(received), info)

    async def send_as_it_is(self, call: Call) -> Received:
        """Sends a request once; no status is an error."""
        body = _body_of(call)
        headers = self._headers(call, body)
        timeout = self.settings.timeout
        request = HttpRequest(call.method, self._url(call), headers, open_body(body, headers), timeout, True)
        with own_errors(timeout):
            return await self._send_once(request, 1)
