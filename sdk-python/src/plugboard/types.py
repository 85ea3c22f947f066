# Written by `npm run gen` from the table of operations and the Platform API. Do not edit.
"""Records and bodies as typed dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class Account(TypedDict):
    id: str | None
    """ID of the user, or of the workspace, company or bot that the token belongs to"""
    name: str | None
    email: str | None
    """Email address"""
    avatar_url: str | None
    """Address of a picture"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class ChatUser(TypedDict):
    id: str
    name: str
    email: str | None
    """Email address"""
    avatar_url: str | None
    """Address of a picture"""
    is_bot: bool | None
    """Whether it is a bot or an application"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class ChatChannel(TypedDict):
    id: str
    name: str
    is_private: bool | None
    """Whether only members can see it"""
    topic: str | None
    """Topic, purpose or description, in Markdown"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class ChatMessageAuthor(TypedDict):
    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class ChatMessage(TypedDict):
    id: str
    text: str | None
    """Message text, in Markdown"""
    author: ChatMessageAuthor | None
    created_at: str | None
    """When it was sent"""
    thread_id: str | None
    """ID of the message that this one replies to; null for a top-level message"""
    url: str | None
    """Page of the message"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Repository(TypedDict):
    id: int | str
    name: str
    full_name: str
    description: str | None
    url: str
    created_at: str
    updated_at: str
    pushed_at: str
    is_private: bool | None
    default_branch: str | None
    """Null if the repository is empty"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class PullRequest(TypedDict):
    id: int
    number: int
    title: str
    description: str | None
    draft: bool
    state: str
    """open, closed or merged"""
    url: str
    user: str
    """The author"""
    created_at: str
    updated_at: str
    merged_at: str | None
    source_branch: str | None
    """The branch to merge"""
    target_branch: str | None
    """The branch to merge into"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Issue(TypedDict):
    id: int
    number: int
    title: str
    description: str | None
    state: str
    """open or closed"""
    url: str
    user: str | None
    """The author"""
    created_at: str
    updated_at: str
    closed_at: str | None
    labels: list[str]
    """Names of the labels"""
    assignees: list[str]
    """User names of the assignees"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Tag(TypedDict):
    name: str
    commit_sha: str
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Release(TypedDict):
    id: int
    name: str
    tag_name: str
    description: str
    prerelease: bool
    url: str
    created_at: str
    released_at: str
    """When it was published"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Branch(TypedDict):
    name: str
    commit_sha: str
    protected: bool
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Commit(TypedDict):
    sha: str
    message: str | None
    url: str
    author: str | None
    """The author's name"""
    author_email: str | None
    """The author's email address"""
    committed_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class IssueCommentAuthor(TypedDict):
    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class IssueComment(TypedDict):
    id: str
    text: str | None
    """The comment, in Markdown"""
    author: IssueCommentAuthor | None
    url: str | None
    """Page of the comment"""
    created_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Ticket(TypedDict):
    id: str
    title: str
    status: str
    """The status, as the provider names it"""
    url: str
    description: str | None
    """In Markdown"""
    created_at: str
    updated_at: str
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Project(TypedDict):
    id: str
    name: str
    description: str | None
    """In Markdown"""
    url: str | None
    """Page of the project"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class TaskAssignee(TypedDict):
    """The first if there are several"""

    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class Task(TypedDict):
    id: str
    title: str
    description: str | None
    """In Markdown"""
    status: str
    """The status, as the provider names it"""
    status_category: Literal["todo", "in_progress", "done"]
    """What the status means"""
    project_id: str | None
    """Project, list, board or team that the task is in; the first if it is in several"""
    assignee: TaskAssignee | None
    """The first if there are several"""
    priority: str | None
    """The priority, as the provider names it"""
    labels: list[str]
    """Names of the labels or tags"""
    due_at: str | None
    """Midnight UTC if the provider only has a date"""
    parent_id: str | None
    """ID of the task that this one is part of"""
    url: str
    created_at: str
    updated_at: str
    completed_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class TaskCommentAuthor(TypedDict):
    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class TaskComment(TypedDict):
    id: str
    text: str | None
    """The comment, in Markdown"""
    author: TaskCommentAuthor | None
    created_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class HelpdeskTicketRequester(TypedDict):
    """Who needs help"""

    id: str | None
    name: str | None
    email: str | None


class HelpdeskTicketAssignee(TypedDict):
    """The agent who handles it"""

    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class HelpdeskTicket(TypedDict):
    id: str
    subject: str | None
    description: str | None
    """The first message, in Markdown"""
    status: str
    """The status, as the provider names it"""
    status_category: Literal["open", "pending", "solved", "closed"]
    """What the status means"""
    priority: str | None
    """The priority, as the provider names it"""
    requester: HelpdeskTicketRequester | None
    """Who needs help"""
    assignee: HelpdeskTicketAssignee | None
    """The agent who handles it"""
    tags: list[str]
    url: str
    """Page of the ticket for agents"""
    created_at: str
    updated_at: str
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class HelpdeskCommentAuthor(TypedDict):
    id: str | None
    name: str | None
    """Null if the provider only returns an ID"""


class HelpdeskComment(TypedDict):
    id: str
    text: str | None
    """The comment, in Markdown"""
    is_public: bool
    """False for a note that only agents see"""
    author: HelpdeskCommentAuthor | None
    created_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Customer(TypedDict):
    id: str
    name: str | None
    email: str | None
    """Email address"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Contact(TypedDict):
    id: str
    name: str
    email: str | None
    """Email address"""
    first_name: str | None
    last_name: str | None
    phone: str | None
    """Phone number, as the provider stores it"""
    company_id: str | None
    """ID of the company that the contact works for"""
    url: str | None
    """Page of the contact"""
    created_at: str | None
    updated_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Company(TypedDict):
    id: str
    name: str | None
    """Name; the domain of its website if it has none, and null if it has neither"""
    website: str | None
    phone: str | None
    """Phone number, as the provider stores it"""
    url: str | None
    """Page of the company"""
    created_at: str | None
    updated_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Deal(TypedDict):
    id: str
    name: str | None
    amount: float | None
    currency: str | None
    """ISO 4217, as in `EUR`"""
    stage: str | None
    """The stage, as the provider names it; its ID if the provider returns no name"""
    company_id: str | None
    """ID of the company that it is made with"""
    closes_at: str | None
    """When it was or should be closed; midnight UTC if the provider only has a date"""
    url: str | None
    """Page of the deal"""
    created_at: str | None
    updated_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class DriveFile(TypedDict):
    id: str
    name: str
    mime_type: str | None
    """Null for a folder, or if the provider does not know it"""
    size: int | None
    """In bytes"""
    created_at: str | None
    updated_at: str | None
    url: str | None
    """Page of the file"""
    is_folder: bool
    parent_id: str | None
    """ID of the folder that contains it; null at the top"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class Calendar(TypedDict):
    id: str
    name: str
    is_primary: bool
    """Whether it is the user's main calendar"""
    time_zone: str | None
    """IANA name, as in `Europe/Berlin`"""
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class CalendarEventOrganizer(TypedDict):
    name: str | None
    email: str | None
    """Email address"""


