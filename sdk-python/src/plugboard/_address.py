"""Where a call goes: addresses, paths and queries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast
from urllib.parse import quote, urlencode, urlsplit

from ._content import without_omitted

Surface = Literal["unified", "platform", "proxy"]

# What may be in a path as it is. Everything else is encoded.
_PATH_LETTERS = "/%?&=:@!$'()*+,;~[]"


class Addresses(TypedDict):
    """Where each API is, if they have addresses of their own."""

    unified: str
    platform: str
    proxy: str


def path(template: str, *values: str | int) -> str:
    """A path with encoded values."""
    for value in values:
        if value == "" or not isinstance(value, (str, int)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a value of the path {template.replace('{}', '…')} is missing")
    return template.format(*(quote(str(value), safe="~!*'()") for value in values))


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def _to_search(query: Mapping[str, Any], surface: Surface, first: str = "?") -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in without_omitted(query).items():
        if isinstance(value, Mapping) and surface == "platform":
            entries = cast("Mapping[str, Any]", value)
            pairs += [(f"{name}[{key}]", _to_text(one)) for key, one in entries.items() if one is not None]
        elif value is not None:
            pairs.append((name, _to_text(value)))
    return first + urlencode(pairs) if pairs else ""


def _check_address(url: Any, name: str) -> str:
    """Without its last slash."""
    parts = urlsplit(url) if isinstance(url, str) else None
    if not parts or parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[?#@\s]", url):
        raise ValueError(
            f'{name} has to be the address of Plugboard, as in "https://plugboard.example.com", not {url!r}'
        )
    return str(url).rstrip("/")


def read_addresses(base_url: Any) -> dict[Surface, str]:
    names: tuple[Surface, ...] = ("unified", "platform", "proxy")
    if isinstance(base_url, Mapping):
        given = cast("Mapping[str, Any]", base_url)
        return {name: _check_address(given.get(name), f"base_url[{name!r}]") for name in names}
    base = _check_address(base_url, "base_url")
    return {name: f"{base}/{name}" for name in names}


def to_url(address: str, path_and_query: str, query: Mapping[str, Any], surface: Surface) -> str:
    # What is on the way resolves them, and would call something else.
    without_query = re.sub(r"[?#].*|[\t\n\r]", "", path_and_query, flags=re.DOTALL)
    if re.search(r"(^|[/\\])(\.|%2e){1,2}([/\\]|$)", without_query, flags=re.IGNORECASE):
        raise ValueError(f'"." and ".." cannot be parts of a path: {path_and_query}')
    start = quote(path_and_query.partition("#")[0], safe=_PATH_LETTERS)
    return address + start + _to_search(query, surface, "&" if "?" in start else "?")
