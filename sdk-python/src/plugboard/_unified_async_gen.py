# Written by `npm run gen` from the table of operations and the Platform API. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._address import path as to_path
from ._calls import AsyncCalls, AsyncDryRunCalls, planned_async
from ._content import OMIT, AsyncContent
from ._core import Parts
from ._lists import AsyncList
from ._streams import AsyncStreamedResponse
from .types import (
    Account,
    Branch,
    Calendar,
    CalendarEvent,
    ChatChannel,
    ChatMessage,
    ChatUser,
    Commit,
    Company,
    Contact,
    Customer,
    Deal,
    DriveFile,
    HelpdeskComment,
    HelpdeskTicket,
    Issue,
    IssueComment,
    NewCalendarEventAttendee,
    NewHelpdeskTicketRequester,
    OfferedField,
    Project,
    PullRequest,
    Release,
    Repository,
    Tag,
    Task,
    TaskComment,
    Ticket,
)


class AsyncChatUsersMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[ChatUser]:
        """List users.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/chat/users"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/chat/users/fields"))


class AsyncChatChannelsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[ChatChannel]:
        """List channels.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/chat/channels"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/chat/channels/fields"))


class AsyncChatMessagesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        channel_id: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[ChatMessage]:
        """List a channel's messages. Newest first.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/chat/channels/{}/messages", channel_id),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, channel_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/chat/channels/{}/messages/fields", channel_id))


class AsyncChatMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.users = AsyncChatUsersMethods(calls)
        self.channels = AsyncChatChannelsMethods(calls)
        self.messages = AsyncChatMessagesMethods(calls)

    async def send(
        self, channel_id: str, *, text: str, thread_id: str = OMIT, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Send a message to a channel.

        Args:
            text: The message, in Markdown.
            thread_id: The message to reply to: the `id` of a message, or the `thread_id` of another reply to it.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/chat/channels/{}/message", channel_id),
            Parts(body={"text": text, "thread_id": thread_id}, idempotency_key=idempotency_key),
        )


class AsyncGitReposMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Repository]:
        """List repositories.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos"),
            {
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET", to_path("/v1/git/repos/fields"), Parts(query={"updated_since": updated_since})
        )


class AsyncGitPullsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        state: Literal["open", "closed", "merged"] = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[PullRequest]:
        """List a repository's pull requests.

        Args:
            state: Only those in this state.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/pulls", repo),
            {
                "state": state,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self,
        repo: str,
        *,
        state: Literal["open", "closed", "merged"] = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            state: Only those in this state.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/git/repos/{}/pulls/fields", repo),
            Parts(query={"state": state, "query": query, "updated_since": updated_since}),
        )


class AsyncGitIssuesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        state: Literal["open", "closed"] = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Issue]:
        """List a repository's issues.

        Args:
            state: Only those in this state.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/issues", repo),
            {
                "state": state,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self, repo: str, *, state: Literal["open", "closed"] = OMIT, query: str = OMIT, updated_since: str = OMIT
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            state: Only those in this state.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/git/repos/{}/issues/fields", repo),
            Parts(query={"state": state, "query": query, "updated_since": updated_since}),
        )

    async def create(
        self,
        repo: str,
        *,
        title: str,
        description: str = OMIT,
        labels: Sequence[str] = OMIT,
        assignees: Sequence[str] = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> Issue:
        """Create an issue.

        Args:
            title: One line.
            description: In Markdown.
            labels: Names of labels.
            assignees: User names.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/git/repos/{}/issues", repo),
            Parts(
                body={
                    "title": title,
                    "description": description,
                    "labels": labels,
                    "assignees": assignees,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )


class AsyncGitTagsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Tag]:
        """List a repository's tags.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/tags", repo),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/git/repos/{}/tags/fields", repo))


class AsyncGitReleasesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Release]:
        """List a repository's releases.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/releases", repo),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/git/repos/{}/releases/fields", repo))


class AsyncGitBranchesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Branch]:
        """List a repository's branches.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/branches", repo),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/git/repos/{}/branches/fields", repo))


class AsyncGitCommitsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        *,
        branch: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Commit]:
        """List a repository's commits. Newest first.

        Args:
            branch: The branch. Default: the default branch.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/commits", repo),
            {
                "branch": branch,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, repo: str, *, branch: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            branch: The branch. Default: the default branch.
        """
        return await self._calls.call(
            "GET", to_path("/v1/git/repos/{}/commits/fields", repo), Parts(query={"branch": branch})
        )


class AsyncGitCommentsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        repo: str,
        number: int | str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[IssueComment]:
        """List an issue's comments. Oldest first.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/git/repos/{}/issues/{}/comments", repo, number),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, repo: str, number: int | str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/git/repos/{}/issues/{}/comments/fields", repo, number))

    async def create(
        self,
        repo: str,
        number: int | str,
        *,
        text: str,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> IssueComment:
        """Comment on an issue.

        Args:
            text: The comment, in Markdown.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/git/repos/{}/issues/{}/comments", repo, number),
            Parts(body={"text": text, "custom": custom, "provider": provider}, idempotency_key=idempotency_key),
        )


class AsyncGitMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.repos = AsyncGitReposMethods(calls)
        self.pulls = AsyncGitPullsMethods(calls)
        self.issues = AsyncGitIssuesMethods(calls)
        self.tags = AsyncGitTagsMethods(calls)
        self.releases = AsyncGitReleasesMethods(calls)
        self.branches = AsyncGitBranchesMethods(calls)
        self.commits = AsyncGitCommitsMethods(calls)
        self.comments = AsyncGitCommentsMethods(calls)


class AsyncTicketingTicketsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Ticket]:
        """List tickets.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/ticketing/tickets"),
            {
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET", to_path("/v1/ticketing/tickets/fields"), Parts(query={"updated_since": updated_since})
        )

    async def get(self, ticket_id: str, *, fields: str = OMIT) -> Ticket:
        """Get a ticket.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return await self._calls.call(
            "GET", to_path("/v1/ticketing/tickets/{}", ticket_id), Parts(query={"fields": fields})
        )


class AsyncTicketingProjectsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Project]:
        """List projects.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/ticketing/projects"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/ticketing/projects/fields"))


class AsyncTicketingMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.tickets = AsyncTicketingTicketsMethods(calls)
        self.projects = AsyncTicketingProjectsMethods(calls)


class AsyncTasksProjectsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Project]:
        """List projects.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/tasks/projects"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/tasks/projects/fields"))


class AsyncTasksCommentsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        task_id: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[TaskComment]:
        """List a task's comments.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/tasks/tasks/{}/comments", task_id),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, task_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/tasks/tasks/{}/comments/fields", task_id))

    async def create(
        self,
        task_id: str,
        *,
        text: str,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> TaskComment:
        """Comment on a task.

        Args:
            text: The comment, in Markdown.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/tasks/tasks/{}/comments", task_id),
            Parts(body={"text": text, "custom": custom, "provider": provider}, idempotency_key=idempotency_key),
        )


class AsyncTasksMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.projects = AsyncTasksProjectsMethods(calls)
        self.comments = AsyncTasksCommentsMethods(calls)

    def list(
        self,
        *,
        project_id: str = OMIT,
        status_category: Literal["todo", "in_progress", "done"] = OMIT,
        assignee_id: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Task]:
        """List tasks.

        Args:
            project_id: Only tasks of this project: an `id` from the list of projects.
            status_category: Only those whose `status_category` is this.
            assignee_id: Only those whose `assignee.id` is this, or `me`: the user whose connection it is.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/tasks/tasks"),
            {
                "project_id": project_id,
                "status_category": status_category,
                "assignee_id": assignee_id,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self,
        *,
        project_id: str = OMIT,
        status_category: Literal["todo", "in_progress", "done"] = OMIT,
        assignee_id: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            project_id: Only tasks of this project: an `id` from the list of projects.
            status_category: Only those whose `status_category` is this.
            assignee_id: Only those whose `assignee.id` is this, or `me`: the user whose connection it is.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/tasks/tasks/fields"),
            Parts(
                query={
                    "project_id": project_id,
                    "status_category": status_category,
                    "assignee_id": assignee_id,
                    "query": query,
                    "updated_since": updated_since,
                }
            ),
        )

    async def get(self, task_id: str, *, fields: str = OMIT) -> Task:
        """Get a task.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return await self._calls.call("GET", to_path("/v1/tasks/tasks/{}", task_id), Parts(query={"fields": fields}))

    async def create(
        self,
        *,
        title: str,
        project_id: str = OMIT,
        description: str = OMIT,
        status: str = OMIT,
        assignee_id: str = OMIT,
        priority: str = OMIT,
        labels: Sequence[str] = OMIT,
        due_at: str = OMIT,
        parent_id: str = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> Task:
        """Create a task.

        Args:
            title: One line.
            project_id: An `id` from the list of projects. Required by providers whose tasks are always in a project.
            description: In Markdown.
            status: The name of a status, as tasks of the same project have it.
            assignee_id: ID of a user: `assignee.id` of other tasks has it.
            priority: The priority, as the provider names it.
            labels: Names of labels or tags: exactly these.
            due_at: Only the day counts at providers that have no time.
            parent_id: ID of the task that this one is part of.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/tasks/tasks"),
            Parts(
                body={
                    "title": title,
                    "project_id": project_id,
                    "description": description,
                    "status": status,
                    "assignee_id": assignee_id,
                    "priority": priority,
                    "labels": labels,
                    "due_at": due_at,
                    "parent_id": parent_id,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )

    async def update(
        self,
        task_id: str,
        *,
        title: str = OMIT,
        project_id: str = OMIT,
        description: str = OMIT,
        status: str = OMIT,
        assignee_id: str = OMIT,
        priority: str = OMIT,
        labels: Sequence[str] = OMIT,
        due_at: str = OMIT,
        parent_id: str = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> Task:
        """Change a task. Fields that are left out stay as they are.

        Args:
            title: One line.
            project_id: An `id` from the list of projects: moves the task.
            description: In Markdown.
            status: The name of a status, as tasks of the same project have it.
            assignee_id: ID of a user: `assignee.id` of other tasks has it.
            priority: The priority, as the provider names it.
            labels: Names of labels or tags: exactly these.
            due_at: Only the day counts at providers that have no time.
            parent_id: ID of the task that this one is part of.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "PATCH",
            to_path("/v1/tasks/tasks/{}", task_id),
            Parts(
                body={
                    "title": title,
                    "project_id": project_id,
                    "description": description,
                    "status": status,
                    "assignee_id": assignee_id,
                    "priority": priority,
                    "labels": labels,
                    "due_at": due_at,
                    "parent_id": parent_id,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )


class AsyncHelpdeskTicketsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        status_category: Literal["open", "pending", "solved", "closed"] = OMIT,
        assignee_id: str = OMIT,
        requester: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[HelpdeskTicket]:
        """List tickets.

        Args:
            status_category: Only those whose `status_category` is this.
            assignee_id: Only those whose `assignee.id` is this, or `me`: the user whose connection it is.
            requester: Only those whose requester has this email address.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/helpdesk/tickets"),
            {
                "status_category": status_category,
                "assignee_id": assignee_id,
                "requester": requester,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self,
        *,
        status_category: Literal["open", "pending", "solved", "closed"] = OMIT,
        assignee_id: str = OMIT,
        requester: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            status_category: Only those whose `status_category` is this.
            assignee_id: Only those whose `assignee.id` is this, or `me`: the user whose connection it is.
            requester: Only those whose requester has this email address.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/helpdesk/tickets/fields"),
            Parts(
                query={
                    "status_category": status_category,
                    "assignee_id": assignee_id,
                    "requester": requester,
                    "query": query,
                    "updated_since": updated_since,
                }
            ),
        )

    async def get(self, ticket_id: str, *, fields: str = OMIT) -> HelpdeskTicket:
        """Get a ticket.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return await self._calls.call(
            "GET", to_path("/v1/helpdesk/tickets/{}", ticket_id), Parts(query={"fields": fields})
        )

    async def create(
        self,
        *,
        subject: str,
        description: str,
        requester: NewHelpdeskTicketRequester,
        priority: str = OMIT,
        tags: Sequence[str] = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> HelpdeskTicket:
        """Create a ticket.

        Args:
            subject: One line.
            description: The first message, in Markdown.
            priority: The priority, as the provider names it.
            tags: Tags.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/helpdesk/tickets"),
            Parts(
                body={
                    "subject": subject,
                    "description": description,
                    "requester": requester,
                    "priority": priority,
                    "tags": tags,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )

    async def update(
        self,
        ticket_id: str,
        *,
        status: str = OMIT,
        priority: str = OMIT,
        assignee_id: str = OMIT,
        tags: Sequence[str] = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> HelpdeskTicket:
        """Change a ticket. Fields that are left out stay as they are.

        Args:
            status: The status, as the provider names it.
            priority: The priority, as the provider names it.
            assignee_id: ID of an agent.
            tags: Tags: exactly these.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "PATCH",
            to_path("/v1/helpdesk/tickets/{}", ticket_id),
            Parts(
                body={
                    "status": status,
                    "priority": priority,
                    "assignee_id": assignee_id,
                    "tags": tags,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )


class AsyncHelpdeskCommentsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        ticket_id: str,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[HelpdeskComment]:
        """List a ticket's comments.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/helpdesk/tickets/{}/comments", ticket_id),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self, ticket_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/helpdesk/tickets/{}/comments/fields", ticket_id))

    async def create(
        self,
        ticket_id: str,
        *,
        text: str,
        is_public: bool = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> HelpdeskComment:
        """Comment on a ticket.

        Args:
            text: The comment, in Markdown.
            is_public: False for a note that only agents see.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/helpdesk/tickets/{}/comments", ticket_id),
            Parts(
                body={"text": text, "is_public": is_public, "custom": custom, "provider": provider},
                idempotency_key=idempotency_key,
            ),
        )


class AsyncHelpdeskCustomersMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Customer]:
        """List customers.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/helpdesk/customers"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/helpdesk/customers/fields"))


class AsyncHelpdeskMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.tickets = AsyncHelpdeskTicketsMethods(calls)
        self.comments = AsyncHelpdeskCommentsMethods(calls)
        self.customers = AsyncHelpdeskCustomersMethods(calls)


class AsyncCrmContactsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        email: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Contact]:
        """List contacts.

        Args:
            email: Only those with this email address.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/crm/contacts"),
            {
                "email": email,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, *, email: str = OMIT, query: str = OMIT, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            email: Only those with this email address.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/crm/contacts/fields"),
            Parts(query={"email": email, "query": query, "updated_since": updated_since}),
        )

    async def create(
        self,
        *,
        first_name: str = OMIT,
        last_name: str = OMIT,
        email: str = OMIT,
        phone: str = OMIT,
        company_id: str = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> Contact:
        """Create a contact.

        Args:
            first_name: First name.
            last_name: Last name.
            email: Email address.
            phone: Phone number.
            company_id: An `id` from the list of companies.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/crm/contacts"),
            Parts(
                body={
                    "first_name": first_name,
                    "last_name": last_name,
                    "email": email,
                    "phone": phone,
                    "company_id": company_id,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )

    async def update(
        self,
        contact_id: str,
        *,
        first_name: str = OMIT,
        last_name: str = OMIT,
        email: str = OMIT,
        phone: str = OMIT,
        company_id: str = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> Contact:
        """Change a contact. Fields that are left out stay as they are.

        Args:
            first_name: First name.
            last_name: Last name.
            email: Email address.
            phone: Phone number.
            company_id: An `id` from the list of companies.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "PATCH",
            to_path("/v1/crm/contacts/{}", contact_id),
            Parts(
                body={
                    "first_name": first_name,
                    "last_name": last_name,
                    "email": email,
                    "phone": phone,
                    "company_id": company_id,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )


class AsyncCrmCompaniesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Company]:
        """List companies.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/crm/companies"),
            {
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET", to_path("/v1/crm/companies/fields"), Parts(query={"updated_since": updated_since})
        )


class AsyncCrmDealsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Deal]:
        """List deals.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/crm/deals"),
            {
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET", to_path("/v1/crm/deals/fields"), Parts(query={"updated_since": updated_since})
        )


class AsyncCrmMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.contacts = AsyncCrmContactsMethods(calls)
        self.companies = AsyncCrmCompaniesMethods(calls)
        self.deals = AsyncCrmDealsMethods(calls)


class AsyncDriveFilesMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        folder_id: str = OMIT,
        query: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[DriveFile]:
        """List files and folders.

        Args:
            folder_id: Only what is directly in this folder: the `id` of a folder. Default: everything.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/drive/files"),
            {
                "folder_id": folder_id,
                "query": query,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self, *, folder_id: str = OMIT, query: str = OMIT, updated_since: str = OMIT
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            folder_id: Only what is directly in this folder: the `id` of a folder. Default: everything.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/drive/files/fields"),
            Parts(query={"folder_id": folder_id, "query": query, "updated_since": updated_since}),
        )

    async def get(self, file_id: str, *, fields: str = OMIT) -> DriveFile:
        """Get a file or folder.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return await self._calls.call("GET", to_path("/v1/drive/files/{}", file_id), Parts(query={"fields": fields}))


class AsyncDriveMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.files = AsyncDriveFilesMethods(calls)

    async def download(self, file_id: str) -> AsyncStreamedResponse:
        """Download a file."""
        return await self._calls.download(to_path("/v1/drive/files/{}/content", file_id))

    async def upload(
        self,
        content: AsyncContent,
        *,
        name: str,
        folder_id: str = OMIT,
        size: int | None = None,
        content_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> DriveFile:
        """Upload a file. The request's body is the file itself, not a form. It is streamed to the provider.

        Args:
            name: Name of the file.
            folder_id: The folder to put it in. Default: the top folder.
            size: Of a stream, in bytes, if it is not a binary file or a download.
            content_type: What the file is, as in `text/plain`.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/drive/files"),
            Parts(
                query={"name": name, "folder_id": folder_id},
                content=content,
                size=size,
                content_type=content_type,
                idempotency_key=idempotency_key,
            ),
        )


class AsyncCalendarCalendarsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[Calendar]:
        """List calendars.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/calendar/calendars"),
            {"fields": fields, "include_raw": include_raw, "params": params, "limit": limit, "after": after},
            stream=stream,
        )

    async def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return await self._calls.call("GET", to_path("/v1/calendar/calendars/fields"))


class AsyncCalendarEventsMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        starts_after: str,
        starts_before: str,
        calendar_id: str = OMIT,
        updated_since: str = OMIT,
        fields: str = OMIT,
        include_raw: bool = OMIT,
        params: Mapping[str, Any] = OMIT,
        limit: int = OMIT,
        after: str = OMIT,
        stream: bool = False,
    ) -> AsyncList[CalendarEvent]:
        """List a calendar's events. Every event that starts in the window, with each instance of a recurring event by itself. An event that lasts all day starts at midnight UTC.

        Args:
            starts_after: Only events that start at or after this time.
            starts_before: Only events that start before this time.
            calendar_id: The calendar: an `id` from the list of calendars. Default: the user's main calendar.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
            include_raw: Whether pages have the provider's own response as `raw`.
            params: Parameters to pass through to the provider.
            limit: How many records a page has: 1 to 100. Default: 100.
            after: Where to begin: `next` of a page.
            stream: Whether iterating reads the whole list from one response, instead of a request for each page.
        """
        return self._calls.list(
            to_path("/v1/calendar/events"),
            {
                "starts_after": starts_after,
                "starts_before": starts_before,
                "calendar_id": calendar_id,
                "updated_since": updated_since,
                "fields": fields,
                "include_raw": include_raw,
                "params": params,
                "limit": limit,
                "after": after,
            },
            stream=stream,
        )

    async def fields(
        self, *, starts_after: str, starts_before: str, calendar_id: str = OMIT, updated_since: str = OMIT
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            starts_after: Only events that start at or after this time.
            starts_before: Only events that start before this time.
            calendar_id: The calendar: an `id` from the list of calendars. Default: the user's main calendar.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return await self._calls.call(
            "GET",
            to_path("/v1/calendar/events/fields"),
            Parts(
                query={
                    "starts_after": starts_after,
                    "starts_before": starts_before,
                    "calendar_id": calendar_id,
                    "updated_since": updated_since,
                }
            ),
        )

    async def create(
        self,
        *,
        title: str,
        start_date: str,
        end_date: str,
        calendar_id: str = OMIT,
        description: str = OMIT,
        location: str = OMIT,
        is_all_day: bool = OMIT,
        time_zone: str = OMIT,
        attendees: Sequence[NewCalendarEventAttendee] = OMIT,
        custom: Mapping[str, Any] = OMIT,
        provider: Mapping[str, Any] = OMIT,
        idempotency_key: str | None = None,
    ) -> CalendarEvent:
        """Create an event.

        Args:
            title: One line.
            start_date: ISO 8601; a day as `2026-03-29` if the event lasts all day.
            end_date: ISO 8601; the day after the last one if the event lasts all day.
            calendar_id: An `id` from the list of calendars. Default: the user's main calendar.
            description: In Markdown.
            location: Where it takes place.
            time_zone: Where the event is planned: IANA name, as in `Europe/Berlin`.
            custom: Values of declared custom fields, by name; null empties a field.
            provider: Merged into the body that is sent to the provider, in the provider's own format.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return await self._calls.call(
            "POST",
            to_path("/v1/calendar/events"),
            Parts(
                body={
                    "title": title,
                    "start_date": start_date,
                    "end_date": end_date,
                    "calendar_id": calendar_id,
                    "description": description,
                    "location": location,
                    "is_all_day": is_all_day,
                    "time_zone": time_zone,
                    "attendees": attendees,
                    "custom": custom,
                    "provider": provider,
                },
                idempotency_key=idempotency_key,
            ),
        )


class AsyncCalendarMethods:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.calendars = AsyncCalendarCalendarsMethods(calls)
        self.events = AsyncCalendarEventsMethods(calls)


class AsyncOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls
        self.chat = AsyncChatMethods(calls)
        self.git = AsyncGitMethods(calls)
        self.ticketing = AsyncTicketingMethods(calls)
        self.tasks = AsyncTasksMethods(calls)
        self.helpdesk = AsyncHelpdeskMethods(calls)
        self.crm = AsyncCrmMethods(calls)
        self.drive = AsyncDriveMethods(calls)
        self.calendar = AsyncCalendarMethods(calls)

    async def me(self, *, fields: str = OMIT) -> Account:
        """Get the account that the connection belongs to. Who the connection acts as.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return await self._calls.call("GET", to_path("/v1/me"), Parts(query={"fields": fields}))


class AsyncChatUsersDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncChatUsersMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncChatChannelsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncChatChannelsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncChatMessagesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncChatMessagesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncChatDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncChatMethods(calls)
        self.users = AsyncChatUsersDryRun(calls)
        self.channels = AsyncChatChannelsDryRun(calls)
        self.messages = AsyncChatMessagesDryRun(calls)
        self.send = planned_async(methods.send)


class AsyncGitReposDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitReposMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitPullsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitPullsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitIssuesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitIssuesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)


class AsyncGitTagsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitTagsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitReleasesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitReleasesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitBranchesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitBranchesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitCommitsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitCommitsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncGitCommentsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncGitCommentsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)


class AsyncGitDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        self.repos = AsyncGitReposDryRun(calls)
        self.pulls = AsyncGitPullsDryRun(calls)
        self.issues = AsyncGitIssuesDryRun(calls)
        self.tags = AsyncGitTagsDryRun(calls)
        self.releases = AsyncGitReleasesDryRun(calls)
        self.branches = AsyncGitBranchesDryRun(calls)
        self.commits = AsyncGitCommitsDryRun(calls)
        self.comments = AsyncGitCommentsDryRun(calls)


class AsyncTicketingTicketsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncTicketingTicketsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.get = planned_async(methods.get)


class AsyncTicketingProjectsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncTicketingProjectsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncTicketingDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        self.tickets = AsyncTicketingTicketsDryRun(calls)
        self.projects = AsyncTicketingProjectsDryRun(calls)


class AsyncTasksProjectsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncTasksProjectsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncTasksCommentsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncTasksCommentsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)


class AsyncTasksDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncTasksMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.get = planned_async(methods.get)
        self.projects = AsyncTasksProjectsDryRun(calls)
        self.comments = AsyncTasksCommentsDryRun(calls)
        self.create = planned_async(methods.create)
        self.update = planned_async(methods.update)


class AsyncHelpdeskTicketsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncHelpdeskTicketsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.get = planned_async(methods.get)
        self.create = planned_async(methods.create)
        self.update = planned_async(methods.update)


class AsyncHelpdeskCommentsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncHelpdeskCommentsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)


class AsyncHelpdeskCustomersDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncHelpdeskCustomersMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncHelpdeskDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        self.tickets = AsyncHelpdeskTicketsDryRun(calls)
        self.comments = AsyncHelpdeskCommentsDryRun(calls)
        self.customers = AsyncHelpdeskCustomersDryRun(calls)


class AsyncCrmContactsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncCrmContactsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)
        self.update = planned_async(methods.update)


class AsyncCrmCompaniesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncCrmCompaniesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncCrmDealsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncCrmDealsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncCrmDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        self.contacts = AsyncCrmContactsDryRun(calls)
        self.companies = AsyncCrmCompaniesDryRun(calls)
        self.deals = AsyncCrmDealsDryRun(calls)


class AsyncDriveFilesDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncDriveFilesMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.get = planned_async(methods.get)


class AsyncDriveDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncDriveMethods(calls)
        self.files = AsyncDriveFilesDryRun(calls)
        self.download = planned_async(methods.download)
        self.upload = planned_async(methods.upload)


class AsyncCalendarCalendarsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncCalendarCalendarsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)


class AsyncCalendarEventsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncCalendarEventsMethods(calls)
        self.list = planned_async(methods.list)
        self.fields = planned_async(methods.fields)
        self.create = planned_async(methods.create)


class AsyncCalendarDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        self.calendars = AsyncCalendarCalendarsDryRun(calls)
        self.events = AsyncCalendarEventsDryRun(calls)


class AsyncOperationsDryRun:
    def __init__(self, calls: AsyncDryRunCalls) -> None:
        methods = AsyncOperations(calls)
        self.me = planned_async(methods.me)
        self.chat = AsyncChatDryRun(calls)
        self.git = AsyncGitDryRun(calls)
        self.ticketing = AsyncTicketingDryRun(calls)
        self.tasks = AsyncTasksDryRun(calls)
        self.helpdesk = AsyncHelpdeskDryRun(calls)
        self.crm = AsyncCrmDryRun(calls)
        self.drive = AsyncDriveDryRun(calls)
        self.calendar = AsyncCalendarDryRun(calls)