class CalendarEventAttendee(TypedDict):
    name: str | None
    email: str | None
    """Email address"""
    response: Literal["accepted", "declined", "tentative", "none"]
    """`none`: not answered yet"""


class CalendarEvent(TypedDict):
    id: str
    title: str | None
    description: str | None
    """In Markdown"""
    start_date: str
    """ISO 8601 in UTC; the first day as `2026-03-29` if the event lasts all day"""
    end_date: str
    """ISO 8601 in UTC; the day after the last one if the event lasts all day"""
    status: Literal["confirmed", "tentative", "cancelled"]
    url: str | None
    """Page of the event"""
    location: str | None
    is_all_day: bool
    time_zone: str | None
    """Where the event was planned: IANA name, as in `Europe/Berlin`"""
    organizer: CalendarEventOrganizer | None
    attendees: list[CalendarEventAttendee]
    recurring_event_id: str | None
    """ID of the series that the event is an instance of"""
    calendar_id: str
    created_at: str | None
    updated_at: str | None
    custom: dict[str, Any]
    """Values of the custom fields that are declared for this record, by name"""


class _SendMessageBodyRequired(TypedDict):
    text: str
    """The message, in Markdown"""


class SendMessageBody(_SendMessageBodyRequired, total=False):
    thread_id: str
    """The message to reply to: the `id` of a message, or the `thread_id` of another reply to it"""


class _NewIssueRequired(TypedDict):
    title: str
    """One line"""


class NewIssue(_NewIssueRequired, total=False):
    description: str
    """In Markdown"""
    labels: Sequence[str]
    """Names of labels"""
    assignees: Sequence[str]
    """User names"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewIssueCommentRequired(TypedDict):
    text: str
    """The comment, in Markdown"""


class NewIssueComment(_NewIssueCommentRequired, total=False):
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewTaskRequired(TypedDict):
    title: str
    """One line"""


class NewTask(_NewTaskRequired, total=False):
    project_id: str
    """An `id` from the list of projects. Required by providers whose tasks are always in a project"""
    description: str
    """In Markdown"""
    status: str
    """The name of a status, as tasks of the same project have it"""
    assignee_id: str
    """ID of a user: `assignee.id` of other tasks has it"""
    priority: str
    """The priority, as the provider names it"""
    labels: Sequence[str]
    """Names of labels or tags: exactly these"""
    due_at: str
    """Only the day counts at providers that have no time"""
    parent_id: str
    """ID of the task that this one is part of"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class TaskChange(TypedDict, total=False):
    title: str
    """One line"""
    project_id: str
    """An `id` from the list of projects: moves the task"""
    description: str
    """In Markdown"""
    status: str
    """The name of a status, as tasks of the same project have it"""
    assignee_id: str
    """ID of a user: `assignee.id` of other tasks has it"""
    priority: str
    """The priority, as the provider names it"""
    labels: Sequence[str]
    """Names of labels or tags: exactly these"""
    due_at: str
    """Only the day counts at providers that have no time"""
    parent_id: str
    """ID of the task that this one is part of"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewTaskCommentRequired(TypedDict):
    text: str
    """The comment, in Markdown"""


class NewTaskComment(_NewTaskCommentRequired, total=False):
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewHelpdeskTicketRequesterRequired(TypedDict):
    email: str
    """Email address"""


class NewHelpdeskTicketRequester(_NewHelpdeskTicketRequesterRequired, total=False):
    name: str
    """For a requester who is new at the provider"""


class _NewHelpdeskTicketRequired(TypedDict):
    subject: str
    """One line"""
    description: str
    """The first message, in Markdown"""
    requester: NewHelpdeskTicketRequester


class NewHelpdeskTicket(_NewHelpdeskTicketRequired, total=False):
    priority: str
    """The priority, as the provider names it"""
    tags: Sequence[str]
    """Tags"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class HelpdeskTicketChange(TypedDict, total=False):
    status: str
    """The status, as the provider names it"""
    priority: str
    """The priority, as the provider names it"""
    assignee_id: str
    """ID of an agent"""
    tags: Sequence[str]
    """Tags: exactly these"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewHelpdeskCommentRequired(TypedDict):
    text: str
    """The comment, in Markdown"""


class NewHelpdeskComment(_NewHelpdeskCommentRequired, total=False):
    is_public: bool
    """False for a note that only agents see"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class NewContact(TypedDict, total=False):
    first_name: str
    """First name"""
    last_name: str
    """Last name"""
    email: str
    """Email address"""
    phone: str
    """Phone number"""
    company_id: str
    """An `id` from the list of companies"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class ContactChange(TypedDict, total=False):
    first_name: str
    """First name"""
    last_name: str
    """Last name"""
    email: str
    """Email address"""
    phone: str
    """Phone number"""
    company_id: str
    """An `id` from the list of companies"""
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class _NewCalendarEventAttendeeRequired(TypedDict):
    email: str
    """Email address"""


class NewCalendarEventAttendee(_NewCalendarEventAttendeeRequired, total=False):
    name: str
    """Name"""


class _NewCalendarEventRequired(TypedDict):
    title: str
    """One line"""
    start_date: str
    """ISO 8601; a day as `2026-03-29` if the event lasts all day"""
    end_date: str
    """ISO 8601; the day after the last one if the event lasts all day"""


class NewCalendarEvent(_NewCalendarEventRequired, total=False):
    calendar_id: str
    """An `id` from the list of calendars. Default: the user's main calendar"""
    description: str
    """In Markdown"""
    location: str
    """Where it takes place"""
    is_all_day: bool
    time_zone: str
    """Where the event is planned: IANA name, as in `Europe/Berlin`"""
    attendees: Sequence[NewCalendarEventAttendee]
    custom: Mapping[str, Any]
    """Values of declared custom fields, by name; null empties a field"""
    provider: Mapping[str, Any]
    """Merged into the body that is sent to the provider, in the provider's own format"""


