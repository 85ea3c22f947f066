import { describe, expect, it } from "vitest";
import { coversType } from "../contracts/events.ts";
import { eventTypes, recordEventType } from "./event-types.ts";
import { operations } from "./index.ts";

describe("event types", () => {
  it("event types name the record of every list in the singular", () => {
    const lists = operations.filter(({ kind }) => kind === "list");
    const names = Object.fromEntries(lists.map((list) => [list.id, recordEventType(list, "updated")]));
    expect(names).toEqual({
      "chat.listUsers": "chat.user.updated",
      "chat.listChannels": "chat.channel.updated",
      "chat.listMessages": "chat.message.updated",
      "git.listRepositories": "git.repository.updated",
      "git.listPullRequests": "git.pull_request.updated",
      "git.listIssues": "git.issue.updated",
      "git.listTags": "git.tag.updated",
      "git.listReleases": "git.release.updated",
      "git.listBranches": "git.branch.updated",
      "git.listCommits": "git.commit.updated",
      "git.listIssueComments": "git.issue_comment.updated",
      "ticketing.listTickets": "ticketing.ticket.updated",
      "ticketing.listProjects": "ticketing.project.updated",
      "tasks.listTasks": "tasks.task.updated",
      "tasks.listProjects": "tasks.project.updated",
      "tasks.listComments": "tasks.comment.updated",
      "helpdesk.listTickets": "helpdesk.ticket.updated",
      "helpdesk.listComments": "helpdesk.comment.updated",
      "helpdesk.listCustomers": "helpdesk.customer.updated",
      "crm.listContacts": "crm.contact.updated",
      "crm.listCompanies": "crm.company.updated",
      "crm.listDeals": "crm.deal.updated",
      "drive.listFiles": "drive.file.updated",
      "calendar.listCalendars": "calendar.calendar.updated",
      "calendar.listEvents": "calendar.event.updated",
    });
  });

  it("the event types are Plugboard's own and three for each kind of record", () => {
    const types = eventTypes(operations);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toContain("connection.invalid");
    expect(types.filter((type) => type.startsWith("git.issue."))).toEqual([
      "git.issue.created",
      "git.issue.updated",
      "git.issue.deleted",
    ]);
  });

  it("an event type is matched by itself, by its prefixes, and by a star", () => {
    const type = "git.issue.created";
    for (const pattern of [type, "git.issue.*", "git.*", "*"]) expect(coversType(pattern, type), pattern).toBe(true);
    for (const pattern of [
      "git.issue",
      "git.iss*",
      "git",
      "gi.*",
      "**",
      "*.created",
      "crm.*",
      "git.issue.created.*",
      "",
    ])
      expect(coversType(pattern, type), pattern).toBe(false);
  });
});
