"""What can go wrong: one class for each cause, all of them a `PlugboardError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict


class Problem(TypedDict):
    """One invalid part of a request: where it is, and what would be valid."""

    path: list[str]
    message: str


class PlugboardError(Exception):
    """Every error of the SDK, other than a `ValueError` or `TypeError` for wrong arguments."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: int | None = None,
        reason: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        source: str | None = None,
        problems: Sequence[Problem] = (),
        scope: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; None if there was no response."""
        self.code = code
        """The code of Plugboard's error, such as 7001."""
        self.reason = reason
        """What was not found, such as `connection_invalid`."""
        self.request_id = request_id
        """Finds the request in Plugboard's log."""
        self.retry_after = retry_after
        """Seconds to wait before another attempt, if the response says so."""
        self.source = source
        """Whose error it is: `plugboard`, `provider`, or None if something between you and Plugboard responded."""
        self.problems = list(problems)
        """What is invalid, if the request is."""
        self.scope = scope
        """What the API key lacks, such as `connections:write`, if it lacks something."""


class NetworkError(PlugboardError):
    """No response: Plugboard cannot be reached, or the connection was lost."""


class RequestTimeoutError(PlugboardError):
    """No response within `timeout`."""


class WebhookVerificationError(PlugboardError):
    """The webhook's signature or time is wrong: do not trust its body."""


class InvalidRequestError(PlugboardError):
    """The request is invalid; `problems` says where and why."""


class AuthenticationError(PlugboardError):
    """The API key is missing or unknown."""


class PermissionDeniedError(PlugboardError):
    """The request is not allowed: the API key lacks `scope`, or is bound to other connections."""


class ConflictError(PlugboardError):
    """The request does not fit what there is: an id is taken, or something uses what is to be deleted."""


class NotFoundError(PlugboardError):
    """What the request names does not exist; `reason` says what."""


class ConnectionNotFoundError(NotFoundError):
    """The connection does not exist in this workspace."""


class ConnectionInvalidError(NotFoundError):
    """The provider has revoked the connection's access: the user has to connect again."""


class ConnectionUnavailableError(NotFoundError):
    """The connection's token could not be refreshed for now: try again later."""


class IntegrationDeletedError(NotFoundError):
    """The connection's integration was deleted."""


class OperationNotSupportedError(NotFoundError):
    """The connection's provider does not have this operation."""


class RateLimitError(PlugboardError):
    """Over Plugboard's rate limit."""


class ProviderTimeoutError(PlugboardError):
    """The provider did not respond in time."""


class ProviderUnreachableError(PlugboardError):
    """The provider cannot be reached, or its response cannot be read."""


class ServiceUnavailableError(PlugboardError):
    """Plugboard is overloaded, or its database is unavailable."""


class InternalError(PlugboardError):
    """An internal error of Plugboard: its log has the cause, by `request_id`."""


class IdempotencyKeyReusedError(PlugboardError):
    """The idempotency key was used before with another request."""


class RequestInProgressError(PlugboardError):
    """A request with the same idempotency key is still running."""


class OutcomeUnknownError(PlugboardError):
    """An earlier request with this idempotency key may or may not have been carried out: look before you write again."""


class ProviderError(PlugboardError):
    """The provider's own error, passed on unchanged."""

    body: Any = None
    """The provider's response: parsed if it is JSON, otherwise the text."""
