"""Webhooks that come from Plugboard, by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Iterable
from typing import Any, Protocol

from .errors import WebhookVerificationError
from .events import WebhookEvent

_TOLERANCE_SECONDS = 5 * 60


class _HeaderBag(Protocol):
    """A dictionary, or what a web framework has for headers."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def _read_header(headers: _HeaderBag, name: str) -> str:
    value: Any = next((value for given, value in headers.items() if given.lower() == name), None)
    if not isinstance(value, str) or not value:
        raise WebhookVerificationError(f"The header {name} is missing")
    return value


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def verify_webhook(body: str | bytes, headers: _HeaderBag, secret: str) -> WebhookEvent:
    """Checks that a webhook comes from Plugboard, as Standard Webhooks 1.0 specifies it, and returns its event.

    `body` has to be exactly what was received: text or bytes, not parsed JSON.
    """
    id, timestamp, signatures = (_read_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(int(time.time()) - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError("The webhook's time differs by more than five minutes from this clock")
    key = _from_base64(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("the secret has to be the one of the webhook, as in whsec_…")
    received = body.encode() if isinstance(body, str) else bytes(body)
    expected = hmac.digest(key, f"{id}.{timestamp}.".encode() + received, "sha256")
    for signature in signatures.split(" "):
        given = _from_base64(signature[3:]) if signature.startswith("v1,") else None
        if given is not None and hmac.compare_digest(given, expected):
            return json.loads(received)
    raise WebhookVerificationError("No signature fits: check the secret, and that the body is unchanged")
