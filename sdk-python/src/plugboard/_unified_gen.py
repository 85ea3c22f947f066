# Written by `npm run gen` from the table of operations and the Platform API. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._address import path as to_path
from ._calls import Calls, DryRunCalls, planned
from ._content import OMIT, Content
from ._core import Parts
from ._lists import List
from ._streams import StreamedResponse
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


class ChatUsersMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[ChatUser]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/chat/users/fields"))


class ChatChannelsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[ChatChannel]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/chat/channels/fields"))


class ChatMessagesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[ChatMessage]:
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

    def fields(self, channel_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/chat/channels/{}/messages/fields", channel_id))


class ChatMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.users = ChatUsersMethods(calls)
        self.channels = ChatChannelsMethods(calls)
        self.messages = ChatMessagesMethods(calls)

    def send(
        self, channel_id: str, *, text: str, thread_id: str = OMIT, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Send a message to a channel.

        Args:
            text: The message, in Markdown.
            thread_id: The message to reply to: the `id` of a message, or the `thread_id` of another reply to it.
            idempotency_key: 1 to 255 characters. Default: a new one for each call, kept over its retries.
        """
        return self._calls.call(
            "POST",
            to_path("/v1/chat/channels/{}/message", channel_id),
            Parts(body={"text": text, "thread_id": thread_id}, idempotency_key=idempotency_key),
        )


class GitReposMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Repository]:
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

    def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call("GET", to_path("/v1/git/repos/fields"), Parts(query={"updated_since": updated_since}))


class GitPullsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[PullRequest]:
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

    def fields(
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
        return self._calls.call(
            "GET",
            to_path("/v1/git/repos/{}/pulls/fields", repo),
            Parts(query={"state": state, "query": query, "updated_since": updated_since}),
        )


class GitIssuesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Issue]:
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

    def fields(
        self, repo: str, *, state: Literal["open", "closed"] = OMIT, query: str = OMIT, updated_since: str = OMIT
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            state: Only those in this state.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
            "GET",
            to_path("/v1/git/repos/{}/issues/fields", repo),
            Parts(query={"state": state, "query": query, "updated_since": updated_since}),
        )

    def create(
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
        return self._calls.call(
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


class GitTagsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Tag]:
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

    def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/git/repos/{}/tags/fields", repo))


class GitReleasesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Release]:
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

    def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/git/repos/{}/releases/fields", repo))


class GitBranchesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Branch]:
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

    def fields(self, repo: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/git/repos/{}/branches/fields", repo))


class GitCommitsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Commit]:
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

    def fields(self, repo: str, *, branch: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            branch: The branch. Default: the default branch.
        """
        return self._calls.call(
            "GET", to_path("/v1/git/repos/{}/commits/fields", repo), Parts(query={"branch": branch})
        )


class GitCommentsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[IssueComment]:
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

    def fields(self, repo: str, number: int | str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/git/repos/{}/issues/{}/comments/fields", repo, number))

    def create(
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
        return self._calls.call(
            "POST",
            to_path("/v1/git/repos/{}/issues/{}/comments", repo, number),
            Parts(body={"text": text, "custom": custom, "provider": provider}, idempotency_key=idempotency_key),
        )


class GitMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.repos = GitReposMethods(calls)
        self.pulls = GitPullsMethods(calls)
        self.issues = GitIssuesMethods(calls)
        self.tags = GitTagsMethods(calls)
        self.releases = GitReleasesMethods(calls)
        self.branches = GitBranchesMethods(calls)
        self.commits = GitCommitsMethods(calls)
        self.comments = GitCommentsMethods(calls)


class TicketingTicketsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Ticket]:
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

    def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
            "GET", to_path("/v1/ticketing/tickets/fields"), Parts(query={"updated_since": updated_since})
        )

    def get(self, ticket_id: str, *, fields: str = OMIT) -> Ticket:
        """Get a ticket.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return self._calls.call("GET", to_path("/v1/ticketing/tickets/{}", ticket_id), Parts(query={"fields": fields}))


class TicketingProjectsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Project]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/ticketing/projects/fields"))


class TicketingMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.tickets = TicketingTicketsMethods(calls)
        self.projects = TicketingProjectsMethods(calls)


class TasksProjectsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Project]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/tasks/projects/fields"))


class TasksCommentsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[TaskComment]:
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

    def fields(self, task_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/tasks/tasks/{}/comments/fields", task_id))

    def create(
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
        return self._calls.call(
            "POST",
            to_path("/v1/tasks/tasks/{}/comments", task_id),
            Parts(body={"text": text, "custom": custom, "provider": provider}, idempotency_key=idempotency_key),
        )


class TasksMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.projects = TasksProjectsMethods(calls)
        self.comments = TasksCommentsMethods(calls)

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
    ) -> List[Task]:
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

    def fields(
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
        return self._calls.call(
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

    def get(self, task_id: str, *, fields: str = OMIT) -> Task:
        """Get a task.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return self._calls.call("GET", to_path("/v1/tasks/tasks/{}", task_id), Parts(query={"fields": fields}))

    def create(
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
        return self._calls.call(
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

    def update(
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
        return self._calls.call(
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


class HelpdeskTicketsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[HelpdeskTicket]:
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

    def fields(
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
        return self._calls.call(
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

    def get(self, ticket_id: str, *, fields: str = OMIT) -> HelpdeskTicket:
        """Get a ticket.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return self._calls.call("GET", to_path("/v1/helpdesk/tickets/{}", ticket_id), Parts(query={"fields": fields}))

    def create(
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
        return self._calls.call(
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

    def update(
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
        return self._calls.call(
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


class HelpdeskCommentsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[HelpdeskComment]:
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

    def fields(self, ticket_id: str) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/helpdesk/tickets/{}/comments/fields", ticket_id))

    def create(
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
        return self._calls.call(
            "POST",
            to_path("/v1/helpdesk/tickets/{}/comments", ticket_id),
            Parts(
                body={"text": text, "is_public": is_public, "custom": custom, "provider": provider},
                idempotency_key=idempotency_key,
            ),
        )


class HelpdeskCustomersMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Customer]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/helpdesk/customers/fields"))


class HelpdeskMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.tickets = HelpdeskTicketsMethods(calls)
        self.comments = HelpdeskCommentsMethods(calls)
        self.customers = HelpdeskCustomersMethods(calls)


class CrmContactsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Contact]:
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

    def fields(self, *, email: str = OMIT, query: str = OMIT, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            email: Only those with this email address.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
            "GET",
            to_path("/v1/crm/contacts/fields"),
            Parts(query={"email": email, "query": query, "updated_since": updated_since}),
        )

    def create(
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
        return self._calls.call(
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

    def update(
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
        return self._calls.call(
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


class CrmCompaniesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Company]:
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

    def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
            "GET", to_path("/v1/crm/companies/fields"), Parts(query={"updated_since": updated_since})
        )


class CrmDealsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Deal]:
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

    def fields(self, *, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call("GET", to_path("/v1/crm/deals/fields"), Parts(query={"updated_since": updated_since}))


class CrmMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.contacts = CrmContactsMethods(calls)
        self.companies = CrmCompaniesMethods(calls)
        self.deals = CrmDealsMethods(calls)


class DriveFilesMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[DriveFile]:
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

    def fields(self, *, folder_id: str = OMIT, query: str = OMIT, updated_since: str = OMIT) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            folder_id: Only what is directly in this folder: the `id` of a folder. Default: everything.
            query: Only what the provider's own search finds by this text. Refused if the provider has no search.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
            "GET",
            to_path("/v1/drive/files/fields"),
            Parts(query={"folder_id": folder_id, "query": query, "updated_since": updated_since}),
        )

    def get(self, file_id: str, *, fields: str = OMIT) -> DriveFile:
        """Get a file or folder.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return self._calls.call("GET", to_path("/v1/drive/files/{}", file_id), Parts(query={"fields": fields}))


class DriveMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.files = DriveFilesMethods(calls)

    def download(self, file_id: str) -> StreamedResponse:
        """Download a file."""
        return self._calls.download(to_path("/v1/drive/files/{}/content", file_id))

    def upload(
        self,
        content: Content,
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
        return self._calls.call(
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


class CalendarCalendarsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[Calendar]:
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

    def fields(self) -> list[OfferedField]:
        """List the fields that these records can have as custom fields."""
        return self._calls.call("GET", to_path("/v1/calendar/calendars/fields"))


class CalendarEventsMethods:
    def __init__(self, calls: Calls) -> None:
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
    ) -> List[CalendarEvent]:
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

    def fields(
        self, *, starts_after: str, starts_before: str, calendar_id: str = OMIT, updated_since: str = OMIT
    ) -> list[OfferedField]:
        """List the fields that these records can have as custom fields.

        Args:
            starts_after: Only events that start at or after this time.
            starts_before: Only events that start before this time.
            calendar_id: The calendar: an `id` from the list of calendars. Default: the user's main calendar.
            updated_since: Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included.
        """
        return self._calls.call(
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

    def create(
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
        return self._calls.call(
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


class CalendarMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.calendars = CalendarCalendarsMethods(calls)
        self.events = CalendarEventsMethods(calls)


class Operations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.chat = ChatMethods(calls)
        self.git = GitMethods(calls)
        self.ticketing = TicketingMethods(calls)
        self.tasks = TasksMethods(calls)
        self.helpdesk = HelpdeskMethods(calls)
        self.crm = CrmMethods(calls)
        self.drive = DriveMethods(calls)
        self.calendar = CalendarMethods(calls)

    def me(self, *, fields: str = OMIT) -> Account:
        """Get the account that the connection belongs to. Who the connection acts as.

        Args:
            fields: Only these fields of the records, separated by commas, such as `id,name,custom.tier`.
        """
        return self._calls.call("GET", to_path("/v1/me"), Parts(query={"fields": fields}))


class ChatUsersDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = ChatUsersMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class ChatChannelsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = ChatChannelsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class ChatMessagesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = ChatMessagesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class ChatDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = ChatMethods(calls)
        self.users = ChatUsersDryRun(calls)
        self.channels = ChatChannelsDryRun(calls)
        self.messages = ChatMessagesDryRun(calls)
        self.send = planned(methods.send)


class GitReposDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitReposMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitPullsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitPullsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitIssuesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitIssuesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)


class GitTagsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitTagsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitReleasesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitReleasesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitBranchesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitBranchesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitCommitsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitCommitsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class GitCommentsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = GitCommentsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)


class GitDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        self.repos = GitReposDryRun(calls)
        self.pulls = GitPullsDryRun(calls)
        self.issues = GitIssuesDryRun(calls)
        self.tags = GitTagsDryRun(calls)
        self.releases = GitReleasesDryRun(calls)
        self.branches = GitBranchesDryRun(calls)
        self.commits = GitCommitsDryRun(calls)
        self.comments = GitCommentsDryRun(calls)


class TicketingTicketsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = TicketingTicketsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.get = planned(methods.get)


class TicketingProjectsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = TicketingProjectsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class TicketingDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        self.tickets = TicketingTicketsDryRun(calls)
        self.projects = TicketingProjectsDryRun(calls)


class TasksProjectsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = TasksProjectsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class TasksCommentsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = TasksCommentsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)


class TasksDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = TasksMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.get = planned(methods.get)
        self.projects = TasksProjectsDryRun(calls)
        self.comments = TasksCommentsDryRun(calls)
        self.create = planned(methods.create)
        self.update = planned(methods.update)


class HelpdeskTicketsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = HelpdeskTicketsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.get = planned(methods.get)
        self.create = planned(methods.create)
        self.update = planned(methods.update)


class HelpdeskCommentsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = HelpdeskCommentsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)


class HelpdeskCustomersDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = HelpdeskCustomersMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class HelpdeskDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        self.tickets = HelpdeskTicketsDryRun(calls)
        self.comments = HelpdeskCommentsDryRun(calls)
        self.customers = HelpdeskCustomersDryRun(calls)


class CrmContactsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = CrmContactsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)
        self.update = planned(methods.update)


class CrmCompaniesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = CrmCompaniesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class CrmDealsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = CrmDealsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class CrmDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        self.contacts = CrmContactsDryRun(calls)
        self.companies = CrmCompaniesDryRun(calls)
        self.deals = CrmDealsDryRun(calls)


class DriveFilesDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = DriveFilesMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.get = planned(methods.get)


class DriveDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = DriveMethods(calls)
        self.files = DriveFilesDryRun(calls)
        self.download = planned(methods.download)
        self.upload = planned(methods.upload)


class CalendarCalendarsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = CalendarCalendarsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)


class CalendarEventsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = CalendarEventsMethods(calls)
        self.list = planned(methods.list)
        self.fields = planned(methods.fields)
        self.create = planned(methods.create)


class CalendarDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        self.calendars = CalendarCalendarsDryRun(calls)
        self.events = CalendarEventsDryRun(calls)


class OperationsDryRun:
    def __init__(self, calls: DryRunCalls) -> None:
        methods = Operations(calls)
        self.me = planned(methods.me)
        self.chat = ChatDryRun(calls)
        self.git = GitDryRun(calls)
        self.ticketing = TicketingDryRun(calls)
        self.tasks = TasksDryRun(calls)
        self.helpdesk = HelpdeskDryRun(calls)
        self.crm = CrmDryRun(calls)
        self.drive = DriveDryRun(calls)
        self.calendar = CalendarDryRun(calls)
