# Written by `npm run gen` from the table of operations. Do not edit.
"""Events as a webhook receives them. The `type` of one says what its `data` is."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

from .types import Branch, Calendar, CalendarEvent, ChatChannel, ChatMessage, ChatUser, Commit, Company, Connection, Contact, Customer, Deal, DriveFile, HelpdeskComment, HelpdeskTicket, Issue, IssueComment, Project, PullRequest, Release, Repository, Tag, Task, TaskComment, Ticket

class _RecordEventData(TypedDict):
    subscription_id: str
    connection_id: str
    external_id: str | None

class ConnectionEvent(TypedDict):
    type: Literal["connection.created", "connection.updated", "connection.deleted", "connection.invalid", "connection.recovered"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: Connection

class OtherEvent(TypedDict):
    type: Literal["subscription.failed", "webhook.disabled", "webhook.test"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: dict[str, Any]

class ChatUserEventData(_RecordEventData):
    record: ChatUser

class ChatUserEvent(TypedDict):
    type: Literal["chat.user.created", "chat.user.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatUserEventData

class ChatChannelEventData(_RecordEventData):
    record: ChatChannel

class ChatChannelEvent(TypedDict):
    type: Literal["chat.channel.created", "chat.channel.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatChannelEventData

class ChatMessageEventData(_RecordEventData):
    record: ChatMessage

class ChatMessageEvent(TypedDict):
    type: Literal["chat.message.created", "chat.message.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ChatMessageEventData

class RepositoryEventData(_RecordEventData):
    record: Repository

class RepositoryEvent(TypedDict):
    type: Literal["git.repository.created", "git.repository.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: RepositoryEventData

class PullRequestEventData(_RecordEventData):
    record: PullRequest

class PullRequestEvent(TypedDict):
    type: Literal["git.pull_request.created", "git.pull_request.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: PullRequestEventData

class IssueEventData(_RecordEventData):
    record: Issue

class IssueEvent(TypedDict):
    type: Literal["git.issue.created", "git.issue.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: IssueEventData

class TagEventData(_RecordEventData):
    record: Tag

class TagEvent(TypedDict):
    type: Literal["git.tag.created", "git.tag.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TagEventData

class ReleaseEventData(_RecordEventData):
    record: Release

class ReleaseEvent(TypedDict):
    type: Literal["git.release.created", "git.release.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ReleaseEventData

class BranchEventData(_RecordEventData):
    record: Branch

class BranchEvent(TypedDict):
    type: Literal["git.branch.created", "git.branch.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: BranchEventData

class CommitEventData(_RecordEventData):
    record: Commit

class CommitEvent(TypedDict):
    type: Literal["git.commit.created", "git.commit.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CommitEventData

class IssueCommentEventData(_RecordEventData):
    record: IssueComment

class IssueCommentEvent(TypedDict):
    type: Literal["git.issue_comment.created", "git.issue_comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: IssueCommentEventData

class TicketEventData(_RecordEventData):
    record: Ticket

class TicketEvent(TypedDict):
    type: Literal["ticketing.ticket.created", "ticketing.ticket.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TicketEventData

class ProjectEventData(_RecordEventData):
    record: Project

class ProjectEvent(TypedDict):
    type: Literal["ticketing.project.created", "ticketing.project.updated", "tasks.project.created", "tasks.project.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ProjectEventData

class TaskEventData(_RecordEventData):
    record: Task

class TaskEvent(TypedDict):
    type: Literal["tasks.task.created", "tasks.task.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TaskEventData

class TaskCommentEventData(_RecordEventData):
    record: TaskComment

class TaskCommentEvent(TypedDict):
    type: Literal["tasks.comment.created", "tasks.comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: TaskCommentEventData

class HelpdeskTicketEventData(_RecordEventData):
    record: HelpdeskTicket

class HelpdeskTicketEvent(TypedDict):
    type: Literal["helpdesk.ticket.created", "helpdesk.ticket.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: HelpdeskTicketEventData

class HelpdeskCommentEventData(_RecordEventData):
    record: HelpdeskComment

class HelpdeskCommentEvent(TypedDict):
    type: Literal["helpdesk.comment.created", "helpdesk.comment.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: HelpdeskCommentEventData

class CustomerEventData(_RecordEventData):
    record: Customer

class CustomerEvent(TypedDict):
    type: Literal["helpdesk.customer.created", "helpdesk.customer.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CustomerEventData

class ContactEventData(_RecordEventData):
    record: Contact

class ContactEvent(TypedDict):
    type: Literal["crm.contact.created", "crm.contact.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ContactEventData

class CompanyEventData(_RecordEventData):
    record: Company

class CompanyEvent(TypedDict):
    type: Literal["crm.company.created", "crm.company.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CompanyEventData

class DealEventData(_RecordEventData):
    record: Deal

class DealEvent(TypedDict):
    type: Literal["crm.deal.created", "crm.deal.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DealEventData

class DriveFileEventData(_RecordEventData):
    record: DriveFile

class DriveFileEvent(TypedDict):
    type: Literal["drive.file.created", "drive.file.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DriveFileEventData

class CalendarEventData(_RecordEventData):
    record: Calendar

class CalendarEvent(TypedDict):
    type: Literal["calendar.calendar.created", "calendar.calendar.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CalendarEventData

class CalendarEventEventData(_RecordEventData):
    record: CalendarEvent

class CalendarEventEvent(TypedDict):
    type: Literal["calendar.event.created", "calendar.event.updated"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: CalendarEventEventData

class DeletedById(TypedDict):
    """Nothing but its id is known of a record that is gone."""

    id: str

class DeletedByIdEventData(_RecordEventData):
    record: DeletedById

class DeletedByIdEvent(TypedDict):
    type: Literal["chat.user.deleted", "chat.channel.deleted", "chat.message.deleted", "git.repository.deleted", "git.pull_request.deleted", "git.issue.deleted", "git.release.deleted", "git.issue_comment.deleted", "ticketing.ticket.deleted", "ticketing.project.deleted", "tasks.task.deleted", "tasks.project.deleted", "tasks.comment.deleted", "helpdesk.ticket.deleted", "helpdesk.comment.deleted", "helpdesk.customer.deleted", "crm.contact.deleted", "crm.company.deleted", "crm.deal.deleted", "drive.file.deleted", "calendar.calendar.deleted", "calendar.event.deleted"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByIdEventData

class DeletedByName(TypedDict):
    """Nothing but its name is known of a record that is gone."""

    name: str

class DeletedByNameEventData(_RecordEventData):
    record: DeletedByName

class DeletedByNameEvent(TypedDict):
    type: Literal["git.tag.deleted", "git.branch.deleted"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByNameEventData

class DeletedBySha(TypedDict):
    """Nothing but its sha is known of a record that is gone."""

    sha: str

class DeletedByShaEventData(_RecordEventData):
    record: DeletedBySha

class DeletedByShaEvent(TypedDict):
    type: Literal["git.commit.deleted"]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: DeletedByShaEventData

WebhookEvent = Union[ConnectionEvent, OtherEvent, ChatUserEvent, ChatChannelEvent, ChatMessageEvent, RepositoryEvent, PullRequestEvent, IssueEvent, TagEvent, ReleaseEvent, BranchEvent, CommitEvent, IssueCommentEvent, TicketEvent, ProjectEvent, TaskEvent, TaskCommentEvent, HelpdeskTicketEvent, HelpdeskCommentEvent, CustomerEvent, ContactEvent, CompanyEvent, DealEvent, DriveFileEvent, CalendarEvent, CalendarEventEvent, DeletedByIdEvent, DeletedByNameEvent, DeletedByShaEvent]
"""An event as a webhook has it."""
