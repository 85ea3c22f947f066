"""The cases that every SDK of Plugboard has to pass, in both clients: retries, requests, lists, errors, webhooks."""

from __future__ import annotations

import json
import re
import unittest
from collections.abc import AsyncIterator
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

import plugboard
from plugboard.http import HttpRequest

from .stub import OPTIONS, Pauses, async_client_of, client_of, outcome_of, read_cases, run_async

WEBHOOKS = read_cases("webhooks")
ERRORS = read_cases("errors")
CALLS = [*read_cases("retries"), *read_cases("requests"), *read_cases("lists"), *ERRORS["calls"]]
# Names that Python itself has for other errors.
NAMES = {"PermissionError": "PermissionDeniedError", "TimeoutError": "RequestTimeoutError"}


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def method_of(client: Any, place: str) -> Any:
    for name in place.split("."):
        client = getattr(client, snake(name))
    return client


def prepare(client: Any, call: dict[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
    """A method and its arguments."""
    options = dict(call.get("options", {}))
    own = {name: options.pop(name) for name in ("idempotency_key",) if name in options}
    client = client.with_options(**options)
    target = client if call.get("api") == "platform" else client.connection("conn_1")
    if call.get("api") == "proxy":
        body = {"body": call["body"]} if "body" in call else {}
        return (
            target.proxy.json,
            call["path"],
            {"method": call.get("http_method", "GET"), "query": call.get("query", {}), **body},
        )
    arguments = list(call.get("path", []))
    if "content" in call:
        arguments.append(iter(call["content"]) if isinstance(call["content"], list) else call["content"])
    stream = {"stream": True} if str(call.get("read", "")).startswith("stream") else {}
    return (
        method_of(target, call["method"]),
        arguments,
        {**call.get("query", {}), **call.get("body", {}), **own, **stream},
    )


def blocking(client: Any, call: dict[str, Any]) -> Any:
    method, arguments, named = prepare(client, call)
    result = method(*arguments, **named)
    read = call.get("read")
    if read in ("page", "streamed page"):
        return {"data": result.data, "next": result.next}
    if read == "raw":
        return result.raw
    if read == "first":
        return result.to_list(1)
    return list(result) if read else result


async def waiting(client: Any, call: dict[str, Any]) -> Any:
    method, arguments, named = prepare(client, call)
    if isinstance(call.get("content"), list):
        arguments = [_pieces()]
    result = method(*arguments, **named)
    read = call.get("read")
    if read in ("page", "streamed page"):
        page = await result
        return {"data": page.data, "next": page.next}
    if read == "raw":
        return (await result).raw
    if read == "first":
        return await result.to_list(1)
    return [one async for one in result] if read else await result


async def _pieces() -> AsyncIterator[bytes]:
    yield b"a"


def matches(expected: Any, given: Any) -> bool:
    if isinstance(expected, str) and re.fullmatch("/.*/i?", expected):
        pattern, flags = re.fullmatch("/(.*)/(i?)", expected).groups()  # type: ignore[union-attr]
        return isinstance(given, str) and re.search(pattern, given, re.IGNORECASE if flags else 0) is not None
    return expected == given


class CasesTest(unittest.TestCase):
    maxDiff = None

    def check(
        self, expected: dict[str, Any], outcome: Any, error: Any, requests: list[HttpRequest], pauses: list[float]
    ) -> None:
        if expected.get("refused"):
            self.assertIsInstance(error, (ValueError, TypeError))
        elif "error" in expected:
            self.assertIsInstance(error, plugboard.PlugboardError)
            for name, value in expected["error"].items():
                given = {"name": type(error).__name__, "message": str(error)}.get(name) or getattr(error, name, None)
                self.assertTrue(
                    matches(NAMES.get(value, value) if name == "name" else value, given), f"{name}: {given!r}"
                )
        else:
            self.assertIsNone(error)
        if "result" in expected:
            self.assertEqual(outcome, expected["result"])
        self.assertEqual(len(requests), expected.get("sent", len(expected.get("requests", requests))))
        for wanted, request in zip(expected.get("requests", []), requests):
            self.check_request(wanted, request)
        for name in expected.get("same", []):
            self.assertEqual(len({request.headers[name] for request in requests}), 1)
        if "waits" in expected:
            self.assertEqual(len(pauses), len(expected["waits"]))
            for (low, high), seconds in zip(expected["waits"], pauses):
                self.assertTrue(low - 0.01 <= seconds <= high + 0.01, f"waited {seconds} s, not {low} to {high}")

    def check_request(self, wanted: dict[str, Any], request: HttpRequest) -> None:
        url = urlsplit(request.url)
        if "method" in wanted:
            self.assertEqual(request.method, wanted["method"])
        if "path" in wanted:
            self.assertEqual(url.path, wanted["path"])
        if "query" in wanted:
            query: dict[str, Any] = dict(parse_qsl(url.query))
            for name, value in wanted["query"].items():
                if isinstance(value, dict):
                    query[name] = {"json": json.loads(query[name])}
            self.assertEqual(query, wanted["query"])
        for name, value in wanted.get("headers", {}).items():
            self.assertTrue(matches(value, request.headers.get(name)), f"{name}: {request.headers.get(name)}")
        if "body" in wanted:
            self.assertEqual(json.loads(request.body or b"null"), wanted["body"])  # type: ignore[arg-type]

    def test_calls_of_the_blocking_client(self) -> None:
        for case in CALLS:
            with self.subTest(case["title"]), Pauses() as pauses, mock.patch("time.time", lambda: WEBHOOKS["now"]):
                client, http = client_of(case["answers"])
                outcome, error = outcome_of(lambda: blocking(client, case["call"]))
                self.check(case["expect"], outcome, error, http.requests, pauses.seconds)

    def test_calls_of_the_asyncio_client(self) -> None:
        for case in CALLS:
            with self.subTest(case["title"]), Pauses() as pauses, mock.patch("time.time", lambda: WEBHOOKS["now"]):
                client, http = async_client_of(case["answers"])
                outcome, error = outcome_of(lambda: run_async(lambda: waiting(client, case["call"])))
                self.check(case["expect"], outcome, error, http.requests, pauses.seconds)

    def test_every_kind_of_error_has_its_class(self) -> None:
        for kind in ERRORS["kinds"]:
            with self.subTest(kind["kind"]):
                reason = {"reason": kind["reason"]} if kind["reason"] else {}
                failure = {"code": kind["code"], "message": kind["message"], "detail": "what to do", **reason}
                answer = {"status": kind["status"], "body": {"success": False, "errors": [failure]}}
                client, _ = client_of([answer], max_retries=0)
                _, error = outcome_of(client.connection("conn_1").me)
                assert isinstance(error, plugboard.PlugboardError)
                self.assertEqual(type(error).__name__, NAMES.get(kind["name"], kind["name"]))
                self.assertEqual(
                    (error.status, error.code, error.reason, error.request_id, error.source),
                    (kind["status"], kind["code"], kind["reason"], "req_1", "plugboard"),
                )
                self.assertEqual(str(error), f"{kind['status']} {kind['message']}: what to do")

    def test_every_error_of_the_proxy_has_its_class(self) -> None:
        for case in ERRORS["proxy"]:
            with self.subTest(case["name"]):
                body = {"text": case["body"]} if isinstance(case["body"], str) else {"body": case["body"]}
                client, _ = client_of([{"status": case["status"], **body}], max_retries=0)
                _, error = outcome_of(lambda: client.connection("conn_1").proxy.json("/user"))
                assert isinstance(error, plugboard.PlugboardError)
                self.assertEqual(
                    (type(error).__name__, error.status, error.reason), (case["name"], case["status"], case["reason"])
                )

    def test_webhooks(self) -> None:
        for case in WEBHOOKS["cases"]:
            for body in (case["body"], case["body"].encode()):
                with self.subTest(case["title"]), mock.patch("time.time", lambda: WEBHOOKS["now"]):
                    verify = lambda: plugboard.verify_webhook(body, case["headers"], case["secret"])  # noqa: E731
                    if case["outcome"] == "accepted":
                        self.assertEqual(verify(), WEBHOOKS["event"])
                        continue
                    kind = plugboard.WebhookVerificationError if case["outcome"] == "refused" else ValueError
                    self.assertRaises(kind, verify)

    def test_a_client_without_a_valid_key_or_address_is_refused(self) -> None:
        self.assertRaisesRegex(ValueError, "api_key", plugboard.Plugboard, **{**OPTIONS, "api_key": ""})
        for address in [
            None,
            "",
            "plugboard.example",
            "localhost:8080",
            "/plugboard",
            "ftp://plugboard.example",
            "https://plugboard.example?a=1",
            8080,
        ]:
            with self.subTest(address):
                message = 'base_url has to be the address of Plugboard, as in "https://plugboard.example.com"'
                self.assertRaisesRegex(ValueError, message, plugboard.Plugboard, **{**OPTIONS, "base_url": address})
        parts = {"unified": "https://api.example", "platform": "https://admin.example"}
        self.assertRaisesRegex(
            ValueError, "base_url\\['proxy'\\]", plugboard.Plugboard, **{**OPTIONS, "base_url": parts}
        )
