"""The SDK against the documents that a service serves: what one has, the other has."""

from __future__ import annotations

import inspect
import json
import re
import unittest
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import plugboard
from plugboard.client import Platform
from plugboard.types import Connection

from .service import NO_SERVICE, SERVICE
from .stub import client_of
from .test_platform import methods_of

VALUE = "a-value-of-a-path"
# What the SDK itself adds, and what it has elsewhere.
OWN = {"stream", "idempotency_key", "size", "content_type", "content"}
ELSEWHERE = {"dry_run"}


def served(surface: str) -> dict[str, Any]:
    with urlopen(f"{SERVICE['url']}/{surface}/openapi.json") as response:
        return json.load(response)


def resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").split("/")[-1]
    return document["components"]["schemas"][name] if name else schema


def documented(surface: str) -> dict[str, set[str]]:
    """The names of the query's and the body's fields, by `GET /v1/things/{}`."""
    document = served(surface)
    found: dict[str, set[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            names = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                names |= set(resolve(document, content["application/json"]["schema"])["properties"])
            # Of single records, the provider's own response is not in the SDK.
            is_page = "limit" in names
            left_out = ELSEWHERE if is_page or surface == "platform" else {*ELSEWHERE, "include_raw"}
            found[f"{method.upper()} {re.sub('{[^}]*}', '{}', path)}"] = names - left_out
    return found


def sent(surface: str) -> dict[str, set[str]]:
    """The same for what the methods send and take."""
    found: dict[str, set[str]] = {}
    body: Any = {"response": {"data": []}} if surface == "unified" else []
    pb, http = client_of([{"body": body}])
    group = pb.connection("conn_1") if surface == "unified" else Platform(pb._calls)
    for name, method in methods_of(group):
        if surface == "unified" and name.split(".")[0] in ("dry_run", "proxy", "request", "with_options"):
            continue
        parameters = inspect.signature(method).parameters.values()
        required = [one for one in parameters if one.default is one.empty]
        positional = [VALUE for one in required if one.kind is one.POSITIONAL_OR_KEYWORD]
        try:
            method(*positional, **{one.name: VALUE for one in required if one.kind is one.KEYWORD_ONLY})
        except (TypeError, KeyError):
            pass  # The stub's answer is none of this method; the request was sent.
        request = http.requests[-1]
        path = urlsplit(request.url).path.removeprefix(f"/{surface}").replace(VALUE, "{}")
        keywords = {one.name.rstrip("_") for one in parameters if one.kind is one.KEYWORD_ONLY}
        key = f"{request.method} {path}"
        assert key not in found, f"two methods send {key}"
        found[key] = keywords - OWN
    return found


@unittest.skipUnless(SERVICE, NO_SERVICE)
class DriftTest(unittest.TestCase):
    maxDiff = None

    def test_every_operation_of_the_unified_document_is_a_method_with_its_parameters(self) -> None:
        self.assertEqual(sent("unified"), documented("unified"))

    def test_every_operation_of_the_platform_document_is_a_method_with_its_parameters(self) -> None:
        self.assertEqual(sent("platform"), documented("platform"))

    def test_every_operation_has_a_dry_run(self) -> None:
        connection = client_of([{}])[0].connection("conn_1")
        operations = {name for name, _ in methods_of(connection) if name not in ("request", "with_options")}
        operations = {name for name in operations if not name.startswith("proxy.")}
        found: set[str] = set()

        def collect(group: Any, place: str = "") -> None:
            for name, value in vars(group).items():
                if callable(value):
                    found.add(f"{place}{name}")
                else:
                    collect(value, f"{place}{name}.")

        collect(connection.dry_run)
        self.assertEqual(found, operations)

    def test_both_clients_have_the_same_methods(self) -> None:
        names = [
            sorted(name for name, _ in methods_of(kind(api_key="key", base_url="http://plugboard.example")))
            for kind in (plugboard.Plugboard, plugboard.AsyncPlugboard)
        ]
        self.assertEqual(*names)

    def test_types_have_the_fields_of_the_document(self) -> None:
        schemas = served("platform")["components"]["schemas"]
        for name, schema in schemas.items():
            known = getattr(plugboard.types, name, None)
            if name != "Failure" and schema.get("properties"):
                with self.subTest(name):
                    self.assertEqual(set(known.__annotations__), set(schema["properties"]))
        self.assertIn("external_id", Connection.__annotations__)
