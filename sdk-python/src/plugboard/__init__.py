"""The Python client of Plugboard, the self-hosted unified integration API."""

from ._address import Addresses
from ._calls import DryRun, PlannedRequest, with_response
from ._content import OMIT, AsyncContent, Content
from ._lists import AsyncList, List
from ._proxy import AsyncProxy, Proxy
from ._response import Answer, Attempt, Headers, Page, RateLimit, ResponseInfo
from ._streams import AsyncStreamedResponse, StreamedResponse
from ._version_gen import VERSION as __version__
from .client import AsyncConnectionClient, AsyncPlugboard, ConnectionClient, Plugboard
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionInvalidError,
    ConnectionNotFoundError,
    ConnectionUnavailableError,
    IdempotencyKeyReusedError,
    IntegrationDeletedError,
    InternalError,
    InvalidRequestError,
    NetworkError,
    NotFoundError,
    OperationNotSupportedError,
    OutcomeUnknownError,
    PermissionDeniedError,
    PlugboardError,
    Problem,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
    RequestInProgressError,
    RequestTimeoutError,
    ServiceUnavailableError,
    WebhookVerificationError,
)
from .events import WebhookEvent
from .http import AsyncHttpClient, AsyncHttpResponse, HttpClient, HttpRequest, HttpResponse
from .webhooks import verify_webhook

__all__ = [
    "Addresses",
    "Answer",
    "AsyncConnectionClient",
    "AsyncContent",
    "AsyncHttpClient",
    "AsyncHttpResponse",
    "AsyncList",
    "AsyncPlugboard",
    "AsyncProxy",
    "AsyncStreamedResponse",
    "Attempt",
    "AuthenticationError",
    "ConflictError",
    "ConnectionClient",
    "ConnectionInvalidError",
    "ConnectionNotFoundError",
    "ConnectionUnavailableError",
    "Content",
    "DryRun",
    "Headers",
    "HttpClient",
    "HttpRequest",
    "HttpResponse",
    "IdempotencyKeyReusedError",
    "IntegrationDeletedError",
    "InternalError",
    "InvalidRequestError",
    "List",
    "NetworkError",
    "NotFoundError",
    "OMIT",
    "OperationNotSupportedError",
    "OutcomeUnknownError",
    "Page",
    "PermissionDeniedError",
    "PlannedRequest",
    "Plugboard",
    "PlugboardError",
    "Problem",
    "ProviderError",
    "ProviderTimeoutError",
    "ProviderUnreachableError",
    "Proxy",
    "RateLimit",
    "RateLimitError",
    "RequestInProgressError",
    "RequestTimeoutError",
    "ResponseInfo",
    "ServiceUnavailableError",
    "StreamedResponse",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
    "with_response",
]
