// Written by `npm run gen` from the table of operations. Do not edit.
import type { UnifiedCalls } from "./calls.ts";
import type { List } from "./list.ts";
import type { Result } from "./result.ts";
import { path } from "./transport.ts";
import type {
  AtLeastOne,
  Content,
  CustomValues,
  Download,
  ListOptions,
  ListQuery,
  RequestOptions,
  UploadOptions,
} from "./types.ts";

export interface Account<Custom extends object = CustomValues> {
  /** ID of the user, or of the workspace, company or bot that the token belongs to */
  id: string | null;
  name: string | null;
  /** Email address */
  email: string | null;
  /** Address of a picture */
  avatar_url: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface ChatUser<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** Email address */
  email: string | null;
  /** Address of a picture */
  avatar_url: string | null;
  /** Whether it is a bot or an application */
  is_bot: boolean | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface ChatChannel<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** Whether only members can see it */
  is_private: boolean | null;
  /** Topic, purpose or description, in Markdown */
  topic: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface ChatMessage<Custom extends object = CustomValues> {
  id: string;
  /** Message text, in Markdown */
  text: string | null;
  author: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  /** When it was sent */
  created_at: string | null;
  /** ID of the message that this one replies to; null for a top-level message */
  thread_id: string | null;
  /** Page of the message */
  url: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Repository<Custom extends object = CustomValues> {
  id: number | string;
  name: string;
  full_name: string;
  description: string | null;
  url: string;
  created_at: string;
  updated_at: string;
  pushed_at: string;
  is_private: boolean | null;
  /** Null if the repository is empty */
  default_branch: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface PullRequest<Custom extends object = CustomValues> {
  id: number;
  number: number;
  title: string;
  description: string | null;
  draft: boolean;
  /** open, closed or merged */
  state: string;
  url: string;
  /** The author */
  user: string;
  created_at: string;
  updated_at: string;
  merged_at: string | null;
  /** The branch to merge */
  source_branch: string | null;
  /** The branch to merge into */
  target_branch: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Issue<Custom extends object = CustomValues> {
  id: number;
  number: number;
  title: string;
  description: string | null;
  /** open or closed */
  state: string;
  url: string;
  /** The author */
  user: string | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  /** Names of the labels */
  labels: string[];
  /** User names of the assignees */
  assignees: string[];
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Tag<Custom extends object = CustomValues> {
  name: string;
  commit_sha: string;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Release<Custom extends object = CustomValues> {
  id: number;
  name: string;
  tag_name: string;
  description: string;
  prerelease: boolean;
  url: string;
  created_at: string;
  /** When it was published */
  released_at: string;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Branch<Custom extends object = CustomValues> {
  name: string;
  commit_sha: string;
  protected: boolean;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Commit<Custom extends object = CustomValues> {
  sha: string;
  message: string | null;
  url: string;
  /** The author's name */
  author: string | null;
  /** The author's email address */
  author_email: string | null;
  committed_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface IssueComment<Custom extends object = CustomValues> {
  id: string;
  /** The comment, in Markdown */
  text: string | null;
  author: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  /** Page of the comment */
  url: string | null;
  created_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Ticket<Custom extends object = CustomValues> {
  id: string;
  title: string;
  /** The status, as the provider names it */
  status: string;
  url: string;
  /** In Markdown */
  description: string | null;
  created_at: string;
  updated_at: string;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Project<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** In Markdown */
  description: string | null;
  /** Page of the project */
  url: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Task<Custom extends object = CustomValues> {
  id: string;
  title: string;
  /** In Markdown */
  description: string | null;
  /** The status, as the provider names it */
  status: string;
  /** What the status means */
  status_category: "todo" | "in_progress" | "done";
  /** Project, list, board or team that the task is in; the first if it is in several */
  project_id: string | null;
  /** The first if there are several */
  assignee: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  /** The priority, as the provider names it */
  priority: string | null;
  /** Names of the labels or tags */
  labels: string[];
  /** Midnight UTC if the provider only has a date */
  due_at: string | null;
  /** ID of the task that this one is part of */
  parent_id: string | null;
  url: string;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface TaskComment<Custom extends object = CustomValues> {
  id: string;
  /** The comment, in Markdown */
  text: string | null;
  author: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  created_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface HelpdeskTicket<Custom extends object = CustomValues> {
  id: string;
  subject: string | null;
  /** The first message, in Markdown */
  description: string | null;
  /** The status, as the provider names it */
  status: string;
  /** What the status means */
  status_category: "open" | "pending" | "solved" | "closed";
  /** The priority, as the provider names it */
  priority: string | null;
  /** Who needs help */
  requester: {
    id: string | null;
    name: string | null;
    email: string | null;
  } | null;
  /** The agent who handles it */
  assignee: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  tags: string[];
  /** Page of the ticket for agents */
  url: string;
  created_at: string;
  updated_at: string;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface HelpdeskComment<Custom extends object = CustomValues> {
  id: string;
  /** The comment, in Markdown */
  text: string | null;
  /** False for a note that only agents see */
  is_public: boolean;
  author: {
    id: string | null;
    /** Null if the provider only returns an ID */
    name: string | null;
  } | null;
  created_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Customer<Custom extends object = CustomValues> {
  id: string;
  name: string | null;
  /** Email address */
  email: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Contact<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** Email address */
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  /** Phone number, as the provider stores it */
  phone: string | null;
  /** ID of the company that the contact works for */
  company_id: string | null;
  /** Page of the contact */
  url: string | null;
  created_at: string | null;
  updated_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Company<Custom extends object = CustomValues> {
  id: string;
  /** Name; the domain of its website if it has none, and null if it has neither */
  name: string | null;
  website: string | null;
  /** Phone number, as the provider stores it */
  phone: string | null;
  /** Page of the company */
  url: string | null;
  created_at: string | null;
  updated_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Deal<Custom extends object = CustomValues> {
  id: string;
  name: string | null;
  amount: number | null;
  /** ISO 4217, as in `EUR` */
  currency: string | null;
  /** The stage, as the provider names it; its ID if the provider returns no name */
  stage: string | null;
  /** ID of the company that it is made with */
  company_id: string | null;
  /** When it was or should be closed; midnight UTC if the provider only has a date */
  closes_at: string | null;
  /** Page of the deal */
  url: string | null;
  created_at: string | null;
  updated_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface DriveFile<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** Null for a folder, or if the provider does not know it */
  mime_type: string | null;
  /** In bytes */
  size: number | null;
  created_at: string | null;
  updated_at: string | null;
  /** Page of the file */
  url: string | null;
  is_folder: boolean;
  /** ID of the folder that contains it; null at the top */
  parent_id: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface Calendar<Custom extends object = CustomValues> {
  id: string;
  name: string;
  /** Whether it is the user's main calendar */
  is_primary: boolean;
  /** IANA name, as in `Europe/Berlin` */
  time_zone: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface CalendarEvent<Custom extends object = CustomValues> {
  id: string;
  title: string | null;
  /** In Markdown */
  description: string | null;
  /** ISO 8601 in UTC; the first day as `2026-03-29` if the event lasts all day */
  start_date: string;
  /** ISO 8601 in UTC; the day after the last one if the event lasts all day */
  end_date: string;
  status: "confirmed" | "tentative" | "cancelled";
  /** Page of the event */
  url: string | null;
  location: string | null;
  is_all_day: boolean;
  /** Where the event was planned: IANA name, as in `Europe/Berlin` */
  time_zone: string | null;
  organizer: {
    name: string | null;
    /** Email address */
    email: string | null;
  } | null;
  attendees: Array<{
    name: string | null;
    /** Email address */
    email: string | null;
    /** `none`: not answered yet */
    response: "accepted" | "declined" | "tentative" | "none";
  }>;
  /** ID of the series that the event is an instance of */
  recurring_event_id: string | null;
  calendar_id: string;
  created_at: string | null;
  updated_at: string | null;
  /** Values of the custom fields that are declared for this record, by name */
  custom: Custom;
}

export interface OfferedField {
  /** Where it is in the provider's own item, as a JSON Pointer: for `paths` of a custom field */
  path: string;
  /** What the provider calls it */
  label: string;
  /** The type to declare it with */
  type: "string" | "number" | "boolean" | "date" | "strings";
  /** Whether the account's own people have made it */
  custom: boolean;
  /** A value of one of the records; null if none was found */
  example: unknown;
}

export interface SendMessageBody {
  /** The message, in Markdown */
  text: string;
  /** The message to reply to: the `id` of a message, or the `thread_id` of another reply to it */
  thread_id?: string;
}

export interface NewIssue {
  /** One line */
  title: string;
  /** In Markdown */
  description?: string;
  /** Names of labels */
  labels?: string[];
  /** User names */
  assignees?: string[];
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export interface NewIssueComment {
  /** The comment, in Markdown */
  text: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export interface NewTask {
  /** One line */
  title: string;
  /** An `id` from the list of projects. Required by providers whose tasks are always in a project */
  project_id?: string;
  /** In Markdown */
  description?: string;
  /** The name of a status, as tasks of the same project have it */
  status?: string;
  /** ID of a user: `assignee.id` of other tasks has it */
  assignee_id?: string;
  /** The priority, as the provider names it */
  priority?: string;
  /** Names of labels or tags: exactly these */
  labels?: string[];
  /** Only the day counts at providers that have no time */
  due_at?: string;
  /** ID of the task that this one is part of */
  parent_id?: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export type TaskChange = AtLeastOne<{
  /** One line */
  title?: string;
  /** An `id` from the list of projects: moves the task */
  project_id?: string;
  /** In Markdown */
  description?: string;
  /** The name of a status, as tasks of the same project have it */
  status?: string;
  /** ID of a user: `assignee.id` of other tasks has it */
  assignee_id?: string;
  /** The priority, as the provider names it */
  priority?: string;
  /** Names of labels or tags: exactly these */
  labels?: string[];
  /** Only the day counts at providers that have no time */
  due_at?: string;
  /** ID of the task that this one is part of */
  parent_id?: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}>;

export interface NewTaskComment {
  /** The comment, in Markdown */
  text: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export interface NewHelpdeskTicket {
  /** One line */
  subject: string;
  /** The first message, in Markdown */
  description: string;
  requester: {
    /** Email address */
    email: string;
    /** For a requester who is new at the provider */
    name?: string;
  };
  /** The priority, as the provider names it */
  priority?: string;
  /** Tags */
  tags?: string[];
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export type HelpdeskTicketChange = AtLeastOne<{
  /** The status, as the provider names it */
  status?: string;
  /** The priority, as the provider names it */
  priority?: string;
  /** ID of an agent */
  assignee_id?: string;
  /** Tags: exactly these */
  tags?: string[];
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}>;

export interface NewHelpdeskComment {
  /** The comment, in Markdown */
  text: string;
  /** False for a note that only agents see */
  is_public?: boolean;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

export type NewContact = AtLeastOne<{
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** Email address */
  email?: string;
  /** Phone number */
  phone?: string;
  /** An `id` from the list of companies */
  company_id?: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}>;

export type ContactChange = AtLeastOne<{
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** Email address */
  email?: string;
  /** Phone number */
  phone?: string;
  /** An `id` from the list of companies */
  company_id?: string;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}>;

export interface NewCalendarEvent {
  /** One line */
  title: string;
  /** ISO 8601; a day as `2026-03-29` if the event lasts all day */
  start_date: string;
  /** ISO 8601; the day after the last one if the event lasts all day */
  end_date: string;
  /** An `id` from the list of calendars. Default: the user's main calendar */
  calendar_id?: string;
  /** In Markdown */
  description?: string;
  /** Where it takes place */
  location?: string;
  is_all_day?: boolean;
  /** Where the event is planned: IANA name, as in `Europe/Berlin` */
  time_zone?: string;
  attendees?: Array<{
    /** Email address */
    email: string;
    /** Name */
    name?: string;
  }>;
  /** Values of declared custom fields, by name; null empties a field */
  custom?: Record<string, unknown>;
  /** Merged into the body that is sent to the provider, in the provider's own format */
  provider?: Record<string, unknown>;
}

/** Parameters of git.listRepositories */
export interface GitListRepositoriesQuery extends ListQuery {
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of git.listPullRequests */
export interface GitListPullRequestsQuery extends ListQuery {
  /** Only those in this state */
  state?: "open" | "closed" | "merged";
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of git.listIssues */
export interface GitListIssuesQuery extends ListQuery {
  /** Only those in this state */
  state?: "open" | "closed";
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of git.listCommits */
export interface GitListCommitsQuery extends ListQuery {
  /** The branch. Default: the default branch */
  branch?: string;
}

/** Parameters of ticketing.listTickets */
export interface TicketingListTicketsQuery extends ListQuery {
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of tasks.listTasks */
export interface TasksListTasksQuery extends ListQuery {
  /** Only tasks of this project: an `id` from the list of projects */
  project_id?: string;
  /** Only those whose `status_category` is this */
  status_category?: "todo" | "in_progress" | "done";
  /** Only those whose `assignee.id` is this, or `me`: the user whose connection it is */
  assignee_id?: string;
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of helpdesk.listTickets */
export interface HelpdeskListTicketsQuery extends ListQuery {
  /** Only those whose `status_category` is this */
  status_category?: "open" | "pending" | "solved" | "closed";
  /** Only those whose `assignee.id` is this, or `me`: the user whose connection it is */
  assignee_id?: string;
  /** Only those whose requester has this email address */
  requester?: string;
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of crm.listContacts */
export interface CrmListContactsQuery extends ListQuery {
  /** Only those with this email address */
  email?: string;
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of crm.listCompanies */
export interface CrmListCompaniesQuery extends ListQuery {
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of crm.listDeals */
export interface CrmListDealsQuery extends ListQuery {
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of drive.listFiles */
export interface DriveListFilesQuery extends ListQuery {
  /** Only what is directly in this folder: the `id` of a folder. Default: everything */
  folder_id?: string;
  /** Only what the provider's own search finds by this text. Refused if the provider has no search */
  query?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

/** Parameters of drive.uploadFile */
export interface DriveUploadFileQuery {
  /** Name of the file */
  name: string;
  /** The folder to put it in. Default: the top folder */
  folder_id?: string;
}

/** Parameters of calendar.listEvents */
export interface CalendarListEventsQuery extends ListQuery {
  /** Only events that start at or after this time */
  starts_after: string;
  /** Only events that start before this time */
  starts_before: string;
  /** The calendar: an `id` from the list of calendars. Default: the user's main calendar */
  calendar_id?: string;
  /** Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included */
  updated_since?: string;
}

export const unifiedMethods = (calls: UnifiedCalls) => ({
  /** Get the account that the connection belongs to. Who the connection acts as. */
  me: <Custom extends object = CustomValues>(options?: RequestOptions): Result<Account<Custom>> =>
      calls.record("GET", path`/v1/me`, { options }),
  chat: {
    users: {
      /** List users */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<ChatUser<Custom>> =>
      calls.list(path`/v1/chat/users`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/chat/users/fields`, { options }),
    },
    channels: {
      /** List channels */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<ChatChannel<Custom>> =>
      calls.list(path`/v1/chat/channels`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/chat/channels/fields`, { options }),
    },
    messages: {
      /** List a channel's messages. Newest first. */
      list: <Custom extends object = CustomValues>(channelId: string, query?: ListQuery, options?: ListOptions): List<ChatMessage<Custom>> =>
      calls.list(path`/v1/chat/channels/${channelId}/messages`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (channelId: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/chat/channels/${channelId}/messages/fields`, { options }),
    },
    /** Send a message to a channel */
    send: (channelId: string, body: SendMessageBody, options?: RequestOptions): Result<Record<string, unknown>> =>
      calls.record("POST", path`/v1/chat/channels/${channelId}/message`, { body, options }),
  },
  git: {
    repos: {
      /** List repositories */
      list: <Custom extends object = CustomValues>(query?: GitListRepositoriesQuery, options?: ListOptions): List<Repository<Custom>> =>
      calls.list(path`/v1/git/repos`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/fields`, { options }),
    },
    pulls: {
      /** List a repository's pull requests */
      list: <Custom extends object = CustomValues>(repo: string, query?: GitListPullRequestsQuery, options?: ListOptions): List<PullRequest<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/pulls`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/pulls/fields`, { options }),
    },
    issues: {
      /** List a repository's issues */
      list: <Custom extends object = CustomValues>(repo: string, query?: GitListIssuesQuery, options?: ListOptions): List<Issue<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/issues`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/issues/fields`, { options }),
      /** Create an issue */
      create: <Custom extends object = CustomValues>(repo: string, body: NewIssue, options?: RequestOptions): Result<Issue<Custom>> =>
      calls.record("POST", path`/v1/git/repos/${repo}/issues`, { body, options }),
    },
    tags: {
      /** List a repository's tags */
      list: <Custom extends object = CustomValues>(repo: string, query?: ListQuery, options?: ListOptions): List<Tag<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/tags`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/tags/fields`, { options }),
    },
    releases: {
      /** List a repository's releases */
      list: <Custom extends object = CustomValues>(repo: string, query?: ListQuery, options?: ListOptions): List<Release<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/releases`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/releases/fields`, { options }),
    },
    branches: {
      /** List a repository's branches */
      list: <Custom extends object = CustomValues>(repo: string, query?: ListQuery, options?: ListOptions): List<Branch<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/branches`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/branches/fields`, { options }),
    },
    commits: {
      /** List a repository's commits. Newest first. */
      list: <Custom extends object = CustomValues>(repo: string, query?: GitListCommitsQuery, options?: ListOptions): List<Commit<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/commits`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/commits/fields`, { options }),
    },
    comments: {
      /** List an issue's comments. Oldest first. */
      list: <Custom extends object = CustomValues>(repo: string, number: number | string, query?: ListQuery, options?: ListOptions): List<IssueComment<Custom>> =>
      calls.list(path`/v1/git/repos/${repo}/issues/${number}/comments`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (repo: string, number: number | string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/git/repos/${repo}/issues/${number}/comments/fields`, { options }),
      /** Comment on an issue */
      create: <Custom extends object = CustomValues>(repo: string, number: number | string, body: NewIssueComment, options?: RequestOptions): Result<IssueComment<Custom>> =>
      calls.record("POST", path`/v1/git/repos/${repo}/issues/${number}/comments`, { body, options }),
    },
  },
  ticketing: {
    tickets: {
      /** List tickets */
      list: <Custom extends object = CustomValues>(query?: TicketingListTicketsQuery, options?: ListOptions): List<Ticket<Custom>> =>
      calls.list(path`/v1/ticketing/tickets`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/ticketing/tickets/fields`, { options }),
      /** Get a ticket */
      get: <Custom extends object = CustomValues>(ticketId: string, options?: RequestOptions): Result<Ticket<Custom>> =>
      calls.record("GET", path`/v1/ticketing/tickets/${ticketId}`, { options }),
    },
    projects: {
      /** List projects */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<Project<Custom>> =>
      calls.list(path`/v1/ticketing/projects`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/ticketing/projects/fields`, { options }),
    },
  },
  tasks: {
    /** List tasks */
    list: <Custom extends object = CustomValues>(query?: TasksListTasksQuery, options?: ListOptions): List<Task<Custom>> =>
      calls.list(path`/v1/tasks/tasks`, query, options),
    /** List the fields that these records can have as custom fields */
    fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/tasks/tasks/fields`, { options }),
    /** Get a task */
    get: <Custom extends object = CustomValues>(taskId: string, options?: RequestOptions): Result<Task<Custom>> =>
      calls.record("GET", path`/v1/tasks/tasks/${taskId}`, { options }),
    projects: {
      /** List projects */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<Project<Custom>> =>
      calls.list(path`/v1/tasks/projects`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/tasks/projects/fields`, { options }),
    },
    comments: {
      /** List a task's comments */
      list: <Custom extends object = CustomValues>(taskId: string, query?: ListQuery, options?: ListOptions): List<TaskComment<Custom>> =>
      calls.list(path`/v1/tasks/tasks/${taskId}/comments`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (taskId: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/tasks/tasks/${taskId}/comments/fields`, { options }),
      /** Comment on a task */
      create: <Custom extends object = CustomValues>(taskId: string, body: NewTaskComment, options?: RequestOptions): Result<TaskComment<Custom>> =>
      calls.record("POST", path`/v1/tasks/tasks/${taskId}/comments`, { body, options }),
    },
    /** Create a task */
    create: <Custom extends object = CustomValues>(body: NewTask, options?: RequestOptions): Result<Task<Custom>> =>
      calls.record("POST", path`/v1/tasks/tasks`, { body, options }),
    /** Change a task. Fields that are left out stay as they are. */
    update: <Custom extends object = CustomValues>(taskId: string, body: TaskChange, options?: RequestOptions): Result<Task<Custom>> =>
      calls.record("PATCH", path`/v1/tasks/tasks/${taskId}`, { body, options }),
  },
  helpdesk: {
    tickets: {
      /** List tickets */
      list: <Custom extends object = CustomValues>(query?: HelpdeskListTicketsQuery, options?: ListOptions): List<HelpdeskTicket<Custom>> =>
      calls.list(path`/v1/helpdesk/tickets`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/helpdesk/tickets/fields`, { options }),
      /** Get a ticket */
      get: <Custom extends object = CustomValues>(ticketId: string, options?: RequestOptions): Result<HelpdeskTicket<Custom>> =>
      calls.record("GET", path`/v1/helpdesk/tickets/${ticketId}`, { options }),
      /** Create a ticket */
      create: <Custom extends object = CustomValues>(body: NewHelpdeskTicket, options?: RequestOptions): Result<HelpdeskTicket<Custom>> =>
      calls.record("POST", path`/v1/helpdesk/tickets`, { body, options }),
      /** Change a ticket. Fields that are left out stay as they are. */
      update: <Custom extends object = CustomValues>(ticketId: string, body: HelpdeskTicketChange, options?: RequestOptions): Result<HelpdeskTicket<Custom>> =>
      calls.record("PATCH", path`/v1/helpdesk/tickets/${ticketId}`, { body, options }),
    },
    comments: {
      /** List a ticket's comments */
      list: <Custom extends object = CustomValues>(ticketId: string, query?: ListQuery, options?: ListOptions): List<HelpdeskComment<Custom>> =>
      calls.list(path`/v1/helpdesk/tickets/${ticketId}/comments`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (ticketId: string, options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/helpdesk/tickets/${ticketId}/comments/fields`, { options }),
      /** Comment on a ticket */
      create: <Custom extends object = CustomValues>(ticketId: string, body: NewHelpdeskComment, options?: RequestOptions): Result<HelpdeskComment<Custom>> =>
      calls.record("POST", path`/v1/helpdesk/tickets/${ticketId}/comments`, { body, options }),
    },
    customers: {
      /** List customers */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<Customer<Custom>> =>
      calls.list(path`/v1/helpdesk/customers`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/helpdesk/customers/fields`, { options }),
    },
  },
  crm: {
    contacts: {
      /** List contacts */
      list: <Custom extends object = CustomValues>(query?: CrmListContactsQuery, options?: ListOptions): List<Contact<Custom>> =>
      calls.list(path`/v1/crm/contacts`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/crm/contacts/fields`, { options }),
      /** Create a contact */
      create: <Custom extends object = CustomValues>(body: NewContact, options?: RequestOptions): Result<Contact<Custom>> =>
      calls.record("POST", path`/v1/crm/contacts`, { body, options }),
      /** Change a contact. Fields that are left out stay as they are. */
      update: <Custom extends object = CustomValues>(contactId: string, body: ContactChange, options?: RequestOptions): Result<Contact<Custom>> =>
      calls.record("PATCH", path`/v1/crm/contacts/${contactId}`, { body, options }),
    },
    companies: {
      /** List companies */
      list: <Custom extends object = CustomValues>(query?: CrmListCompaniesQuery, options?: ListOptions): List<Company<Custom>> =>
      calls.list(path`/v1/crm/companies`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/crm/companies/fields`, { options }),
    },
    deals: {
      /** List deals */
      list: <Custom extends object = CustomValues>(query?: CrmListDealsQuery, options?: ListOptions): List<Deal<Custom>> =>
      calls.list(path`/v1/crm/deals`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/crm/deals/fields`, { options }),
    },
  },
  drive: {
    files: {
      /** List files and folders */
      list: <Custom extends object = CustomValues>(query?: DriveListFilesQuery, options?: ListOptions): List<DriveFile<Custom>> =>
      calls.list(path`/v1/drive/files`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/drive/files/fields`, { options }),
      /** Get a file or folder */
      get: <Custom extends object = CustomValues>(fileId: string, options?: RequestOptions): Result<DriveFile<Custom>> =>
      calls.record("GET", path`/v1/drive/files/${fileId}`, { options }),
    },
    /** Download a file */
    download: (fileId: string, options?: RequestOptions): Result<Download> =>
      calls.download(path`/v1/drive/files/${fileId}/content`, options),
    /** Upload a file. The request's body is the file itself, not a form. It is streamed to the provider. */
    upload: <Custom extends object = CustomValues>(content: Content, query: DriveUploadFileQuery, options?: UploadOptions): Result<DriveFile<Custom>> =>
      calls.record("POST", path`/v1/drive/files`, { content, query, options }),
  },
  calendar: {
    calendars: {
      /** List calendars */
      list: <Custom extends object = CustomValues>(query?: ListQuery, options?: ListOptions): List<Calendar<Custom>> =>
      calls.list(path`/v1/calendar/calendars`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/calendar/calendars/fields`, { options }),
    },
    events: {
      /** List a calendar's events. Every event that starts in the window, with each instance of a recurring event by itself. An event that lasts all day starts at midnight UTC. */
      list: <Custom extends object = CustomValues>(query: CalendarListEventsQuery, options?: ListOptions): List<CalendarEvent<Custom>> =>
      calls.list(path`/v1/calendar/events`, query, options),
      /** List the fields that these records can have as custom fields */
      fields: (options?: RequestOptions): Result<OfferedField[]> =>
      calls.record("GET", path`/v1/calendar/events/fields`, { options }),
      /** Create an event */
      create: <Custom extends object = CustomValues>(body: NewCalendarEvent, options?: RequestOptions): Result<CalendarEvent<Custom>> =>
      calls.record("POST", path`/v1/calendar/events`, { body, options }),
    },
  },
});