class Integration(TypedDict):
    id: str
    identifier: str
    """The provider's id"""
    type: str
    """How its connections authenticate: oauth2, api_key, basic, client_credentials, two_step, jwt, github_app, none"""
    created_at: str
    updated_at: str
    name: str | None
    """Tells integrations of one provider apart; shown to users who choose one"""
    base_url: str | None
    """The address of your own server, `sandbox` for the provider's emulator, or null for the provider itself"""
    mcp_url: str | None
    """The address of the provider's MCP server, if it is not the default"""
    scopes: list[str] | None
    """The OAuth scopes to request; null for the provider's default"""
    client_id: str | None
    """The OAuth client ID at the provider"""
    has_client_secret: bool
    """Whether a client secret is stored, which is never returned"""
    has_private_key: bool
    """Whether a private key is stored, which is never returned"""
    has_hook_secret: bool
    """Whether the secret of the provider's webhooks is stored, which is never returned"""
    hook_url: str | None
    """The address to enter at the provider, if its webhooks belong to the application; null if connections make their own, or there are none"""
    settings: dict[str, str]
    """Values that are the same for all of its connections"""
    proxy_base_url: str | None
    """What the Proxy appends paths to; `{name}` stands for a setting of the connection. Null while it uses the emulator and the sandbox is off"""
    callback_url: str | None
    """The redirect address to register at the provider, for types oauth2 and github_app; null for others"""


class _NewIntegrationRequired(TypedDict):
    identifier: str
    """a provider's id"""
    type: Literal["oauth2", "api_key", "basic", "client_credentials", "two_step", "jwt", "github_app", "none"]


class NewIntegration(_NewIntegrationRequired, total=False):
    name: str | None
    """tells integrations of one provider apart; shown to users who choose one"""
    client_id: str | None
    """the OAuth client ID at the provider"""
    client_secret: str | None
    """the OAuth client secret; never returned"""
    private_key: str | None
    """the private key of an app that signs its own tokens, in PEM format; never returned"""
    hook_secret: str | None
    """what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned"""
    settings: Mapping[str, str]
    """Values that are the same for all connections: the provider's settings that are set by the integration"""
    scopes: Sequence[str] | None
    """OAuth scopes to request; null for the provider's default"""
    base_url: str | None
    """the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself"""
    mcp_url: str | None
    """the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server"""


class IntegrationChange(TypedDict, total=False):
    type: Literal["oauth2", "api_key", "basic", "client_credentials", "two_step", "jwt", "github_app", "none"]
    name: str | None
    """tells integrations of one provider apart; shown to users who choose one"""
    client_id: str | None
    """the OAuth client ID at the provider"""
    client_secret: str | None
    """the OAuth client secret; never returned"""
    private_key: str | None
    """the private key of an app that signs its own tokens, in PEM format; never returned"""
    hook_secret: str | None
    """what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned"""
    settings: Mapping[str, str]
    """Values that are the same for all connections: the provider's settings that are set by the integration"""
    scopes: Sequence[str] | None
    """OAuth scopes to request; null for the provider's default"""
    base_url: str | None
    """the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself"""
    mcp_url: str | None
    """the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server"""


class Success(TypedDict):
    success: Literal[True]


class IntegrationHookSecret(TypedDict):
    hook_secret: str


class ConnectionAccount(TypedDict):
    """Whose account it is, read from the provider whenever the account is connected. Null if the provider does not say, or did not answer in time"""

    id: str | None
    name: str | None
    email: str | None


class Connection(TypedDict):
    id: str
    external_id: str | None
    """Your ID for the connected user"""
    integration_id: str
    integration_identifier: str
    """The provider's id"""
    is_valid: bool
    """False after the provider refused to refresh the token, or if the stored credentials cannot be decrypted: the user has to connect again"""
    expires_at: str | None
    """When the access token expires; null if it does not"""
    refreshed_at: str | None
    """When the access token was last refreshed"""
    created_at: str
    updated_at: str
    invalid_reason: str | None
    """Why the connection is invalid; null while it is valid"""
    metadata: dict[str, Any] | None
    """Your own data, up to 16 kB of JSON"""
    settings: dict[str, str]
    """Per-account values, such as a subdomain: see the provider's settings"""
    account: ConnectionAccount | None
    """Whose account it is, read from the provider whenever the account is connected. Null if the provider does not say, or did not answer in time"""


class _NewConnectionRequired(TypedDict):
    integration_id: str
    """the id of an integration of this workspace"""


class NewConnection(_NewConnectionRequired, total=False):
    auth_token: str
    """an access token or an API key, in printable ASCII, or the private key that tokens are made with"""
    username: str
    """without a colon"""
    password: str
    """may be empty"""
    refresh_token: str | None
    """in printable ASCII"""
    expires_in: int | None
    """Seconds until the access token expires"""
    external_id: str | None
    """your ID for the connected user"""
    metadata: Mapping[str, Any] | None
    """Your own data, up to 16 kB of JSON"""
    settings: Mapping[str, str]
    """Per-account values: see the provider's settings"""


class ConnectionChange(TypedDict, total=False):
    external_id: str | None
    """your ID for the connected user"""
    metadata: Mapping[str, Any] | None
    """Your own data, up to 16 kB of JSON"""


class NewConnectSession(TypedDict, total=False):
    external_id: str | None
    """your ID for the connected user"""
    integrations: Sequence[str] | None
    """The integrations that the user can choose from; by default all of the workspace's"""
    scopes: Sequence[str] | None
    """OAuth scopes to request instead of the integration's, if there is only one integration to choose from"""
    redirect_uri: str | None
    """one of the workspace's redirect_uris, where the user returns with a code"""
    connection_id: str | None
    """an existing connection, to connect it again; external_id may then be left out"""
    metadata: Mapping[str, Any] | None
    """Your own data, up to 16 kB of JSON"""
    expires_in: int | None
    """How long the link works, in seconds: at most 7 days"""


class ConnectSession(TypedDict):
    id: str
    url: str
    """The page to open in the user's browser. Whoever has it can connect an account as this user"""
    expires_at: str


class _McpSignInProofRequired(TypedDict):
    external_id: str
    """your ID for the user whom you have signed in"""


class McpSignInProof(_McpSignInProofRequired, total=False):
    tool_pack_id: str | None
    """the id of a tool pack that limits the client; null for none. By default the workspace's"""


class McpSignIn(TypedDict):
    id: str
    """The request"""
    url: str
    """Where to send the user's browser next: it works only in the one that began"""
    client_name: str
    """The name that the client has chosen itself"""
    expires_at: str
    """Until when the user can decide"""


class McpGrantActor(TypedDict):
    kind: Literal["key", "person", "command", "system"]
    """What they are"""
    id: str | None
    name: str | None


class McpGrant(TypedDict):
    id: str
    client_id: str
    """The client's id, or the address of its metadata document"""
    client_name: str
    """The name that the client has chosen itself"""
    redirect_host: str
    """The host that got the access; the scheme with its colon if it is an app's own"""
    external_id: str | None
    """The user who gave it; null if it was somebody with a key or a dashboard session"""
    actor: McpGrantActor
    connection_ids: list[str]
    """The connections that the client may use"""
    access: Literal["read", "write"]
    """Whether the client may only read, or also create, change and send"""
    call_api: bool
    """Whether the client may also call the providers' own APIs; with the access `read` only to read, and not with a tool pack"""
    tool_pack_id: str | None
    """The tool pack that limits it"""
    resource: str
    """The address that its tokens are for"""
    expires_at: str | None
    """When it ends; null if only when it is revoked, or not used for 30 days"""
    last_used_at: str | None
    """At most a minute behind; null if it was not used yet"""
    created_at: str


