// Written by `npm run gen -- --fields` from what the sandbox returns. Do not edit.

/** The fields that ever have a value in the sandbox, by provider and operation. */
export const filledFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "asana": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "attio": {
    "identity.getMe": ["avatar_url", "id", "name"],
    "crm.listContacts": ["company_id", "created_at", "email", "first_name", "id", "last_name", "name", "phone", "url"],
    "crm.listCompanies": ["created_at", "id", "name", "url", "website"],
    "crm.listDeals": ["amount", "company_id", "created_at", "currency", "id", "name", "stage", "url"]
  },
  "bitbucket": {
    "identity.getMe": ["avatar_url", "id", "name"],
    "git.listRepositories": ["created_at", "default_branch", "description", "full_name", "id", "is_private", "name", "pushed_at", "updated_at", "url"],
    "git.listPullRequests": ["created_at", "description", "draft", "id", "merged_at", "number", "source_branch", "state", "target_branch", "title", "updated_at", "url", "user"],
    "git.listTags": ["commit_sha", "name"],
    "git.listBranches": ["commit_sha", "name", "protected"],
    "git.listCommits": ["author", "author_email", "committed_at", "message", "sha", "url"]
  },
  "box": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "drive.listFiles": ["created_at", "id", "is_folder", "mime_type", "name", "parent_id", "size", "updated_at", "url"],
    "drive.getFile": ["created_at", "id", "is_folder", "mime_type", "name", "size", "updated_at", "url"]
  },
  "clickup": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "discord": {
    "identity.getMe": ["id", "name"],
    "chat.listUsers": ["avatar_url", "id", "is_bot", "name"],
    "chat.listChannels": ["id", "is_private", "name", "topic"],
    "chat.listMessages": ["author", "author.id", "author.name", "created_at", "id", "text", "thread_id", "url"]
  },
  "dropbox": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "drive.listFiles": ["id", "is_folder", "mime_type", "name", "parent_id", "size", "updated_at", "url"],
    "drive.getFile": ["id", "is_folder", "mime_type", "name", "size", "updated_at", "url"]
  },
  "freshdesk": {
    "identity.getMe": ["email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "helpdesk.listTickets": ["assignee", "assignee.id", "created_at", "description", "id", "priority", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.getTicket": ["created_at", "description", "id", "priority", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.listComments": ["author", "author.id", "created_at", "id", "is_public", "text"],
    "helpdesk.listCustomers": ["email", "id", "name"]
  },
  "front": {
    "identity.getMe": ["id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "id", "status", "title", "updated_at", "url"],
    "helpdesk.listTickets": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.getTicket": ["created_at", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.listComments": ["author", "author.id", "author.name", "created_at", "id", "is_public", "text"],
    "helpdesk.listCustomers": ["email", "id", "name"]
  },
  "gitea": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "git.listRepositories": ["created_at", "default_branch", "description", "full_name", "id", "is_private", "name", "pushed_at", "updated_at", "url"],
    "git.listPullRequests": ["created_at", "description", "draft", "id", "merged_at", "number", "source_branch", "state", "target_branch", "title", "updated_at", "url", "user"],
    "git.listIssues": ["assignees", "closed_at", "created_at", "description", "id", "labels", "number", "state", "title", "updated_at", "url", "user"],
    "git.listTags": ["commit_sha", "name"],
    "git.listReleases": ["created_at", "description", "id", "name", "prerelease", "released_at", "tag_name", "url"],
    "git.listBranches": ["commit_sha", "name", "protected"],
    "git.listCommits": ["author", "author_email", "committed_at", "message", "sha", "url"],
    "git.listIssueComments": ["author", "author.id", "author.name", "created_at", "id", "text", "url"]
  },
  "github": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "git.listRepositories": ["created_at", "default_branch", "description", "full_name", "id", "is_private", "name", "pushed_at", "updated_at", "url"],
    "git.listPullRequests": ["created_at", "description", "draft", "id", "merged_at", "number", "source_branch", "state", "target_branch", "title", "updated_at", "url", "user"],
    "git.listIssues": ["assignees", "closed_at", "created_at", "description", "id", "labels", "number", "state", "title", "updated_at", "url", "user"],
    "git.listTags": ["commit_sha", "name"],
    "git.listReleases": ["created_at", "description", "id", "name", "prerelease", "released_at", "tag_name", "url"],
    "git.listBranches": ["commit_sha", "name", "protected"],
    "git.listCommits": ["author", "author_email", "committed_at", "message", "sha", "url"],
    "git.listIssueComments": ["author", "author.id", "author.name", "created_at", "id", "text", "url"]
  },
  "gitlab": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "git.listRepositories": ["created_at", "default_branch", "description", "full_name", "id", "is_private", "name", "pushed_at", "updated_at", "url"],
    "git.listPullRequests": ["created_at", "description", "draft", "id", "merged_at", "number", "source_branch", "state", "target_branch", "title", "updated_at", "url", "user"],
    "git.listIssues": ["assignees", "closed_at", "created_at", "description", "id", "labels", "number", "state", "title", "updated_at", "url", "user"],
    "git.listTags": ["commit_sha", "name"],
    "git.listReleases": ["created_at", "description", "id", "name", "prerelease", "released_at", "tag_name", "url"],
    "git.listBranches": ["commit_sha", "name", "protected"],
    "git.listCommits": ["author", "author_email", "committed_at", "message", "sha", "url"],
    "git.listIssueComments": ["author", "author.id", "author.name", "created_at", "id", "text", "url"]
  },
  "google-calendar": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "calendar.listCalendars": ["id", "is_primary", "name", "time_zone"],
    "calendar.listEvents": ["attendees", "attendees.email", "attendees.name", "attendees.response", "calendar_id", "created_at", "description", "end_date", "id", "is_all_day", "location", "organizer", "organizer.email", "recurring_event_id", "start_date", "status", "time_zone", "title", "updated_at", "url"]
  },
  "google-chat": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "chat.listUsers": ["avatar_url", "email", "id", "is_bot", "name"],
    "chat.listChannels": ["id", "is_private", "name", "topic"],
    "chat.listMessages": ["author", "author.id", "created_at", "id", "text", "thread_id"]
  },
  "google-drive": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "drive.listFiles": ["created_at", "id", "is_folder", "mime_type", "name", "parent_id", "size", "updated_at", "url"],
    "drive.getFile": ["created_at", "id", "is_folder", "mime_type", "name", "size", "updated_at", "url"]
  },
  "help-scout": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "helpdesk.listTickets": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.getTicket": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.listComments": ["author", "author.id", "author.name", "created_at", "id", "is_public", "text"],
    "helpdesk.listCustomers": ["email", "id", "name"]
  },
  "hubspot": {
    "identity.getMe": ["id"],
    "crm.listContacts": ["company_id", "created_at", "email", "first_name", "id", "last_name", "name", "phone", "updated_at", "url"],
    "crm.listCompanies": ["created_at", "id", "name", "phone", "updated_at", "url", "website"],
    "crm.listDeals": ["amount", "closes_at", "company_id", "created_at", "currency", "id", "name", "stage", "updated_at", "url"]
  },
  "intercom": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "helpdesk.listTickets": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "updated_at", "url"],
    "helpdesk.getTicket": ["created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "updated_at", "url"],
    "helpdesk.listComments": ["author", "author.id", "author.name", "created_at", "id", "is_public", "text"],
    "helpdesk.listCustomers": ["email", "id", "name"]
  },
  "jira": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "due_at", "id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "linear": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["created_at", "description", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "mattermost": {
    "identity.getMe": ["email", "id", "name"],
    "chat.listUsers": ["email", "id", "is_bot", "name"],
    "chat.listChannels": ["id", "is_private", "name", "topic"],
    "chat.listMessages": ["author", "author.id", "author.name", "created_at", "id", "text", "thread_id", "url"]
  },
  "monday": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "created_at", "due_at", "id", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "notion": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "due_at", "id", "labels", "parent_id", "priority", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "created_at", "due_at", "id", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "onedrive": {
    "identity.getMe": ["email", "id", "name"],
    "drive.listFiles": ["created_at", "id", "is_folder", "mime_type", "name", "parent_id", "size", "updated_at", "url"],
    "drive.getFile": ["created_at", "id", "is_folder", "mime_type", "name", "parent_id", "size", "updated_at", "url"]
  },
  "outlook-calendar": {
    "identity.getMe": ["email", "id", "name"],
    "calendar.listCalendars": ["id", "is_primary", "name"],
    "calendar.listEvents": ["attendees", "attendees.email", "attendees.name", "attendees.response", "calendar_id", "created_at", "description", "end_date", "id", "is_all_day", "location", "organizer", "organizer.email", "organizer.name", "recurring_event_id", "start_date", "status", "time_zone", "title", "updated_at", "url"]
  },
  "pipedrive": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "crm.listContacts": ["company_id", "created_at", "email", "first_name", "id", "last_name", "name", "phone", "updated_at", "url"],
    "crm.listCompanies": ["created_at", "id", "name", "updated_at", "url", "website"],
    "crm.listDeals": ["amount", "closes_at", "company_id", "created_at", "currency", "id", "name", "stage", "updated_at", "url"]
  },
  "salesforce": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "crm.listContacts": ["company_id", "created_at", "email", "first_name", "id", "last_name", "name", "phone", "updated_at", "url"],
    "crm.listCompanies": ["created_at", "id", "name", "phone", "updated_at", "url", "website"],
    "crm.listDeals": ["amount", "closes_at", "company_id", "created_at", "id", "name", "stage", "updated_at", "url"]
  },
  "shortcut": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "completed_at", "created_at", "description", "due_at", "id", "labels", "parent_id", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["created_at", "description", "id", "labels", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "slack": {
    "identity.getMe": ["avatar_url", "id", "name"],
    "chat.listUsers": ["avatar_url", "email", "id", "is_bot", "name"],
    "chat.listChannels": ["id", "is_private", "name", "topic"],
    "chat.listMessages": ["author", "author.id", "author.name", "created_at", "id", "text", "thread_id"]
  },
  "teams": {
    "identity.getMe": ["email", "id", "name"],
    "chat.listUsers": ["email", "id", "is_bot", "name"],
    "chat.listChannels": ["id", "is_private", "name", "topic"],
    "chat.listMessages": ["author", "author.id", "author.name", "created_at", "id", "text", "url"]
  },
  "trello": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.listProjects": ["description", "id", "name", "url"],
    "tasks.listTasks": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "due_at", "id", "labels", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.getTask": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "due_at", "id", "labels", "project_id", "status", "status_category", "title", "updated_at", "url"],
    "tasks.listProjects": ["description", "id", "name", "url"],
    "tasks.listComments": ["author", "author.id", "author.name", "created_at", "id", "text"]
  },
  "zendesk": {
    "identity.getMe": ["avatar_url", "email", "id", "name"],
    "ticketing.listTickets": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "ticketing.getTicket": ["created_at", "description", "id", "status", "title", "updated_at", "url"],
    "helpdesk.listTickets": ["assignee", "assignee.id", "assignee.name", "created_at", "description", "id", "priority", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.getTicket": ["created_at", "description", "id", "requester", "requester.email", "requester.id", "requester.name", "status", "status_category", "subject", "tags", "updated_at", "url"],
    "helpdesk.listComments": ["author", "author.id", "author.name", "created_at", "id", "is_public", "text"],
    "helpdesk.listCustomers": ["email", "id", "name"]
  },
  "zoho": {
    "identity.getMe": ["email", "id", "name"],
    "crm.listContacts": ["company_id", "created_at", "email", "first_name", "id", "last_name", "name", "phone", "updated_at", "url"],
    "crm.listCompanies": ["created_at", "id", "name", "phone", "updated_at", "url", "website"],
    "crm.listDeals": ["amount", "closes_at", "company_id", "created_at", "currency", "id", "name", "stage", "updated_at", "url"]
  }
};
