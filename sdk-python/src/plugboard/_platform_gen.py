# Written by `npm run gen` from the table of operations and the Platform API. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._address import path as to_path
from ._calls import Calls
from ._content import OMIT
from ._core import Parts
from ._lists import List
from .types import (
    ApiKey,
    AuditEntry,
    Connection,
    ConnectSession,
    CreatedApiKey,
    CreatedWebhook,
    CustomField,
    Delivery,
    Event,
    FullLogEntry,
    Integration,
    IntegrationHookSecret,
    LogEntry,
    McpGrant,
    McpSignIn,
    Provider,
    ProviderDetails,
    ProviderDocumentAddresses,
    ProviderDocumentAuth,
    ProviderDocumentCheck,
    ProviderDocumentDiscover,
    ProviderDocumentSetting,
    ResentDeliveries,
    RotatedWebhookSecret,
    Subscription,
    Success,
    ToolPack,
    Usage,
    Webhook,
    WebhookSecret,
    Workspace,
)


class IntegrationsHookSecretMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, id: str) -> IntegrationHookSecret:
        """Get the token that verifies an address. For a provider that sends the secret of its webhooks to `hook_url`, and wants to see it again where the address was entered."""
        return self._calls.call("GET", to_path("/v1/integrations/{}/hook-secret", id))


class IntegrationsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.hook_secret = IntegrationsHookSecretMethods(calls)

    def list(
        self,
        *,
        offset: int = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        order: Literal["oldest", "newest"] = OMIT,
        status: Any = OMIT,
    ) -> List[Integration]:
        """List integrations.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
            status: Accepted and ignored.
        """
        return self._calls.list(
            to_path("/v1/integrations"),
            {"offset": offset, "limit": limit, "after": after, "order": order, "status": status},
        )

    def create(
        self,
        *,
        identifier: str,
        type: Literal["oauth2", "api_key", "basic", "client_credentials", "two_step", "jwt", "github_app", "none"],
        name: str | None = OMIT,
        client_id: str | None = OMIT,
        client_secret: str | None = OMIT,
        private_key: str | None = OMIT,
        hook_secret: str | None = OMIT,
        settings: Mapping[str, str] = OMIT,
        scopes: Sequence[str] | None = OMIT,
        base_url: str | None = OMIT,
        mcp_url: str | None = OMIT,
    ) -> Integration:
        """Create an integration. A workspace may have several integrations of one provider: give each a `name`, and refer to them by id.

        Args:
            identifier: a provider's id.
            name: tells integrations of one provider apart; shown to users who choose one.
            client_id: the OAuth client ID at the provider.
            client_secret: the OAuth client secret; never returned.
            private_key: the private key of an app that signs its own tokens, in PEM format; never returned.
            hook_secret: what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned.
            settings: Values that are the same for all connections: the provider's settings that are set by the integration.
            scopes: OAuth scopes to request; null for the provider's default.
            base_url: the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself.
            mcp_url: the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/integrations"),
            Parts(
                body={
                    "identifier": identifier,
                    "type": type,
                    "name": name,
                    "client_id": client_id,
                    "client_secret": client_secret,
                    "private_key": private_key,
                    "hook_secret": hook_secret,
                    "settings": settings,
                    "scopes": scopes,
                    "base_url": base_url,
                    "mcp_url": mcp_url,
                }
            ),
        )

    def get(self, id: str) -> Integration:
        """Get an integration."""
        return self._calls.call("GET", to_path("/v1/integrations/{}", id))

    def update(
        self,
        id: str,
        *,
        type: Literal[
            "oauth2", "api_key", "basic", "client_credentials", "two_step", "jwt", "github_app", "none"
        ] = OMIT,
        name: str | None = OMIT,
        client_id: str | None = OMIT,
        client_secret: str | None = OMIT,
        private_key: str | None = OMIT,
        hook_secret: str | None = OMIT,
        settings: Mapping[str, str] = OMIT,
        scopes: Sequence[str] | None = OMIT,
        base_url: str | None = OMIT,
        mcp_url: str | None = OMIT,
    ) -> Integration:
        """Change an integration. If it has all given values already, secrets included, nothing changes, not even `updated_at`.

        Args:
            name: tells integrations of one provider apart; shown to users who choose one.
            client_id: the OAuth client ID at the provider.
            client_secret: the OAuth client secret; never returned.
            private_key: the private key of an app that signs its own tokens, in PEM format; never returned.
            hook_secret: what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned.
            settings: Values that are the same for all connections: the provider's settings that are set by the integration.
            scopes: OAuth scopes to request; null for the provider's default.
            base_url: the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself.
            mcp_url: the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/integrations/{}", id),
            Parts(
                body={
                    "type": type,
                    "name": name,
                    "client_id": client_id,
                    "client_secret": client_secret,
                    "private_key": private_key,
                    "hook_secret": hook_secret,
                    "settings": settings,
                    "scopes": scopes,
                    "base_url": base_url,
                    "mcp_url": mcp_url,
                }
            ),
        )

    def delete(self, id: str) -> Success:
        """Delete an integration. Its connections are kept but can no longer be used."""
        return self._calls.call("DELETE", to_path("/v1/integrations/{}", id))


class ConnectionsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        offset: int = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        order: Literal["oldest", "newest"] = OMIT,
        integration_id: str = OMIT,
        integration_identifier: str = OMIT,
        external_id: str = OMIT,
        is_valid: bool = OMIT,
        metadata: Mapping[str, str] = OMIT,
    ) -> List[Connection]:
        """List connections.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
            integration_id: only connections of this integration.
            integration_identifier: only connections to this provider, whichever of its integrations they belong to.
            external_id: only connections with this external id.
            is_valid: Only connections that are valid, or only those that are not.
            metadata: Only connections with these values at the top level of their metadata: `metadata[plan]=pro`. A number or a boolean matches as JSON writes it.
        """
        return self._calls.list(
            to_path("/v1/connections"),
            {
                "offset": offset,
                "limit": limit,
                "after": after,
                "order": order,
                "integration_id": integration_id,
                "integration_identifier": integration_identifier,
                "external_id": external_id,
                "is_valid": is_valid,
                "metadata": metadata,
            },
        )

    def create(
        self,
        *,
        integration_id: str,
        auth_token: str = OMIT,
        username: str = OMIT,
        password: str = OMIT,
        refresh_token: str | None = OMIT,
        expires_in: int | None = OMIT,
        external_id: str | None = OMIT,
        metadata: Mapping[str, Any] | None = OMIT,
        settings: Mapping[str, str] = OMIT,
    ) -> Connection:
        """Create a connection from existing credentials.

        Args:
            integration_id: the id of an integration of this workspace.
            auth_token: an access token or an API key, in printable ASCII, or the private key that tokens are made with.
            username: without a colon.
            password: may be empty.
            refresh_token: in printable ASCII.
            expires_in: Seconds until the access token expires.
            external_id: your ID for the connected user.
            metadata: Your own data, up to 16 kB of JSON.
            settings: Per-account values: see the provider's settings.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/connections"),
            Parts(
                body={
                    "integration_id": integration_id,
                    "auth_token": auth_token,
                    "username": username,
                    "password": password,
                    "refresh_token": refresh_token,
                    "expires_in": expires_in,
                    "external_id": external_id,
                    "metadata": metadata,
                    "settings": settings,
                }
            ),
        )

    def get(self, id: str) -> Connection:
        """Get a connection."""
        return self._calls.call("GET", to_path("/v1/connections/{}", id))

    def update(
        self, id: str, *, external_id: str | None = OMIT, metadata: Mapping[str, Any] | None = OMIT
    ) -> Connection:
        """Change a connection. `metadata` is replaced as a whole; null removes it.

        Args:
            external_id: your ID for the connected user.
            metadata: Your own data, up to 16 kB of JSON.
        """
        return self._calls.call(
            "PATCH", to_path("/v1/connections/{}", id), Parts(body={"external_id": external_id, "metadata": metadata})
        )

    def delete(self, id: str) -> Success:
        """Delete a connection. The token is also revoked at the provider, if the provider supports it and responds within 5 seconds. The request log has the result."""
        return self._calls.call("DELETE", to_path("/v1/connections/{}", id))


class ConnectSessionsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        *,
        external_id: str | None = OMIT,
        integrations: Sequence[str] | None = OMIT,
        scopes: Sequence[str] | None = OMIT,
        redirect_uri: str | None = OMIT,
        connection_id: str | None = OMIT,
        metadata: Mapping[str, Any] | None = OMIT,
        expires_in: int | None = OMIT,
    ) -> ConnectSession:
        """Create a link with which a user connects an account. The link works for `expires_in` seconds (30 minutes) and for one account, in the first browser that uses it. With `redirect_uri` it ends there with a `code`, like `/authorize`. Without it, the connection is final when the user has connected the account.

        Args:
            external_id: your ID for the connected user.
            integrations: The integrations that the user can choose from; by default all of the workspace's.
            scopes: OAuth scopes to request instead of the integration's, if there is only one integration to choose from.
            redirect_uri: one of the workspace's redirect_uris, where the user returns with a code.
            connection_id: an existing connection, to connect it again; external_id may then be left out.
            metadata: Your own data, up to 16 kB of JSON.
            expires_in: How long the link works, in seconds: at most 7 days. Default: 1800.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/connect-sessions"),
            Parts(
                body={
                    "external_id": external_id,
                    "integrations": integrations,
                    "scopes": scopes,
                    "redirect_uri": redirect_uri,
                    "connection_id": connection_id,
                    "metadata": metadata,
                    "expires_in": expires_in,
                }
            ),
        )


class McpSignInsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def prove(self, request: str, *, external_id: str, tool_pack_id: str | None = OMIT) -> McpSignIn:
        """Say who signs in for an MCP client. For a workspace with an `mcp_sign_in_url`: call this after you have signed the user in, and send their browser to `url`. There they decide what the client may do. With `tool_pack_id`, this client is limited by that tool pack instead of the workspace's `mcp_tool_pack_id`. If the key has the scope `proxy`, users without a tool pack can also let clients call the providers' own APIs. If the key is bound or expires, what users allow ends with it.

        Args:
            external_id: your ID for the user whom you have signed in.
            tool_pack_id: the id of a tool pack that limits the client; null for none. By default the workspace's.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/mcp-sign-ins/{}", request),
            Parts(body={"external_id": external_id, "tool_pack_id": tool_pack_id}),
        )


class McpGrantsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self, *, offset: int = OMIT, limit: int = OMIT, after: str = OMIT, order: Literal["oldest", "newest"] = OMIT
    ) -> List[McpGrant]:
        """List what MCP clients are allowed to do.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
        """
        return self._calls.list(
            to_path("/v1/mcp-grants"), {"offset": offset, "limit": limit, "after": after, "order": order}
        )

    def get(self, id: str) -> McpGrant:
        """Get what an MCP client is allowed to do."""
        return self._calls.call("GET", to_path("/v1/mcp-grants/{}", id))

    def update(self, id: str, *, tool_pack_id: str | None) -> McpGrant:
        """Change the tool pack of an MCP client. It applies to the client's next call. What the person allowed stays as it is.

        Args:
            tool_pack_id: the id of a tool pack that limits the client; null for none.
        """
        return self._calls.call("PATCH", to_path("/v1/mcp-grants/{}", id), Parts(body={"tool_pack_id": tool_pack_id}))

    def delete(self, id: str) -> Success:
        """Revoke what an MCP client is allowed to do. The client's tokens stop working immediately."""
        return self._calls.call("DELETE", to_path("/v1/mcp-grants/{}", id))


class ApiKeysMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self, *, offset: int = OMIT, limit: int = OMIT, after: str = OMIT, order: Literal["oldest", "newest"] = OMIT
    ) -> List[ApiKey]:
        """List API keys.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
        """
        return self._calls.list(
            to_path("/v1/api-keys"), {"offset": offset, "limit": limit, "after": after, "order": order}
        )

    def create(
        self,
        *,
        name: str | None = OMIT,
        scopes: Sequence[
            Literal[
                "unified:read",
                "unified:write",
                "connections:read",
                "connections:write",
                "integrations:read",
                "integrations:write",
                "events:read",
                "events:write",
                "logs:read",
                "logs:write",
                "keys:read",
                "keys:write",
                "workspace:read",
                "workspace:write",
                "providers:read",
                "providers:write",
                "proxy",
                "mcp",
                "*",
            ]
        ]
        | None = OMIT,
        expires_at: str | None = OMIT,
        external_id: str | None = OMIT,
        connection_ids: Sequence[str] | None = OMIT,
        tool_pack_id: str | None = OMIT,
    ) -> CreatedApiKey:
        """Create an API key. The response contains the key itself, which is never shown again. Without `scopes` it can do everything. A key cannot create one that is stronger than itself. With `external_id` or `connection_ids` it sees and uses only those connections, on every surface. With `tool_pack_id` its only scope is `mcp`, and it works only for Unified MCP.

        Args:
            name: what the key is for.
            scopes: What the key may do. `write` includes `read`, and `*` is everything.
            expires_at: an ISO 8601 date and time from which on the key is refused.
            external_id: your ID for the connected user.
            connection_ids: The key sees and uses only these connections.
            tool_pack_id: the id of a tool pack: the key then works only for Unified MCP, with its tools.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/api-keys"),
            Parts(
                body={
                    "name": name,
                    "scopes": scopes,
                    "expires_at": expires_at,
                    "external_id": external_id,
                    "connection_ids": connection_ids,
                    "tool_pack_id": tool_pack_id,
                }
            ),
        )

    def delete(self, id: str) -> Success:
        """Delete an API key. The key stops working immediately. This may be the key of the request itself: `plugboard keys create` makes another."""
        return self._calls.call("DELETE", to_path("/v1/api-keys/{}", id))


class ToolPacksMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self) -> List[ToolPack]:
        """List tool packs. All of them, in one response."""
        return self._calls.list(to_path("/v1/tool-packs"), {}, paging="none")

    def create(
        self,
        *,
        name: str,
        access: Literal["read", "write"],
        categories: Sequence[str] | None = OMIT,
        tools: Sequence[str] | None = OMIT,
        hide: Sequence[str] = OMIT,
    ) -> ToolPack:
        """Create a tool pack. Says which tools of Unified MCP an agent gets, and which fields it never sees. It is given to API keys by `tool_pack_id`, to MCP clients that people sign in by `mcp_tool_pack_id` of the workspace, and to a grant by `PATCH /v1/mcp-grants/{id}`. A workspace can have 200.

        Args:
            name: what the tool pack is for.
            access: With `read`, it has no tools that create, change or send something.
            categories: Only tools of these categories; null for all.
            tools: Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both.
            hide: Fields that records do not have, such as crm.contact.email.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/tool-packs"),
            Parts(body={"name": name, "access": access, "categories": categories, "tools": tools, "hide": hide}),
        )

    def get(self, id: str) -> ToolPack:
        """Get a tool pack."""
        return self._calls.call("GET", to_path("/v1/tool-packs/{}", id))

    def update(
        self,
        id: str,
        *,
        name: str = OMIT,
        access: Literal["read", "write"] = OMIT,
        categories: Sequence[str] | None = OMIT,
        tools: Sequence[str] | None = OMIT,
        hide: Sequence[str] = OMIT,
    ) -> ToolPack:
        """Change a tool pack. Lists are replaced as a whole. The change applies to the next call of everything that uses the tool pack.

        Args:
            name: what the tool pack is for.
            access: With `read`, it has no tools that create, change or send something.
            categories: Only tools of these categories; null for all.
            tools: Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both.
            hide: Fields that records do not have, such as crm.contact.email.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/tool-packs/{}", id),
            Parts(body={"name": name, "access": access, "categories": categories, "tools": tools, "hide": hide}),
        )

    def delete(self, id: str) -> Success:
        """Delete a tool pack. What uses it has to be deleted, or to be given another one, first: the 409 names it."""
        return self._calls.call("DELETE", to_path("/v1/tool-packs/{}", id))


class CustomFieldsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self) -> List[CustomField]:
        """List custom fields. All of them, in one response."""
        return self._calls.list(to_path("/v1/custom-fields"), {}, paging="none")

    def create(
        self,
        *,
        record: str,
        name: str,
        type: Literal["string", "number", "boolean", "date", "strings"],
        paths: Mapping[str, str],
        integration_id: str = OMIT,
        connection_id: str = OMIT,
    ) -> CustomField:
        """Declare a custom field. Records then have it in `custom`. For a connection, the nearest declaration of a name counts: its own, that of its integration, that of the workspace. A workspace can have 500.

        Args:
            record: the record, such as crm.contact.
            name: Its name in `custom`: lower-case letters, digits and _.
            type: What values are read as; one of another type is null.
            paths: A JSON Pointer into the provider's own item, such as /properties/tier, by provider.
            integration_id: only for connections of this integration.
            connection_id: only for this connection.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/custom-fields"),
            Parts(
                body={
                    "record": record,
                    "name": name,
                    "type": type,
                    "paths": paths,
                    "integration_id": integration_id,
                    "connection_id": connection_id,
                }
            ),
        )

    def get(self, id: str) -> CustomField:
        """Get a custom field."""
        return self._calls.call("GET", to_path("/v1/custom-fields/{}", id))

    def update(
        self,
        id: str,
        *,
        type: Literal["string", "number", "boolean", "date", "strings"] = OMIT,
        paths: Mapping[str, str] = OMIT,
    ) -> CustomField:
        """Change a custom field. `paths` are replaced as a whole.

        Args:
            type: What values are read as; one of another type is null.
            paths: A JSON Pointer into the provider's own item, such as /properties/tier, by provider.
        """
        return self._calls.call(
            "PATCH", to_path("/v1/custom-fields/{}", id), Parts(body={"type": type, "paths": paths})
        )

    def delete(self, id: str) -> Success:
        """Delete a custom field. Records no longer have it. At the provider, nothing changes."""
        return self._calls.call("DELETE", to_path("/v1/custom-fields/{}", id))


class WorkspaceMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self) -> Workspace:
        """Get the workspace."""
        return self._calls.call("GET", to_path("/v1/workspace"))

    def update(
        self,
        *,
        name: str = OMIT,
        redirect_uris: Sequence[str] = OMIT,
        logo_url: str | None = OMIT,
        accent_color: str | None = OMIT,
        mcp_sign_in_url: str | None = OMIT,
        mcp_tool_pack_id: str | None = OMIT,
    ) -> Workspace:
        """Change the workspace.

        Args:
            name: a name, without spaces around it and without control characters such as line breaks.
            logo_url: the https address of an image.
            accent_color: a color such as #1f5fbf.
            mcp_sign_in_url: the https address of a page of your application.
            mcp_tool_pack_id: the id of a tool pack, which limits the MCP clients that people sign in from then on.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/workspace"),
            Parts(
                body={
                    "name": name,
                    "redirect_uris": redirect_uris,
                    "logo_url": logo_url,
                    "accent_color": accent_color,
                    "mcp_sign_in_url": mcp_sign_in_url,
                    "mcp_tool_pack_id": mcp_tool_pack_id,
                }
            ),
        )


class ProvidersMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self) -> List[Provider]:
        """List providers. All providers that integrations can be created for, in one response."""
        return self._calls.list(to_path("/v1/providers"), {}, paging="none")

    def create(
        self,
        *,
        id: str,
        name: str,
        docs_url: str,
        addresses: ProviderDocumentAddresses,
        auth: ProviderDocumentAuth,
        categories: Sequence[str] = OMIT,
        notes: Sequence[str] = OMIT,
        sources: Sequence[str] = OMIT,
        settings: Mapping[str, ProviderDocumentSetting] = OMIT,
        headers: Mapping[str, str] = OMIT,
        check: ProviderDocumentCheck = OMIT,
        discover: ProviderDocumentDiscover = OMIT,
        retry_header: str = OMIT,
    ) -> ProviderDetails:
        """Create a provider. Describes an API that is not among the providers yet: its addresses, and how to authenticate. Integrations and connections of it are used with the Proxy. Only this workspace has it. A workspace can have 200.

        Args:
            name: what people call it.
            docs_url: The provider's API reference.
            categories: What it is about, such as `crm`.
            notes: What somebody should know who sets it up.
            sources: Who else has these addresses.
            settings: Per-account values that are part of addresses, headers and requests.
            auth: One entry for each way to authenticate.
            headers: Sent with each request; `{name}` stands for a setting.
            retry_header: A header with the seconds to wait or the time to wait for, if it is not `Retry-After`.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/providers"),
            Parts(
                body={
                    "id": id,
                    "name": name,
                    "docs_url": docs_url,
                    "categories": categories,
                    "notes": notes,
                    "sources": sources,
                    "addresses": addresses,
                    "settings": settings,
                    "auth": auth,
                    "headers": headers,
                    "check": check,
                    "discover": discover,
                    "retry_header": retry_header,
                }
            ),
        )

    def get(self, id: str) -> ProviderDetails:
        """Get a provider."""
        return self._calls.call("GET", to_path("/v1/providers/{}", id))

    def update(
        self,
        id: str,
        *,
        name: str = OMIT,
        docs_url: str = OMIT,
        categories: Sequence[str] | None = OMIT,
        notes: Sequence[str] | None = OMIT,
        sources: Sequence[str] | None = OMIT,
        addresses: ProviderDocumentAddresses = OMIT,
        settings: Mapping[str, ProviderDocumentSetting] | None = OMIT,
        auth: ProviderDocumentAuth = OMIT,
        headers: Mapping[str, str] | None = OMIT,
        check: ProviderDocumentCheck | None = OMIT,
        discover: ProviderDocumentDiscover | None = OMIT,
        retry_header: str | None = OMIT,
    ) -> ProviderDetails:
        """Change a provider. Each given field replaces that of the document; null removes it. Integrations and connections stay, and use it as it is then. A way to authenticate that integrations use cannot be removed.

        Args:
            name: what people call it.
            docs_url: The provider's API reference.
            categories: What it is about, such as `crm`.
            notes: What somebody should know who sets it up.
            sources: Who else has these addresses.
            settings: Per-account values that are part of addresses, headers and requests.
            auth: One entry for each way to authenticate.
            headers: Sent with each request; `{name}` stands for a setting.
            retry_header: A header with the seconds to wait or the time to wait for, if it is not `Retry-After`.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/providers/{}", id),
            Parts(
                body={
                    "name": name,
                    "docs_url": docs_url,
                    "categories": categories,
                    "notes": notes,
                    "sources": sources,
                    "addresses": addresses,
                    "settings": settings,
                    "auth": auth,
                    "headers": headers,
                    "check": check,
                    "discover": discover,
                    "retry_header": retry_header,
                }
            ),
        )

    def delete(self, id: str) -> Success:
        """Delete a provider. Its integrations have to be deleted first."""
        return self._calls.call("DELETE", to_path("/v1/providers/{}", id))


class LogsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        offset: int = OMIT,
        limit: int = OMIT,
        connection_id: str = OMIT,
        external_id: str = OMIT,
        integration_id: str = OMIT,
        surface: str = OMIT,
        status: str = OMIT,
        outcome: str = OMIT,
        error_source: Literal["application", "provider", "plugboard", "any"] = OMIT,
        request_id: str = OMIT,
        operation: str = OMIT,
        path: str = OMIT,
        platform_reads: bool = OMIT,
        since: str = OMIT,
        until: str = OMIT,
    ) -> List[LogEntry]:
        """List requests, newest first. Entries are written about once a second. The newest `REQUEST_LOG_ENTRIES` (100,000) of the last 7 days are kept. A search that has to read many entries ends early, with the header `X-Searched-Until`: pass its time as `until` to search further back.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            connection_id: only requests that used this connection.
            external_id: only requests that used a connection with this external id.
            integration_id: only requests that used a connection of this integration.
            surface: only requests to this surface: unified, proxy, mcp, platform or auth.
            status: only responses with this status, such as 404, or of this class, such as 5xx.
            outcome: only requests with this outcome, such as rate_limited, provider_404 or client_disconnected.
            error_source: Only errors of this origin, or of any.
            request_id: only the request with this X-Request-Id.
            operation: only calls of this operation, such as git.listRepositories.
            path: only requests with this text in their path.
            platform_reads: Whether to include successful reads of the Platform API.
            since: only requests from this time on (ISO 8601).
            until: only requests before this time (ISO 8601), or before this entry: the id of the last one of the previous page, which reaches further than `offset`.
        """
        return self._calls.list(
            to_path("/v1/logs"),
            {
                "offset": offset,
                "limit": limit,
                "connection_id": connection_id,
                "external_id": external_id,
                "integration_id": integration_id,
                "surface": surface,
                "status": status,
                "outcome": outcome,
                "error_source": error_source,
                "request_id": request_id,
                "operation": operation,
                "path": path,
                "platform_reads": platform_reads,
                "since": since,
                "until": until,
            },
            paging="until",
        )

    def get(self, id: str) -> FullLogEntry:
        """Get a request."""
        return self._calls.call("GET", to_path("/v1/logs/{}", id))


class UsageMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, *, since: str = OMIT, until: str = OMIT, connection_id: str = OMIT) -> Usage:
        """Count requests over time. Requests, errors and latency by minute, for up to 6 hours of the last 2 days, or by hour. Reads of the Platform API are not counted. Counts are kept for 31 days, and updated about once a second. With `connection_id`, they go back as far as the request log, and for a connection with many requests less far: `since` says from when on they are complete.

        Args:
            since: from this time on (ISO 8601); a day before `until` by default, at most 31 days.
            until: before this time (ISO 8601); now by default.
            connection_id: only requests that used this connection.
        """
        return self._calls.call(
            "GET", to_path("/v1/usage"), Parts(query={"since": since, "until": until, "connection_id": connection_id})
        )


class AuditMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        limit: int = OMIT,
        after: str = OMIT,
        before: str = OMIT,
        actor: str = OMIT,
        action: str = OMIT,
        target: str = OMIT,
    ) -> List[AuditEntry]:
        """List who did what, newest first. Every change, every secret that was shown, and every attempt that was refused. With `Accept: application/x-ndjson`, all entries are streamed, one on each line, and that is an entry itself. Entries are kept for `AUDIT_RETENTION_DAYS` (365).

        Args:
            limit: Maximum number of entries to return. Default: 50.
            after: only entries after this one (its id) or after this time (ISO 8601). Without `before`, oldest first.
            before: only entries before this one (its id) or before this time: newest first, which is the default.
            actor: only what this key or person did: an id.
            action: only this action, such as `connection.delete`, or all of a kind: `connection.*`.
            target: only what was done to this: an id.
        """
        return self._calls.list(
            to_path("/v1/audit"),
            {"limit": limit, "after": after, "before": before, "actor": actor, "action": action, "target": target},
            paging="before",
        )


class EventsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        limit: int = OMIT,
        after: str = OMIT,
        before: str = OMIT,
        type: str = OMIT,
        connection_id: str = OMIT,
        wait: int = OMIT,
    ) -> List[Event]:
        """List events in the order in which they happened. Events appear within about a second, and are kept for `EVENT_RETENTION_DAYS` (7 days).

        Args:
            limit: Maximum number of entries to return. Default: 50.
            after: `next` of the previous page; `latest` for events from now on; without it, from the oldest event that is kept.
            before: newest first: `latest`, then `next` of the previous page. Not together with `after`. An empty page is the end.
            type: only events of these types, separated by commas; `tasks.*` matches every type that starts with `tasks.`.
            connection_id: only events about this connection.
            wait: With `after`: for how many seconds to wait if there is no event yet. Default: 0.
        """
        return self._calls.list(
            to_path("/v1/events"),
            {
                "limit": limit,
                "after": after,
                "before": before,
                "type": type,
                "connection_id": connection_id,
                "wait": wait,
            },
            paging="log",
        )


class WebhooksSecretMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, id: str) -> WebhookSecret:
        """Get the secret of a webhook."""
        return self._calls.call("GET", to_path("/v1/webhooks/{}/secret", id))


class WebhooksDeliveriesMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self, id: str, *, limit: int = OMIT, after: str = OMIT, state: Literal["pending", "delivered", "failed"] = OMIT
    ) -> List[Delivery]:
        """List the deliveries of a webhook, newest first.

        Args:
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page.
            state: Only deliveries in this state.
        """
        return self._calls.list(
            to_path("/v1/webhooks/{}/deliveries", id), {"limit": limit, "after": after, "state": state}
        )


class WebhooksMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.secret = WebhooksSecretMethods(calls)
        self.deliveries = WebhooksDeliveriesMethods(calls)

    def list(
        self, *, offset: int = OMIT, limit: int = OMIT, after: str = OMIT, order: Literal["oldest", "newest"] = OMIT
    ) -> List[Webhook]:
        """List webhooks.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
        """
        return self._calls.list(
            to_path("/v1/webhooks"), {"offset": offset, "limit": limit, "after": after, "order": order}
        )

    def create(self, *, name: str, url: str, events: Mapping[str, bool], enabled: bool = OMIT) -> CreatedWebhook:
        """Create a webhook. The response contains the secret that its signatures are verified with. A workspace can have 100 webhooks.

        Args:
            name: what it is for.
            url: where events are posted to.
            events: Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts.
            enabled: Whether it gets events.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/webhooks"),
            Parts(body={"name": name, "url": url, "events": events, "enabled": enabled}),
        )

    def get(self, id: str) -> Webhook:
        """Get a webhook."""
        return self._calls.call("GET", to_path("/v1/webhooks/{}", id))

    def update(
        self, id: str, *, name: str = OMIT, url: str = OMIT, events: Mapping[str, bool] = OMIT, enabled: bool = OMIT
    ) -> Webhook:
        """Change a webhook. `events` is replaced as a whole. While it is off, it gets no new events, and pending deliveries wait until it is on again.

        Args:
            name: what it is for.
            url: where events are posted to.
            events: Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts.
            enabled: Whether it gets events.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/webhooks/{}", id),
            Parts(body={"name": name, "url": url, "events": events, "enabled": enabled}),
        )

    def delete(self, id: str) -> Success:
        """Delete a webhook."""
        return self._calls.call("DELETE", to_path("/v1/webhooks/{}", id))

    def rotate_secret(self, id: str) -> RotatedWebhookSecret:
        """Give a webhook a new secret. For 24 hours, what is sent has a signature with the previous secret as well."""
        return self._calls.call("POST", to_path("/v1/webhooks/{}/rotate-secret", id))

    def test(self, id: str) -> Delivery:
        """Send a test event to a webhook. An event of type `webhook.test`, which no other webhook gets. `GET /v1/deliveries/{id}` has the result."""
        return self._calls.call("POST", to_path("/v1/webhooks/{}/test", id))

    def resend(self, id: str, *, since: str) -> ResentDeliveries:
        """Send all failed deliveries of a webhook again. All deliveries since a time whose last attempt failed, including those that have attempts left. They are sent now, with all attempts.

        Args:
            since: an ISO 8601 date and time.
        """
        return self._calls.call("POST", to_path("/v1/webhooks/{}/resend", id), Parts(body={"since": since}))


class DeliveriesMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, id: str) -> Delivery:
        """Get a delivery."""
        return self._calls.call("GET", to_path("/v1/deliveries/{}", id))

    def resend(self, id: str) -> Delivery:
        """Send a delivery again. With the same `webhook-id`, whether it was delivered or not, and with all further attempts."""
        return self._calls.call("POST", to_path("/v1/deliveries/{}/resend", id))


class SubscriptionsMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        offset: int = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        order: Literal["oldest", "newest"] = OMIT,
        connection_id: str = OMIT,
    ) -> List[Subscription]:
        """List subscriptions.

        Args:
            offset: Number of entries to skip. Default: 0.
            limit: Maximum number of entries to return. Default: 50.
            after: the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`.
            order: Which entries come first.
            connection_id: only subscriptions over this connection.
        """
        return self._calls.list(
            to_path("/v1/subscriptions"),
            {"offset": offset, "limit": limit, "after": after, "order": order, "connection_id": connection_id},
        )

    def create(
        self,
        *,
        connection_id: str,
        operation: str,
        interval_seconds: int,
        parameters: Mapping[str, str | float | bool] = OMIT,
        full_walk_seconds: int = OMIT,
        poll_with_webhook_seconds: int | None = OMIT,
        include_existing: bool = OMIT,
    ) -> Subscription:
        """Subscribe to the changes of a list. The list is read immediately, then every `interval_seconds`. Each record that was created, updated or deleted in between becomes an event. The first run only notes what exists, unless `include_existing` is set.

        Args:
            connection_id: the connection to read from.
            operation: the id of a list operation, such as tasks.listTasks.
            parameters: The operation's own path and query parameters. Times are fixed: a window does not move along.
            interval_seconds: How often the list is read.
            full_walk_seconds: How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole. Default: 21600.
            poll_with_webhook_seconds: How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day.
            include_existing: Whether the first run creates a `created` event for each existing record.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/subscriptions"),
            Parts(
                body={
                    "connection_id": connection_id,
                    "operation": operation,
                    "parameters": parameters,
                    "interval_seconds": interval_seconds,
                    "full_walk_seconds": full_walk_seconds,
                    "poll_with_webhook_seconds": poll_with_webhook_seconds,
                    "include_existing": include_existing,
                }
            ),
        )

    def get(self, id: str) -> Subscription:
        """Get a subscription."""
        return self._calls.call("GET", to_path("/v1/subscriptions/{}", id))

    def update(
        self,
        id: str,
        *,
        parameters: Mapping[str, str | float | bool] = OMIT,
        interval_seconds: int = OMIT,
        full_walk_seconds: int = OMIT,
        poll_with_webhook_seconds: int | None = OMIT,
    ) -> Subscription:
        """Change a subscription. `parameters` are replaced as a whole. Other parameters start the subscription over: its next run only notes what exists. Their order does not matter, and a request that changes nothing does nothing.

        Args:
            parameters: The operation's own path and query parameters. Times are fixed: a window does not move along.
            interval_seconds: How often the list is read.
            full_walk_seconds: How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole. Default: 21600.
            poll_with_webhook_seconds: How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day.
        """
        return self._calls.call(
            "PATCH",
            to_path("/v1/subscriptions/{}", id),
            Parts(
                body={
                    "parameters": parameters,
                    "interval_seconds": interval_seconds,
                    "full_walk_seconds": full_walk_seconds,
                    "poll_with_webhook_seconds": poll_with_webhook_seconds,
                }
            ),
        )

    def delete(self, id: str) -> Success:
        """Delete a subscription. No further events are created. Existing events stay in the log."""
        return self._calls.call("DELETE", to_path("/v1/subscriptions/{}", id))

    def run(self, id: str) -> Subscription:
        """Run a subscription now. It runs as soon as a process has time for it, usually within a second."""
        return self._calls.call("POST", to_path("/v1/subscriptions/{}/run", id))

    def pause(self, id: str) -> Subscription:
        """Pause a subscription. Changes made while it is paused are reported when it resumes."""
        return self._calls.call("POST", to_path("/v1/subscriptions/{}/pause", id))

    def resume(self, id: str) -> Subscription:
        """Resume a subscription. It runs immediately and continues where it stopped."""
        return self._calls.call("POST", to_path("/v1/subscriptions/{}/resume", id))


class Platform:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.integrations = IntegrationsMethods(calls)
        self.connections = ConnectionsMethods(calls)
        self.connect_sessions = ConnectSessionsMethods(calls)
        self.mcp_sign_ins = McpSignInsMethods(calls)
        self.mcp_grants = McpGrantsMethods(calls)
        self.api_keys = ApiKeysMethods(calls)
        self.tool_packs = ToolPacksMethods(calls)
        self.custom_fields = CustomFieldsMethods(calls)
        self.workspace = WorkspaceMethods(calls)
        self.providers = ProvidersMethods(calls)
        self.logs = LogsMethods(calls)
        self.usage = UsageMethods(calls)
        self.audit = AuditMethods(calls)
        self.events = EventsMethods(calls)
        self.webhooks = WebhooksMethods(calls)
        self.deliveries = DeliveriesMethods(calls)
        self.subscriptions = SubscriptionsMethods(calls)
