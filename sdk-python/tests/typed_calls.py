"""What the type checker has to accept and to refuse. A refusal that does not happen is an error by itself."""

from __future__ import annotations

from array import array
from typing import Any, Literal

from plugboard import (
    Answer,
    AsyncList,
    AsyncPlugboard,
    DryRun,
    List,
    Page,
    Plugboard,
    ProviderError,
    RateLimit,
    StreamedResponse,
    verify_webhook,
    with_response,
)
from plugboard.types import Account, Connection, Contact, Issue, NewTask, Task, TaskAssignee
from typing_extensions import assert_type


def results(pb: Plugboard) -> None:
    connection = pb.connection("conn_1")
    issues = connection.git.issues.list("acme/rocket", updated_since="2026-01-01T00:00:00Z")
    assert_type(issues, List[Issue])
    assert_type(issues.data, list[Issue])
    for issue in issues:
        assert_type(issue, Issue)
    for page in issues.pages():
        assert_type(page, Page[Issue])
        assert_type(page.response.rate_limit, RateLimit | None)

    task = connection.tasks.create(title="A", labels=["b"])
    assert_type(task, Task)
    assert_type(task["status_category"], Literal["todo", "in_progress", "done"])
    assert_type(task["assignee"], TaskAssignee | None)
    assert_type(task["due_at"], str | None)
    assert_type(connection.crm.contacts.update("1", email="zoe@example.com"), Contact)
    order: NewTask = {"title": "A", "project_id": "1"}
    assert_type(connection.tasks.create(**order, idempotency_key="a"), Task)

    # The number of an issue is a number in records, and may be sent as one.
    connection.git.comments.list("acme/rocket", issues.data[0]["number"])
    connection.calendar.events.list(starts_after="2026-01-01T00:00:00Z", starts_before="2026-02-01T00:00:00Z")

    file = connection.drive.download("1")
    assert_type(file, StreamedResponse)
    assert_type(file.read(10), bytes)
    connection.drive.upload(file, name="a copy")
    connection.drive.upload((piece for piece in file), name="a", size=1)
    connection.drive.upload(array("B", b"a"), name="a")
    assert_type(connection.proxy.json("/user", query={"page": 2}), Any)

    assert_type(with_response(connection.tasks.get)("1"), Answer[Task])
    assert_type(connection.dry_run.git.issues.create("acme/rocket", title="A"), DryRun)
    assert_type(connection.with_options(timeout=5).me(), Account)

    for one in pb.connections.list(external_id="user_1"):
        assert_type(one, Connection)
    assert_type(pb.platform.connections.get("1"), Connection)
    pb.integrations.create(identifier="github", type="oauth2", client_id=None)

    event = verify_webhook("{}", {"webhook-id": "1"}, "whsec_")
    if event["type"] == "git.issue.updated":
        assert_type(event["data"]["record"], Issue)
    elif event["type"] == "connection.invalid":
        assert_type(event["data"]["invalid_reason"], str | None)
    elif event["type"] == "git.tag.deleted":
        assert_type(event["data"]["record"]["name"], str)


async def asynchronous_results(pb: AsyncPlugboard) -> None:
    connection = pb.connection("conn_1")
    issues = connection.git.issues.list("acme/rocket")
    assert_type(issues, AsyncList[Issue])
    assert_type(await issues, Page[Issue])
    async for issue in issues:
        assert_type(issue, Issue)
    assert_type(await connection.tasks.create(title="A"), Task)
    assert_type(await with_response(connection.me)(), Answer[Account])
    assert_type(await connection.dry_run.git.repos.list(limit=1), DryRun)


def mistakes(pb: Plugboard) -> None:
    """Input is strict: each of these is a mistake that the type checker has to find."""
    connection = pb.connection("conn_1")
    # A title is required.
    connection.tasks.create(description="A")  # pyright: ignore[reportCallIssue]
    # There is no such field.
    connection.tasks.create(title="A", titel="B")  # pyright: ignore[reportCallIssue]
    # A title is text.
    connection.tasks.create(title=5)  # pyright: ignore[reportArgumentType]
    # A field that is sent is not null.
    connection.tasks.update("1", description=None)  # pyright: ignore[reportArgumentType]
    # The repository is missing.
    connection.git.issues.create(title="A")  # pyright: ignore[reportCallIssue]
    # The window is required.
    connection.calendar.events.list()  # pyright: ignore[reportCallIssue]
    # The list of users cannot be filtered by time.
    connection.chat.users.list(updated_since="2026-01-01T00:00:00Z")  # pyright: ignore[reportCallIssue]
    # An ID is text.
    connection.tasks.get(1)  # pyright: ignore[reportArgumentType]
    # An upload has a name.
    connection.drive.upload("content")  # pyright: ignore[reportCallIssue]
    # Content has to consist of bytes or text.
    connection.drive.upload([72, 105], name="a")  # pyright: ignore[reportArgumentType]
    # There is no such option.
    connection.with_options(retries=1)  # pyright: ignore[reportCallIssue]
    # Only a list can be streamed.
    connection.tasks.get("1", stream=True)  # pyright: ignore[reportCallIssue]
    # A dry run takes what the operation takes.
    connection.dry_run.tasks.create(titel="A")  # pyright: ignore[reportCallIssue]
    # There is no such operation.
    connection.git.repos.delete("1")  # pyright: ignore
    # There is no such type.
    pb.integrations.create(identifier="github", type="password")  # pyright: ignore[reportArgumentType]
    # There is no such field of a record.
    connection.me()["titel"]  # pyright: ignore
    # An address is required.
    Plugboard(api_key="key")  # pyright: ignore[reportCallIssue]


def describe_error(error: Exception) -> str:
    """Errors can be told apart, with what each has."""
    if isinstance(error, ProviderError):
        assert_type(error.status, int | None)
    return str(error)
