// Written by `npm run gen` from the table of operations. Do not edit.
import type { Connection } from "./platform.gen.ts";
import type { Branch, Calendar, CalendarEvent, ChatChannel, ChatMessage, ChatUser, Commit, Company, Contact, Customer, Deal, DriveFile, HelpdeskComment, HelpdeskTicket, Issue, IssueComment, Project, PullRequest, Release, Repository, Tag, Task, TaskComment, Ticket } from "./unified.gen.ts";

/** What a subscription reports about a record. */
export interface RecordEventData<T> {
  subscription_id: string;
  connection_id: string;
  external_id: string | null;
  record: T;
}

/** The `data` of each type of event. */
export interface EventData {
  "connection.created": Connection;
  "connection.updated": Connection;
  "connection.deleted": Connection;
  "connection.invalid": Connection;
  "connection.recovered": Connection;
  "subscription.failed": Record<string, unknown>;
  "webhook.disabled": Record<string, unknown>;
  "webhook.test": Record<string, unknown>;
  "chat.user.created": RecordEventData<ChatUser>;
  "chat.user.updated": RecordEventData<ChatUser>;
  "chat.user.deleted": RecordEventData<Partial<ChatUser>>;
  "chat.channel.created": RecordEventData<ChatChannel>;
  "chat.channel.updated": RecordEventData<ChatChannel>;
  "chat.channel.deleted": RecordEventData<Partial<ChatChannel>>;
  "chat.message.created": RecordEventData<ChatMessage>;
  "chat.message.updated": RecordEventData<ChatMessage>;
  "chat.message.deleted": RecordEventData<Partial<ChatMessage>>;
  "git.repository.created": RecordEventData<Repository>;
  "git.repository.updated": RecordEventData<Repository>;
  "git.repository.deleted": RecordEventData<Partial<Repository>>;
  "git.pull_request.created": RecordEventData<PullRequest>;
  "git.pull_request.updated": RecordEventData<PullRequest>;
  "git.pull_request.deleted": RecordEventData<Partial<PullRequest>>;
  "git.issue.created": RecordEventData<Issue>;
  "git.issue.updated": RecordEventData<Issue>;
  "git.issue.deleted": RecordEventData<Partial<Issue>>;
  "git.tag.created": RecordEventData<Tag>;
  "git.tag.updated": RecordEventData<Tag>;
  "git.tag.deleted": RecordEventData<Partial<Tag>>;
  "git.release.created": RecordEventData<Release>;
  "git.release.updated": RecordEventData<Release>;
  "git.release.deleted": RecordEventData<Partial<Release>>;
  "git.branch.created": RecordEventData<Branch>;
  "git.branch.updated": RecordEventData<Branch>;
  "git.branch.deleted": RecordEventData<Partial<Branch>>;
  "git.commit.created": RecordEventData<Commit>;
  "git.commit.updated": RecordEventData<Commit>;
  "git.commit.deleted": RecordEventData<Partial<Commit>>;
  "git.issue_comment.created": RecordEventData<IssueComment>;
  "git.issue_comment.updated": RecordEventData<IssueComment>;
  "git.issue_comment.deleted": RecordEventData<Partial<IssueComment>>;
  "ticketing.ticket.created": RecordEventData<Ticket>;
  "ticketing.ticket.updated": RecordEventData<Ticket>;
  "ticketing.ticket.deleted": RecordEventData<Partial<Ticket>>;
  "ticketing.project.created": RecordEventData<Project>;
  "ticketing.project.updated": RecordEventData<Project>;
  "ticketing.project.deleted": RecordEventData<Partial<Project>>;
  "tasks.task.created": RecordEventData<Task>;
  "tasks.task.updated": RecordEventData<Task>;
  "tasks.task.deleted": RecordEventData<Partial<Task>>;
  "tasks.project.created": RecordEventData<Project>;
  "tasks.project.updated": RecordEventData<Project>;
  "tasks.project.deleted": RecordEventData<Partial<Project>>;
  "tasks.comment.created": RecordEventData<TaskComment>;
  "tasks.comment.updated": RecordEventData<TaskComment>;
  "tasks.comment.deleted": RecordEventData<Partial<TaskComment>>;
  "helpdesk.ticket.created": RecordEventData<HelpdeskTicket>;
  "helpdesk.ticket.updated": RecordEventData<HelpdeskTicket>;
  "helpdesk.ticket.deleted": RecordEventData<Partial<HelpdeskTicket>>;
  "helpdesk.comment.created": RecordEventData<HelpdeskComment>;
  "helpdesk.comment.updated": RecordEventData<HelpdeskComment>;
  "helpdesk.comment.deleted": RecordEventData<Partial<HelpdeskComment>>;
  "helpdesk.customer.created": RecordEventData<Customer>;
  "helpdesk.customer.updated": RecordEventData<Customer>;
  "helpdesk.customer.deleted": RecordEventData<Partial<Customer>>;
  "crm.contact.created": RecordEventData<Contact>;
  "crm.contact.updated": RecordEventData<Contact>;
  "crm.contact.deleted": RecordEventData<Partial<Contact>>;
  "crm.company.created": RecordEventData<Company>;
  "crm.company.updated": RecordEventData<Company>;
  "crm.company.deleted": RecordEventData<Partial<Company>>;
  "crm.deal.created": RecordEventData<Deal>;
  "crm.deal.updated": RecordEventData<Deal>;
  "crm.deal.deleted": RecordEventData<Partial<Deal>>;
  "drive.file.created": RecordEventData<DriveFile>;
  "drive.file.updated": RecordEventData<DriveFile>;
  "drive.file.deleted": RecordEventData<Partial<DriveFile>>;
  "calendar.calendar.created": RecordEventData<Calendar>;
  "calendar.calendar.updated": RecordEventData<Calendar>;
  "calendar.calendar.deleted": RecordEventData<Partial<Calendar>>;
  "calendar.event.created": RecordEventData<CalendarEvent>;
  "calendar.event.updated": RecordEventData<CalendarEvent>;
  "calendar.event.deleted": RecordEventData<Partial<CalendarEvent>>;
}

/** An event as a webhook has it. Its `type` says what `data` is. */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    type: Type;
    /** When it happened, or was noticed, in ISO 8601 */
    timestamp: string;
    data: EventData[Type];
  };
}[keyof EventData];
