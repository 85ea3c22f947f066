# Written by `npm run gen` from the table of operations. Do not edit.
"""Events as a webhook receives them. The `type` of one says what its `data` is."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from .types import (
    Branch,
    Calendar,
    CalendarEvent,
    ChatChannel,
    ChatMessage,
    ChatUser,
    Commit,
    Company,
    Connection,
    Contact,
    Customer,
    Deal,
    DriveFile,
    HelpdeskComment,
    HelpdeskTicket,
    Issue,
    IssueComment,
    Project,
    PullRequest,
    Release,
    Repository,
    Tag,
    Task,
    TaskComment,
    Ticket,
)


class _RecordEventData(TypedDict):
    subscription_id: str
    connection_id: str
    external_id: str | None


class ConnectionChanged(TypedDict):
    type: Literal[
        "connection.created", "connection.updated", "connection.deleted", "connection.invalid", "connection.recovered"
    ]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: Connection


class OtherEvent(TypedDict):
    type: Literal["subscription.failed", "webhook.disabled", "webhook.test"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: dict[str, Any]


class ChatUserChangedData(_RecordEventData):
    record: ChatUser


class ChatUserChanged(TypedDict):
    type: Literal["chat.user.created", "chat.user.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatUserChangedData


class ChatChannelChangedData(_RecordEventData):
    record: ChatChannel


class ChatChannelChanged(TypedDict):
    type: Literal["chat.channel.created", "chat.channel.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatChannelChangedData


class ChatMessageChangedData(_RecordEventData):
    record: ChatMessage


class ChatMessageChanged(TypedDict):
    type: Literal["chat.message.created", "chat.message.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatMessageChangedData


class RepositoryChangedData(_RecordEventData):
    record: Repository


class RepositoryChanged(TypedDict):
    type: Literal["git.repository.created", "git.repository.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: RepositoryChangedData


class PullRequestChangedData(_RecordEventData):
    record: PullRequest


class PullRequestChanged(TypedDict):
    type: Literal["git.pull_request.created", "git.pull_request.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: PullRequestChangedData


class IssueChangedData(_RecordEventData):
    record: Issue


class IssueChanged(TypedDict):
    type: Literal["git.issue.created", "git.issue.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: IssueChangedData


class TagChangedData(_RecordEventData):
    record: Tag


class TagChanged(TypedDict):
    type: Literal["git.tag.created", "git.tag.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TagChangedData


class ReleaseChangedData(_RecordEventData):
    record: Release


class ReleaseChanged(TypedDict):
    type: Literal["git.release.created", "git.release.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ReleaseChangedData


class BranchChangedData(_RecordEventData):
    record: Branch


class BranchChanged(TypedDict):
    type: Literal["git.branch.created", "git.branch.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: BranchChangedData


class CommitChangedData(_RecordEventData):
    record: Commit


class CommitChanged(TypedDict):
    type: Literal["git.commit.created", "git.commit.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CommitChangedData


class IssueCommentChangedData(_RecordEventData):
    record: IssueComment


class IssueCommentChanged(TypedDict):
    type: Literal["git.issue_comment.created", "git.issue_comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: IssueCommentChangedData


class TicketChangedData(_RecordEventData):
    record: Ticket


class TicketChanged(TypedDict):
    type: Literal["ticketing.ticket.created", "ticketing.ticket.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TicketChangedData


class ProjectChangedData(_RecordEventData):
    record: Project


class ProjectChanged(TypedDict):
    type: Literal[
        "ticketing.project.created", "ticketing.project.updated", "tasks.project.created", "tasks.project.updated"
    ]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ProjectChangedData


class TaskChangedData(_RecordEventData):
    record: Task


class TaskChanged(TypedDict):
    type: Literal["tasks.task.created", "tasks.task.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TaskChangedData


class TaskCommentChangedData(_RecordEventData):
    record: TaskComment


class TaskCommentChanged(TypedDict):
    type: Literal["tasks.comment.created", "tasks.comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TaskCommentChangedData


class HelpdeskTicketChangedData(_RecordEventData):
    record: HelpdeskTicket


class HelpdeskTicketChanged(TypedDict):
    type: Literal["helpdesk.ticket.created", "helpdesk.ticket.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: HelpdeskTicketChangedData


class HelpdeskCommentChangedData(_RecordEventData):
    record: HelpdeskComment


class HelpdeskCommentChanged(TypedDict):
    type: Literal["helpdesk.comment.created", "helpdesk.comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: HelpdeskCommentChangedData


class CustomerChangedData(_RecordEventData):
    record: Customer


class CustomerChanged(TypedDict):
    type: Literal["helpdesk.customer.created", "helpdesk.customer.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CustomerChangedData


class ContactChangedData(_RecordEventData):
    record: Contact


class ContactChanged(TypedDict):
    type: Literal["crm.contact.created", "crm.contact.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ContactChangedData


class CompanyChangedData(_RecordEventData):
    record: Company


class CompanyChanged(TypedDict):
    type: Literal["crm.company.created", "crm.company.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CompanyChangedData


class DealChangedData(_RecordEventData):
    record: Deal


class DealChanged(TypedDict):
    type: Literal["crm.deal.created", "crm.deal.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DealChangedData


class DriveFileChangedData(_RecordEventData):
    record: DriveFile


class DriveFileChanged(TypedDict):
    type: Literal["drive.file.created", "drive.file.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DriveFileChangedData


class CalendarChangedData(_RecordEventData):
    record: Calendar


class CalendarChanged(TypedDict):
    type: Literal["calendar.calendar.created", "calendar.calendar.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CalendarChangedData


class CalendarEventChangedData(_RecordEventData):
    record: CalendarEvent


class CalendarEventChanged(TypedDict):
    type: Literal["calendar.event.created", "calendar.event.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CalendarEventChangedData


class DeletedByIdRecord(TypedDict):
    """Nothing but its id is known of a record that is gone."""

    id: str


class DeletedByIdData(_RecordEventData):
    record: DeletedByIdRecord


class DeletedById(TypedDict):
    type: Literal[
        "chat.user.deleted",
        "chat.channel.deleted",
        "chat.message.deleted",
        "git.repository.deleted",
        "git.pull_request.deleted",
        "git.issue.deleted",
        "git.release.deleted",
        "git.issue_comment.deleted",
        "ticketing.ticket.deleted",
        "ticketing.project.deleted",
        "tasks.task.deleted",
        "tasks.project.deleted",
        "tasks.comment.deleted",
        "helpdesk.ticket.deleted",
        "helpdesk.comment.deleted",
        "helpdesk.customer.deleted",
        "crm.contact.deleted",
        "crm.company.deleted",
        "crm.deal.deleted",
        "drive.file.deleted",
        "calendar.calendar.deleted",
        "calendar.event.deleted",
    ]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByIdData


class DeletedByNameRecord(TypedDict):
    """Nothing but its name is known of a record that is gone."""

    name: str


class DeletedByNameData(_RecordEventData):
    record: DeletedByNameRecord


class DeletedByName(TypedDict):
    type: Literal["git.tag.deleted", "git.branch.deleted"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByNameData


class DeletedByShaRecord(TypedDict):
    """Nothing but its sha is known of a record that is gone."""

    sha: str


class DeletedByShaData(_RecordEventData):
    record: DeletedByShaRecord


class DeletedBySha(TypedDict):
    type: Literal["git.commit.deleted"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByShaData


WebhookEvent = (
    ConnectionChanged
    | OtherEvent
    | ChatUserChanged
    | ChatChannelChanged
    | ChatMessageChanged
    | RepositoryChanged
    | PullRequestChanged
    | IssueChanged
    | TagChanged
    | ReleaseChanged
    | BranchChanged
    | CommitChanged
    | IssueCommentChanged
    | TicketChanged
    | ProjectChanged
    | TaskChanged
    | TaskCommentChanged
    | HelpdeskTicketChanged
    | HelpdeskCommentChanged
    | CustomerChanged
    | ContactChanged
    | CompanyChanged
    | DealChanged
    | DriveFileChanged
    | CalendarChanged
    | CalendarEventChanged
    | DeletedById
    | DeletedByName
    | DeletedBySha
)
"""An event as a webhook has it."""
