"""HTTP clients without a network: requests are answered in turn, as a list of answers says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import plugboard
from plugboard import AsyncPlugboard, Plugboard
from plugboard.http import HttpRequest

CASES = Path(__file__).parent.parent.parent / "test/sdk/cases"
OPTIONS: Any = {"api_key": "key_1", "base_url": "http://plugboard.example/"}

Answer = dict[str, Any]


def read_cases(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


class StubResponse:
    def __init__(self, answer: Answer) -> None:
        self.status: int = answer.get("status", 200)
        headers: dict[str, str] = {"x-request-id": "req_1"}
        source = answer.get("source", "plugboard" if self.status >= 400 else None)
        if source:
            headers["svc-error-source"] = source
        self.headers = list({**headers, **answer.get("headers", {})}.items())
        self.closed = 0
        self._answer = answer

    def _data(self) -> bytes:
        if "lines" in self._answer:
            lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._answer["lines"])
            return (lines + self._answer.get("cut", "")).encode()
        text = self._answer.get("text")
        return text.encode() if text is not None else json.dumps(self._answer["body"]).encode()

    def read(self) -> Iterator[bytes]:
        data = self._data()
        size = self._answer.get("piece", len(data) or 1)
        yield from (data[at : at + size] for at in range(0, len(data), size))
        if self._answer.get("ends") == "lost":
            raise ConnectionResetError("terminated")


class BlockingResponse(StubResponse):
    @property
    def pieces(self) -> Iterator[bytes]:
        return self.read()

    def close(self) -> None:
        self.closed += 1


class AsyncResponse(StubResponse):
    @property
    def pieces(self) -> AsyncIterator[bytes]:
        return self._pieces()

    async def _pieces(self) -> AsyncIterator[bytes]:
        for piece in self.read():
            yield piece

    async def close(self) -> None:
        self.closed += 1


class Stub:
    """What was sent, and what is answered: the last answer again and again."""

    def __init__(self, answers: list[Answer]) -> None:
        self.answers = answers
        self.requests: list[HttpRequest] = []

    def next(self, request: HttpRequest) -> Answer:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if answer.get("lost"):
            raise ConnectionResetError("connection reset")
        if answer.get("late"):
            raise TimeoutError("timed out")
        return answer


class StubHttp(Stub):
    def send(self, request: HttpRequest) -> BlockingResponse:
        return BlockingResponse(self.next(request))

    def close(self) -> None:
        pass


class AsyncStubHttp(Stub):
    async def send(self, request: HttpRequest) -> AsyncResponse:
        return AsyncResponse(self.next(request))

    async def close(self) -> None:
        pass


def client_of(answers: list[Answer], **options: Any) -> tuple[Plugboard, StubHttp]:
    http = StubHttp(answers)
    return Plugboard(**{**OPTIONS, "http_client": http, **options}), http


def async_client_of(answers: list[Answer], **options: Any) -> tuple[AsyncPlugboard, AsyncStubHttp]:
    http = AsyncStubHttp(answers)
    return AsyncPlugboard(**{**OPTIONS, "http_client": http, **options}), http


class Pauses:
    """How long clients would have waited. Nothing does."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __enter__(self) -> Pauses:
        async def sleep(seconds: float) -> None:
            self.seconds.append(seconds)

        self._patches = [
            mock.patch("plugboard.client.time.sleep", self.seconds.append),
            mock.patch("plugboard.client.asyncio.sleep", sleep),
        ]
        for patch in self._patches:
            patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        for patch in self._patches:
            patch.stop()


def outcome_of(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return call(), None
    except (plugboard.PlugboardError, ValueError, TypeError) as error:
        return None, error


def run_async(call: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await call()

    return asyncio.run(main())
