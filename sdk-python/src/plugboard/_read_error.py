"""Which error a response means."""

from __future__ import annotations

import json
import re
import time
from email.utils import parsedate_to_datetime
from http.client import responses as status_texts
from typing import Any, TypedDict, cast

from . import errors
from ._response import Headers, ResponseInfo

_BY_REASON: dict[Any, type[errors.PlugboardError]] = {
    "connection_not_found": errors.ConnectionNotFoundError,
    "connection_invalid": errors.ConnectionInvalidError,
    "connection_unavailable": errors.ConnectionUnavailableError,
    "integration_deleted": errors.IntegrationDeletedError,
    "operation_not_supported": errors.OperationNotSupportedError,
}
_BY_CODE: dict[Any, type[errors.PlugboardError]] = {
    7011: errors.RequestInProgressError,
    7012: errors.OutcomeUnknownError,
}
_BY_STATUS: dict[Any, type[errors.PlugboardError]] = {
    400: errors.InvalidRequestError,
    401: errors.AuthenticationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    408: errors.ProviderTimeoutError,
    409: errors.ConflictError,
    413: errors.InvalidRequestError,
    422: errors.IdempotencyKeyReusedError,
    429: errors.RateLimitError,
    500: errors.InternalError,
    502: errors.ProviderUnreachableError,
    503: errors.ServiceUnavailableError,
}
# The statuses of codes, for errors that are lines of a stream.
_STATUS_BY_CODE = {7001: 400, 1000: 401, 7002: 404, 7003: 408, 1001: 429, 7000: 500, 7004: 502, 7005: 503}
# The codes of the Proxy that mean one of the Unified API's reasons.
_REASON_BY_PROXY_CODE = {
    "connection_invalid": "connection_not_found",
    "connection_refresh_failed": "connection_invalid",
    "connection_unreadable": "connection_invalid",
    "integration_not_found": "integration_deleted",
}

Json = dict[str, Any]


class Details(TypedDict, total=False):
    status: int | None
    request_id: str | None
    source: str | None
    retry_after: float | None
    scope: str | None


def _read_problems(listed: Any) -> list[errors.Problem]:
    """The Unified API has a list of errors, the Platform API messages by field."""
    if isinstance(listed, list):
        failures = cast("list[Json]", listed)
        return [{"path": one.get("path", []), "message": one.get("detail", "")} for one in failures]
    fields = cast("dict[str, list[str]]", listed or {})
    return [{"path": [field], "message": text} for field, messages in fields.items() for text in messages]


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _read_retry_after(value: str | None) -> float | None:
    """Seconds, from seconds or a date."""
    if not value:
        return None
    if re.fullmatch("[0-9]+", value):
        return int(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _own_error(body: Any, details: Details) -> errors.PlugboardError:
    """An error of Plugboard, in the format of any of its APIs."""
    fields = cast(Json, body) if isinstance(body, dict) else {}
    listed, name = fields.get("errors"), fields.get("code")
    first = cast("list[Json]", listed)[0] if isinstance(listed, list) and listed else {}
    code: int | None = first.get("code")
    status = details.get("status") or _STATUS_BY_CODE.get(code or 0)
    reason: str | None = first.get("reason")
    if reason is None and isinstance(name, str):
        reason = _REASON_BY_PROXY_CODE.get(name, name)
    problems = _read_problems(listed)
    explained = [": ".join(filter(None, [".".join(one["path"]), one["message"]])) for one in problems]
    title = first.get("message") or fields.get("message") or status_texts.get(status or 0, "")
    text = ": ".join(filter(None, [f"{status} {title}", "; ".join(filter(None, explained))]))
    kind = _BY_REASON.get(reason) or _BY_CODE.get(code) or _BY_STATUS.get(status) or errors.PlugboardError
    known: Details = {**details, "status": status}
    return kind(text, **known, code=code, reason=reason, problems=problems)


def _provider_error(details: Details, body: Any) -> errors.ProviderError:
    message = f"The provider responded with {details.get('status')}"
    known: Details = {**details, "source": "provider"}
    error = errors.ProviderError(message, **known)
    error.body = body
    return error


def to_error(info: ResponseInfo, text: str, header_prefix: str) -> errors.PlugboardError:
    """The error that a response with an error status means."""
    source = info.headers.get(f"{header_prefix}error-source")
    scope = re.search('scope="([^"]+)"', info.headers.get("www-authenticate", ""))
    details: Details = {
        "status": info.status,
        "request_id": info.request_id,
        "source": source,
        "retry_after": _read_retry_after(info.headers.get("retry-after")),
        "scope": scope[1] if scope else None,
    }
    if source == "provider":
        return _provider_error(details, _parse(text))
    if not source:
        return errors.PlugboardError(f"{info.status}: not a response of Plugboard. Check base_url", **details)
    return _own_error(_parse(text), details)


def line_error(line: Json, request_id: str | None) -> errors.PlugboardError:
    """The error that the last line of a streamed list means."""
    provider = line["errors"][0].get("provider")
    if provider:
        return _provider_error({"status": provider["status"], "request_id": request_id}, _parse(provider["body"]))
    return _own_error(line, {"request_id": request_id, "source": "plugboard"})


def read_response(status: int, headers: Headers, header_prefix: str) -> ResponseInfo:
    """What a response says about itself."""
    request_id = headers.get(f"{header_prefix}request-id") or headers.get("x-request-id")
    return ResponseInfo(status, headers, request_id, headers.rate_limit(header_prefix))