class McpGrantChange(TypedDict):
    tool_pack_id: str | None
    """the id of a tool pack that limits the client; null for none"""


class ApiKey(TypedDict):
    id: str
    name: str | None
    prefix: str
    """The key's first characters"""
    scopes: list[
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
    """What the key may do. `write` includes `read`, and `*` is everything"""
    expires_at: str | None
    """When it stops working; null if it does not"""
    external_id: str | None
    """It sees and uses only connections with this external id; null for all"""
    connection_ids: list[str] | None
    """It sees and uses only these connections; null for all"""
    tool_pack_id: str | None
    """What limits it to some tools of Unified MCP, the only place where it works then"""
    last_used_at: str | None
    """At most a minute behind; null if it was not used yet"""
    created_at: str


class NewApiKey(TypedDict, total=False):
    name: str | None
    """what the key is for"""
    scopes: (
        Sequence[
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
        | None
    )
    """What the key may do. `write` includes `read`, and `*` is everything"""
    expires_at: str | None
    """an ISO 8601 date and time from which on the key is refused"""
    external_id: str | None
    """your ID for the connected user"""
    connection_ids: Sequence[str] | None
    """The key sees and uses only these connections"""
    tool_pack_id: str | None
    """the id of a tool pack: the key then works only for Unified MCP, with its tools"""


class CreatedApiKey(TypedDict):
    id: str
    name: str | None
    prefix: str
    """The key's first characters"""
    scopes: list[
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
    """What the key may do. `write` includes `read`, and `*` is everything"""
    expires_at: str | None
    """When it stops working; null if it does not"""
    external_id: str | None
    """It sees and uses only connections with this external id; null for all"""
    connection_ids: list[str] | None
    """It sees and uses only these connections; null for all"""
    tool_pack_id: str | None
    """What limits it to some tools of Unified MCP, the only place where it works then"""
    last_used_at: str | None
    """At most a minute behind; null if it was not used yet"""
    created_at: str
    api_key: str
    """The key itself; shown only once"""


class ToolPack(TypedDict):
    id: str
    name: str
    categories: list[str] | None
    """Only tools of these categories; null for all"""
    tools: list[str] | None
    """Only these tools; null for all"""
    access: Literal["read", "write"]
    """`read`: without the tools that create, change or send something"""
    hide: list[str]
    """Fields that records do not have, such as crm.contact.email"""
    created_at: str
    updated_at: str


class _NewToolPackRequired(TypedDict):
    name: str
    """what the tool pack is for"""
    access: Literal["read", "write"]
    """With `read`, it has no tools that create, change or send something"""


class NewToolPack(_NewToolPackRequired, total=False):
    categories: Sequence[str] | None
    """Only tools of these categories; null for all"""
    tools: Sequence[str] | None
    """Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both"""
    hide: Sequence[str]
    """Fields that records do not have, such as crm.contact.email"""


class ToolPackChange(TypedDict, total=False):
    name: str
    """what the tool pack is for"""
    access: Literal["read", "write"]
    """With `read`, it has no tools that create, change or send something"""
    categories: Sequence[str] | None
    """Only tools of these categories; null for all"""
    tools: Sequence[str] | None
    """Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both"""
    hide: Sequence[str]
    """Fields that records do not have, such as crm.contact.email"""


class CustomField(TypedDict):
    id: str
    record: str
    """The record that has it, such as crm.contact"""
    name: str
    """Its name in `custom`"""
    type: Literal["string", "number", "boolean", "date", "strings"]
    paths: dict[str, str]
    """Where it is in the provider's own item, as a JSON Pointer, by provider"""
    integration_id: str | None
    """Only for connections of this integration; null for all"""
    connection_id: str | None
    """Only for this connection; null for all"""
    created_at: str
    updated_at: str


class _NewCustomFieldRequired(TypedDict):
    record: str
    """the record, such as crm.contact"""
    name: str
    """Its name in `custom`: lower-case letters, digits and _"""
    type: Literal["string", "number", "boolean", "date", "strings"]
    """What values are read as; one of another type is null"""
    paths: Mapping[str, str]
    """A JSON Pointer into the provider's own item, such as /properties/tier, by provider"""


class NewCustomField(_NewCustomFieldRequired, total=False):
    integration_id: str
    """only for connections of this integration"""
    connection_id: str
    """only for this connection"""


class CustomFieldChange(TypedDict, total=False):
    type: Literal["string", "number", "boolean", "date", "strings"]
    """What values are read as; one of another type is null"""
    paths: Mapping[str, str]
    """A JSON Pointer into the provider's own item, such as /properties/tier, by provider"""


class Workspace(TypedDict):
    id: str
    name: str
    client_id: str
    """The workspace's public id in the connect flow"""
    redirect_uris: list[str]
    """Addresses that the connect flow may redirect to"""
    logo_url: str | None
    """The logo on the pages of the connect flow; loaded by the user's browser"""
    accent_color: str | None
    """The color of the main button on these pages, such as #1f5fbf"""
    mcp_sign_in_url: str | None
    """The page of your application that signs its users in for MCP clients; null if people sign in at Plugboard"""
    mcp_tool_pack_id: str | None
    """The tool pack that limits the MCP clients that people sign in from now on"""


class WorkspaceChange(TypedDict, total=False):
    name: str
    """a name, without spaces around it and without control characters such as line breaks"""
    redirect_uris: Sequence[str]
    logo_url: str | None
    """the https address of an image"""
    accent_color: str | None
    """a color such as #1f5fbf"""
    mcp_sign_in_url: str | None
    """the https address of a page of your application"""
    mcp_tool_pack_id: str | None
    """the id of a tool pack, which limits the MCP clients that people sign in from then on"""


class ProviderSetting(TypedDict):
    name: str
    label: str
    hint: str | None
    placeholder: str | None
    pattern: str
    choices: list[str] | None
    """The possible values, if there are few"""
    set_by: str
    """user, or integration: then it is a setting of the integration"""
    optional: bool
    """Whether there need not be a value"""
    auth_types: list[str]
    """The auth types with which it is asked for"""


class ProviderSetupWebhooks(TypedDict):
    """The provider's own webhooks, which start subscriptions"""

    per: Literal["connection", "application", "none"]
    """Who makes the provider's webhooks: each connection by itself, you for the whole application, or nobody"""
    note: str | None
    """What a connection needs for them, or why there are none"""
    steps: list[str]
    """What to do at the provider, as Markdown, if they belong to the application"""
    sends_secret: bool
    """Whether the provider sends their secret to the address, and wants to see it again"""
    lists: list[str]
    """The operations whose subscriptions they start"""


class ProviderSetup(TypedDict):
    url: str | None
    """The page of the provider"""
    steps: list[str]
    """What to do there, as Markdown"""
    scopes: list[str]
    """The OAuth scopes that are requested unless the integration has its own"""
    needs: list[str]
    """The integration's fields that are required, such as client_id"""
    takes: list[str]
    """The integration's fields that may be set besides"""
    webhooks: ProviderSetupWebhooks
    """The provider's own webhooks, which start subscriptions"""


class Provider(TypedDict):
    id: str
    name: str
    docs: str
    """The provider's API reference"""
    auth_types: list[str]
    categories: list[str]
    operations: list[str]
    """The supported operations, such as git.listIssues"""
    fields: dict[str, list[str]]
    """The fields of the records that ever have a value in the sandbox, by operation. Others are always null"""
    settings: list[ProviderSetting]
    """Per-account values that a connection needs, and values that an integration needs"""
    base_urls: dict[str, str]
    """What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's"""
    setup: dict[str, ProviderSetup]
    """What to create at the provider, by auth type: an OAuth application, or the user's key"""
    self_hosted_only: bool
    """Whether integrations require a base_url"""
    mcp_only: bool
    """Whether it is any MCP server: integrations require an mcp_url, and there are no operations"""
    mcp: bool
    """Whether the provider has an MCP server that accepts the credentials of a connection"""
    origin: Literal["built_in", "catalogue", "workspace"]
    """Where it comes from: code, the catalogue, or a document of the workspace"""
    subjects: list[str]
    """What it is about, such as payments, if it has no operations"""


class _ProviderDocumentAddressesRequired(TypedDict):
    api: str
    """What paths are appended to; `{name}` stands for a setting"""


class ProviderDocumentAddresses(_ProviderDocumentAddressesRequired, total=False):
    authorize: str
    """Where users agree, with oauth2"""
    token: str
    """Where tokens are requested"""
    refresh: str
    """Where they are refreshed, if elsewhere"""
    revoke: str
    """Where they are revoked (RFC 7009)"""
    mcp: str
    """An MCP server that accepts the credentials"""


class _ProviderDocumentSettingRequired(TypedDict):
    label: str
    """what users call it"""


class ProviderDocumentSetting(_ProviderDocumentSettingRequired, total=False):
    """Either `pattern` or `choices`"""

    hint: str
    """where users find it"""
    placeholder: str
    """an example"""
    pattern: str
    """a regular expression for the whole value"""
    choices: Sequence[str]
    set_by: Literal["user", "integration"]
    """Who gives the value. Default: user"""
    optional: bool
    """headers and parameters with it are left out without a value"""


_ProviderDocumentAuthOauth2SendRequired = TypedDict(
    "_ProviderDocumentAuthOauth2SendRequired", {"in": 'Literal["header", "query"]', "name": "str"}
)


class ProviderDocumentAuthOauth2Send(_ProviderDocumentAuthOauth2SendRequired, total=False):
    """How the token is sent. Default: `Authorization: Bearer <token>`"""

    prefix: str
    """what precedes it, such as `Token `"""


class ProviderDocumentAuthOauth2(TypedDict, total=False):
    scopes: Sequence[str]
    """Requested unless the integration has its own"""
    scope_delimiter: str
    """Default: a space"""
    pkce: bool
    """Default: true"""
    token_auth: Literal["basic", "body"]
    """Where the client's credentials go in a token request. Default: body"""
    token_body: Literal["form", "json"]
    """How a token request is encoded. Default: form"""
    authorize_params: Mapping[str, str]
    """Further parameters of the authorize address; `{name}` stands for a setting"""
    token_params: Mapping[str, str]
    """Further parameters of token requests; `{name}` stands for a setting"""
    lifetime: int
    """of an access token in seconds, if token responses do not say"""
    rotates: bool
    """whether a refresh returns a new refresh token and ends the old one"""
    redirect_settings: Mapping[str, str]
    """Settings that are parameters of the redirect after consent"""
    token_settings: Mapping[str, str]
    """Settings that are in the token response"""
    help: str
    """The page where an OAuth application is created"""
    send: ProviderDocumentAuthOauth2Send
    """How the token is sent. Default: `Authorization: Bearer <token>`"""


_ProviderDocumentAuthApiKeyRequired = TypedDict(
    "_ProviderDocumentAuthApiKeyRequired", {"in": 'Literal["header", "query", "path"]', "label": "str"}
)


class ProviderDocumentAuthApiKey(_ProviderDocumentAuthApiKeyRequired, total=False):
    name: str
    """of the header or parameter; not used in a path"""
    prefix: str
    """what precedes the key, such as `Bearer `; in a path, such as `bot`"""
    help: str
    """The page where users find or create it"""


class _ProviderDocumentAuthBasicRequired(TypedDict):
    username: str
    """what the user name is"""


class ProviderDocumentAuthBasic(_ProviderDocumentAuthBasicRequired, total=False):
    password: str
    """what the password is; without it, it is empty"""
    help: str
    """The page where users find or create it"""


_ProviderDocumentAuthClientCredentialsSendRequired = TypedDict(
    "_ProviderDocumentAuthClientCredentialsSendRequired", {"in": 'Literal["header", "query"]', "name": "str"}
)


class ProviderDocumentAuthClientCredentialsSend(_ProviderDocumentAuthClientCredentialsSendRequired, total=False):
    """How the token is sent. Default: `Authorization: Bearer <token>`"""

    prefix: str
    """what precedes it, such as `Token `"""


class ProviderDocumentAuthClientCredentials(TypedDict, total=False):
    scopes: Sequence[str]
    """Requested unless the integration has its own"""
    scope_delimiter: str
    audience: str
    """the `audience` of token requests"""
    token_auth: Literal["basic", "body"]
    """Where the client's credentials go in a token request. Default: body"""
    token_body: Literal["form", "json"]
    """How a token request is encoded. Default: form"""
    token_params: Mapping[str, str]
    """Further parameters of token requests; `{name}` stands for a setting"""
    lifetime: int
    username: str
    """what users call the client ID. Default: Client ID"""
    password: str
    """what users call the client secret. Default: Client secret"""
    help: str
    """The page where users find or create it"""
    send: ProviderDocumentAuthClientCredentialsSend
    """How the token is sent. Default: `Authorization: Bearer <token>`"""


class _ProviderDocumentAuthTwoStepRequestRequired(TypedDict):
    method: Literal["POST", "PUT", "GET"]


class ProviderDocumentAuthTwoStepRequest(_ProviderDocumentAuthTwoStepRequestRequired, total=False):
    path: str
    """below the token address, or below the API's if there is none"""
    body: Mapping[str, Any]
    """`{username}`, `{password}`, `{token}` and settings in texts"""
    encoding: Literal["form", "json"]
    """How a token request is encoded. Default: form"""


_ProviderDocumentAuthTwoStepSendRequired = TypedDict(
    "_ProviderDocumentAuthTwoStepSendRequired", {"in": 'Literal["header", "query"]', "name": "str"}
)


class ProviderDocumentAuthTwoStepSend(_ProviderDocumentAuthTwoStepSendRequired, total=False):
    """How the token is sent. Default: `Authorization: Bearer <token>`"""

    prefix: str
    """what precedes it, such as `Token `"""


class _ProviderDocumentAuthTwoStepRequired(TypedDict):
    request: ProviderDocumentAuthTwoStepRequest
    token: str
    """where the token is in the response: a JSON Pointer"""


class ProviderDocumentAuthTwoStep(_ProviderDocumentAuthTwoStepRequired, total=False):
    expires_in: str
    """where its lifetime in seconds is: a JSON Pointer"""
    lifetime: int
    """in seconds, if the response does not say"""
    username: str
    """what `{username}` is"""
    password: str
    """what `{password}` is"""
    key: str
    """what `{token}` is"""
    help: str
    """The page where users find or create it"""
    send: ProviderDocumentAuthTwoStepSend
    """How the token is sent. Default: `Authorization: Bearer <token>`"""


class ProviderDocumentAuthJwtExchange(TypedDict, total=False):
    """The JWT is exchanged for a token at the token address (RFC 7523), not sent itself"""

    params: Mapping[str, str]
    """Further parameters of the token request; `{name}` stands for a setting"""


_ProviderDocumentAuthJwtSendRequired = TypedDict(
    "_ProviderDocumentAuthJwtSendRequired", {"in": 'Literal["header", "query"]', "name": "str"}
)


class ProviderDocumentAuthJwtSend(_ProviderDocumentAuthJwtSendRequired, total=False):
    """How the token is sent. Default: `Authorization: Bearer <token>`"""

    prefix: str
    """what precedes it, such as `Token `"""


class _ProviderDocumentAuthJwtRequired(TypedDict):
    algorithm: Literal["RS256", "ES256", "HS256"]
    claims: Mapping[str, str]
    """Besides `iat` and `exp`; `{name}` stands for a setting"""
    lifetime: int
    """in seconds"""
    label: str
    """what the provider calls the private key or secret"""


class ProviderDocumentAuthJwt(_ProviderDocumentAuthJwtRequired, total=False):
    header: Mapping[str, str]
    """Besides `alg` and `typ`, such as `kid`"""
    exchange: ProviderDocumentAuthJwtExchange
    """The JWT is exchanged for a token at the token address (RFC 7523), not sent itself"""
    secret_encoding: Literal["utf8", "hex", "base64"]
    """Of a secret for HS256. Default: utf8"""
    help: str
    """The page where users find or create it"""
    send: ProviderDocumentAuthJwtSend
    """How the token is sent. Default: `Authorization: Bearer <token>`"""


class ProviderDocumentAuth(TypedDict, total=False):
    """One entry for each way to authenticate"""

    oauth2: ProviderDocumentAuthOauth2
    api_key: ProviderDocumentAuthApiKey
    basic: ProviderDocumentAuthBasic
    client_credentials: ProviderDocumentAuthClientCredentials
    two_step: ProviderDocumentAuthTwoStep
    jwt: ProviderDocumentAuthJwt
    none: Mapping[str, Any]


class ProviderDocumentCheck(TypedDict):
    get: str
    """succeeds if and only if the credentials are valid"""


class ProviderDocumentDiscover(TypedDict):
    get: str
    """A path below the API's address, or an address on the host of one of the others"""
    take: Mapping[str, str]
    """Settings that the response has"""


class _ProviderDocumentRequired(TypedDict):
    id: str
    name: str
    """what people call it"""
    docs_url: str
    """The provider's API reference"""
    addresses: ProviderDocumentAddresses
    auth: ProviderDocumentAuth
    """One entry for each way to authenticate"""


class ProviderDocument(_ProviderDocumentRequired, total=False):
    categories: Sequence[str]
    """What it is about, such as `crm`"""
    notes: Sequence[str]
    """What somebody should know who sets it up"""
    sources: Sequence[str]
    """Who else has these addresses"""
    settings: Mapping[str, ProviderDocumentSetting]
    """Per-account values that are part of addresses, headers and requests"""
    headers: Mapping[str, str]
    """Sent with each request; `{name}` stands for a setting"""
    check: ProviderDocumentCheck
    discover: ProviderDocumentDiscover
    retry_header: str
    """A header with the seconds to wait or the time to wait for, if it is not `Retry-After`"""


class ProviderDetailsSetting(TypedDict):
    name: str
    label: str
    hint: str | None
    placeholder: str | None
    pattern: str
    choices: list[str] | None
    """The possible values, if there are few"""
    set_by: str
    """user, or integration: then it is a setting of the integration"""
    optional: bool
    """Whether there need not be a value"""
    auth_types: list[str]
    """The auth types with which it is asked for"""


class ProviderDetailsSetupWebhooks(TypedDict):
    """The provider's own webhooks, which start subscriptions"""

    per: Literal["connection", "application", "none"]
    """Who makes the provider's webhooks: each connection by itself, you for the whole application, or nobody"""
    note: str | None
    """What a connection needs for them, or why there are none"""
    steps: list[str]
    """What to do at the provider, as Markdown, if they belong to the application"""
    sends_secret: bool
    """Whether the provider sends their secret to the address, and wants to see it again"""
    lists: list[str]
    """The operations whose subscriptions they start"""


class ProviderDetailsSetup(TypedDict):
    url: str | None
    """The page of the provider"""
    steps: list[str]
    """What to do there, as Markdown"""
    scopes: list[str]
    """The OAuth scopes that are requested unless the integration has its own"""
    needs: list[str]
    """The integration's fields that are required, such as client_id"""
    takes: list[str]
    """The integration's fields that may be set besides"""
    webhooks: ProviderDetailsSetupWebhooks
    """The provider's own webhooks, which start subscriptions"""


class ProviderDetails(TypedDict):
    id: str
    name: str
    docs: str
    """The provider's API reference"""
    auth_types: list[str]
    categories: list[str]
    operations: list[str]
    """The supported operations, such as git.listIssues"""
    fields: dict[str, list[str]]
    """The fields of the records that ever have a value in the sandbox, by operation. Others are always null"""
    settings: list[ProviderDetailsSetting]
    """Per-account values that a connection needs, and values that an integration needs"""
    base_urls: dict[str, str]
    """What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's"""
    setup: dict[str, ProviderDetailsSetup]
    """What to create at the provider, by auth type: an OAuth application, or the user's key"""
    self_hosted_only: bool
    """Whether integrations require a base_url"""
    mcp_only: bool
    """Whether it is any MCP server: integrations require an mcp_url, and there are no operations"""
    mcp: bool
    """Whether the provider has an MCP server that accepts the credentials of a connection"""
    origin: Literal["built_in", "catalogue", "workspace"]
    """Where it comes from: code, the catalogue, or a document of the workspace"""
    subjects: list[str]
    """What it is about, such as payments, if it has no operations"""
    document: dict[str, Any] | None
    """The document that it is made from; null for code"""
    created_at: str | None
    """Null unless it is the workspace's own"""
    updated_at: str | None
    """Null unless it is the workspace's own"""


class ProviderDocumentChange(TypedDict, total=False):
    name: str
    """what people call it"""
    docs_url: str
    """The provider's API reference"""
    categories: Sequence[str] | None
    """What it is about, such as `crm`"""
    notes: Sequence[str] | None
    """What somebody should know who sets it up"""
    sources: Sequence[str] | None
    """Who else has these addresses"""
    addresses: ProviderDocumentAddresses
    settings: Mapping[str, ProviderDocumentSetting] | None
    """Per-account values that are part of addresses, headers and requests"""
    auth: ProviderDocumentAuth
    """One entry for each way to authenticate"""
    headers: Mapping[str, str] | None
    """Sent with each request; `{name}` stands for a setting"""
    check: ProviderDocumentCheck | None
    discover: ProviderDocumentDiscover | None
    retry_header: str | None
    """A header with the seconds to wait or the time to wait for, if it is not `Retry-After`"""


class UpstreamAttempt(TypedDict):
    method: str
    path: str
    """At the provider, without the query"""
    status: int | None
    """The provider's status; null if there was no response that could be read"""
    error: str | None
    """Why there was none: timeout, unreachable, malformed, overloaded, cancelled or another code"""
    duration_ms: float
    """Until the response was read, or, if it is streamed, until it began"""
    attempt: int
    """1 for the first attempt of a call, 2 for its first retry"""


class LogEntry(TypedDict):
    id: str
    request_id: str
    """The response's X-Request-Id header"""
    connection_id: str | None
    surface: str
    """unified, proxy, mcp, platform or auth"""
    method: str
    path: str
    """Without the query"""
    operation: str | None
    """The operation of Unified and Unified MCP, such as git.listRepositories, or what was asked of the provider's MCP server, such as tools/call search_issues"""
    mcp_client: str | None
    """The MCP client that called, as far as it says its name"""
    person: str | None
    """For whom an MCP client called: an external_id"""
    status: int
    """499 if the connection was closed before the whole response was sent"""
    outcome: str | None
    """Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout"""
    duration_ms: float
    upstream_calls: int
    """Calls to the provider, retries not counted"""
    created_at: str
    integration_id: str | None
    error_source: str | None
    """Whose error it is: application (the caller's own), provider or plugboard; null for a success, and if the client disconnected"""
    upstream: list[UpstreamAttempt]
    """The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept"""


class FullLogEntryFailure(TypedDict):
    """Of a request that failed, with secrets hidden. With `FAILURE_DETAILS=off`, nothing is kept"""

    query: str | None
    """The query of the request"""
    detail: str | None
    """What is wrong"""
    provider_body: str | None
    """The first 2 kB of the provider's response"""


class FullLogEntry(TypedDict):
    id: str
    request_id: str
    """The response's X-Request-Id header"""
    connection_id: str | None
    surface: str
    """unified, proxy, mcp, platform or auth"""
    method: str
    path: str
    """Without the query"""
    operation: str | None
    """The operation of Unified and Unified MCP, such as git.listRepositories, or what was asked of the provider's MCP server, such as tools/call search_issues"""
    mcp_client: str | None
    """The MCP client that called, as far as it says its name"""
    person: str | None
    """For whom an MCP client called: an external_id"""
    status: int
    """499 if the connection was closed before the whole response was sent"""
    outcome: str | None
    """Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout"""
    duration_ms: float
    upstream_calls: int
    """Calls to the provider, retries not counted"""
    created_at: str
    integration_id: str | None
    error_source: str | None
    """Whose error it is: application (the caller's own), provider or plugboard; null for a success, and if the client disconnected"""
    upstream: list[UpstreamAttempt]
    """The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept"""
    failure: FullLogEntryFailure | None
    """Of a request that failed, with secrets hidden. With `FAILURE_DETAILS=off`, nothing is kept"""


class UsageTotalSurface(TypedDict):
    requests: int
    application_errors: int
    """Errors of the caller, such as invalid requests"""
    plugboard_errors: int
    """Errors of Plugboard itself"""
    provider_errors: int
    """Errors of the provider"""


class UsageTotal(TypedDict):
    requests: int
    application_errors: int
    """Errors of the caller, such as invalid requests"""
    plugboard_errors: int
    """Errors of Plugboard itself"""
    provider_errors: int
    """Errors of the provider"""
    p50_ms: int | None
    """Half of the requests took no longer, as an estimate; null without requests"""
    p95_ms: int | None
    """95 % of the requests took no longer, as an estimate; null without requests"""
    surfaces: dict[str, UsageTotalSurface]
    """The same counts by surface, for those that had requests"""


class UsageBucketSurface(TypedDict):
    requests: int
    application_errors: int
    """Errors of the caller, such as invalid requests"""
    plugboard_errors: int
    """Errors of Plugboard itself"""
    provider_errors: int
    """Errors of the provider"""


class UsageBucket(TypedDict):
    start: str
    requests: int
    application_errors: int
    """Errors of the caller, such as invalid requests"""
    plugboard_errors: int
    """Errors of Plugboard itself"""
    provider_errors: int
    """Errors of the provider"""
    p50_ms: int | None
    """Half of the requests took no longer, as an estimate; null without requests"""
    p95_ms: int | None
    """95 % of the requests took no longer, as an estimate; null without requests"""
    surfaces: dict[str, UsageBucketSurface]
    """The same counts by surface, for those that had requests"""


class Usage(TypedDict):
    since: str
    """The start of the first bucket"""
    until: str
    """The end of the last bucket"""
    bucket_seconds: int
    """60 or 3600"""
    total: UsageTotal
    buckets: list[UsageBucket]
    """One per minute or hour, in the order of time, also if it had no requests"""


class Actor(TypedDict):
    kind: Literal["key", "person", "command", "system"]
    id: str | None
    """Of the API key, of the person, or the name of the user who ran the command"""
    name: str | None


class AuditTarget(TypedDict):
    kind: str
    """How the action begins"""
    id: str | None


class AuditEntry(TypedDict):
    id: str
    at: str
    actor: Actor
    action: str
    """Such as `connection.delete`"""
    target: AuditTarget
    outcome: Literal["success", "refused"]
    request_id: str | None
    """Finds the request in the request log"""
    ip: str | None
    """Where the request came from"""
    changes: list[str] | None
    """Names of the fields that were changed; never their values"""
    hash: str
    """SHA-256 of the entry and of the hash before it"""
    previous_hash: str
    """The hash of the entry before it; empty if there was none"""


class Event(TypedDict):
    id: str
    """The same as the `webhook-id` of its deliveries"""
    type: str
    """What happened, such as `connection.created` or `tasks.task.updated`"""
    timestamp: str
    """When it happened, or was noticed"""
    connection_id: str | None
    data: dict[str, Any]


class EventPage(TypedDict):
    data: list[Event]
    next: str
    """Pass it as `after`, or as `before` if you read backwards, to continue. Always present: if there are no new events, try again later"""


class Webhook(TypedDict):
    id: str
    name: str
    url: str
    """Where events are posted to"""
    events: dict[str, bool]
    """Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts"""
    enabled: bool
    """Whether it gets events"""
    disabled_reason: str | None
    """Why Plugboard turned it off; null if it is on, or you turned it off"""
    failing_since: str | None
    """When the first failed attempt since the last success was made"""
    last_triggered_at: str | None
    """When something was last sent to it, successfully or not, at most a minute behind; null before that"""
    created_at: str
    updated_at: str


class _NewWebhookRequired(TypedDict):
    name: str
    """what it is for"""
    url: str
    """where events are posted to"""
    events: Mapping[str, bool]
    """Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts"""


class NewWebhook(_NewWebhookRequired, total=False):
    enabled: bool
    """Whether it gets events"""


class CreatedWebhook(TypedDict):
    id: str
    name: str
    url: str
    """Where events are posted to"""
    events: dict[str, bool]
    """Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts"""
    enabled: bool
    """Whether it gets events"""
    disabled_reason: str | None
    """Why Plugboard turned it off; null if it is on, or you turned it off"""
    failing_since: str | None
    """When the first failed attempt since the last success was made"""
    last_triggered_at: str | None
    """When something was last sent to it, successfully or not, at most a minute behind; null before that"""
    created_at: str
    updated_at: str
    secret: str
    """The secret that its signatures are verified with"""


class WebhookChange(TypedDict, total=False):
    name: str
    """what it is for"""
    url: str
    """where events are posted to"""
    events: Mapping[str, bool]
    """Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts"""
    enabled: bool
    """Whether it gets events"""


class WebhookSecret(TypedDict):
    secret: str
    """The secret that its signatures are verified with"""


class RotatedWebhookSecret(TypedDict):
    secret: str
    """The new secret"""
    previous_secret_valid_until: str
    """Until then, what is sent has a signature with the previous secret as well"""


class DeliveryAttempt(TypedDict):
    at: str
    status: int | None
    """Of the answer; null if there was none"""
    error: str | None
    """Why there was no answer"""
    duration_ms: int
    answer: str | None
    """The first 2 kB of the answer's body; null if it was empty"""


class Delivery(TypedDict):
    id: str
    webhook_id: str
    event_id: str
    """The event's id, and the `webhook-id` that is sent"""
    type: str
    """The event's type"""
    state: Literal["pending", "delivered", "failed"]
    """`pending`: there will be another attempt; `failed`: there will be none, unless you send it again"""
    next_attempt_at: str | None
    """When the next attempt is, at the earliest"""
    created_at: str
    attempts: list[DeliveryAttempt]
    """Oldest first"""


class ResendFailed(TypedDict):
    since: str
    """an ISO 8601 date and time"""


class ResentDeliveries(TypedDict):
    count: int
    """How many are being sent again"""


class SubscriptionLastRun(TypedDict):
    started_at: str
    finished_at: str | None
    """Null if it has not reached the end of the list: it continues with `next_run`"""
    kind: Literal["full", "incremental"]
    """`full`: the whole list. `incremental`: what was updated since the last run"""
    pages: int
    records: int
    """Records that were read"""
    created: int
    """Events of this kind"""
    updated: int
    """Events of this kind"""
    deleted: int
    """Events of this kind"""
    error: str | None
    """Why it stopped before the end of the list"""


class Subscription(TypedDict):
    id: str
    connection_id: str
    operation: str
    """The list that is read, such as `tasks.listTasks`"""
    parameters: dict[str, str]
    """The operation's own path and query parameters"""
    interval_seconds: int
    full_walk_seconds: int
    include_existing: bool
    status: Literal["active", "paused", "sleeping", "failing"]
    """`sleeping`: its connection is invalid until the user connects again. `failing`: its last runs failed; it is still tried"""
    reason: str | None
    """Why it sleeps or fails"""
    failing_since: str | None
    last_run: SubscriptionLastRun | None
    trigger: Literal["webhook", "polling"]
    """`webhook`: the provider's own webhook starts a run when something changes, and the list is read every `poll_with_webhook_seconds`. `polling`: the list is read every `interval_seconds`"""
    trigger_reason: str | None
    """Why it is polling; null with a webhook"""
    last_hint_at: str | None
    """When the provider's webhook last said that something changed"""
    webhook_expires_at: str | None
    """When the provider's webhook ends; it is renewed before that"""
    poll_with_webhook_seconds: int
    """How often the list is read while a webhook starts it"""
    next_run: str | None
    """In the past while it runs; null if it is paused"""
    estimated_calls_per_day: int
    """Calls to the provider, judged by the last runs. Before the first, one call for each run"""
    created_at: str
    updated_at: str


class _NewSubscriptionRequired(TypedDict):
    connection_id: str
    """the connection to read from"""
    operation: str
    """the id of a list operation, such as tasks.listTasks"""
    interval_seconds: int
    """How often the list is read"""


class NewSubscription(_NewSubscriptionRequired, total=False):
    parameters: Mapping[str, str | float | bool]
    """The operation's own path and query parameters. Times are fixed: a window does not move along"""
    full_walk_seconds: int
    """How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole"""
    poll_with_webhook_seconds: int | None
    """How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day"""
    include_existing: bool
    """Whether the first run creates a `created` event for each existing record"""


class SubscriptionChange(TypedDict, total=False):
    parameters: Mapping[str, str | float | bool]
    """The operation's own path and query parameters. Times are fixed: a window does not move along"""
    interval_seconds: int
    """How often the list is read"""
    full_walk_seconds: int
    """How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole"""
    poll_with_webhook_seconds: int | None
    """How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day"""


class OfferedField(TypedDict):
    path: str
    """Where it is in the provider's own item, as a JSON Pointer: for `paths` of a custom field"""
    label: str
    """What the provider calls it"""
    type: Literal["string", "number", "boolean", "date", "strings"]
    """The type to declare it with"""
    custom: bool
    """Whether the account's own people have made it"""
    example: Any
    """A value of one of the records; null if none was found"""
