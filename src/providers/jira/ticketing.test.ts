import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { DiscoverContext } from "../../contracts/manifest.ts";
import type { Upstream } from "../../contracts/upstream.ts";
import jira from "./manifest.ts";
import jiraTicketing, { type JiraIssue, type JiraPage, toTicket } from "./ticketing.ts";

const issue: JiraIssue = {
  id: "10002",
  key: "ED-1",
  fields: {
    summary: "Grüße 👋",
    status: { name: "In Prüfung" },
    description: {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "Main flow broken" }] }],
    },
    created: "2026-04-28T15:33:15.438+0200",
    updated: "2026-04-29T00:03:00.000-0330",
  },
};
const bySite = { settings: { site: "acme" } };

describe("tickets", () => {
  test("a ticket has its status name, its description as text, and times in UTC from offsets without a colon", () => {
    expect(toTicket(issue, bySite)).toEqual({
      id: "10002",
      title: "Grüße 👋",
      status: "In Prüfung",
      url: "https://acme.atlassian.net/browse/ED-1",
      description: "Main flow broken",
      created_at: "2026-04-28T13:33:15.438Z",
      updated_at: "2026-04-29T03:33:00.000Z",
    });
  });

  test("a ticket of an OAuth connection links to the discovered site, whatever its domain", () => {
    const byOAuth = { settings: { cloud_id: "x", site_url: "https://acme.jira.com" } };
    expect(toTicket(issue, byOAuth).url).toBe("https://acme.jira.com/browse/ED-1");
  });

  test("a ticket can be made from empty fields and from fields that the client did not request", () => {
    const empty = { summary: null, status: null, description: null, created: "2026-01-01T00:00:00.000+0000" };
    expect(toTicket({ ...issue, fields: empty }, bySite)).toMatchObject({
      title: "ED-1",
      status: "",
      description: null,
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect(toTicket({ id: "10002" }, bySite)).toMatchObject({ id: "10002", title: "10002", description: null });
  });
});

test("a page without a token, or marked as the last, has no next page", () => {
  const { next } = jiraTicketing.operations.listTickets as AnyList;
  const nextOf = (page: Omit<JiraPage, "issues">) =>
    next({ status: 200, headers: {}, body: { issues: [], ...page } }, {} as AnyPageContext) ?? null;
  expect(nextOf({ isLast: false, nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ isLast: true })).toBeNull();
  expect(nextOf({ isLast: true, nextPageToken: "abc" })).toBeNull();
  expect(nextOf({})).toBeNull();
});

describe("discovery of the site", () => {
  const site = (id: string, name: string, scopes = ["read:jira-work"]) => ({
    id,
    url: `https://${name}.atlassian.net`,
    name,
    scopes,
  });
  const discover = (sites: object[], context: Partial<DiscoverContext> = {}) => {
    const upstream = (async () => ({ status: 200, headers: {}, body: sites })) as unknown as Upstream;
    return jira.discover(upstream, { auth: "oauth2", settings: {}, ...context });
  };

  test("discovery chooses the first site that has Jira", async () => {
    const confluence = site("a", "docs", ["read:confluence-content.all"]);
    expect(await discover([confluence, site("b", "acme"), site("c", "other")])).toEqual({
      cloud_id: "b",
      site_url: "https://acme.atlassian.net",
    });
  });

  test("discovery chooses the site that the connection names", async () => {
    const sites = [site("b", "acme"), site("c", "other")];
    const other = { cloud_id: "c", site_url: "https://other.atlassian.net" };
    expect(await discover(sites, { settings: { cloud_id: "c" } })).toEqual(other);
    expect(await discover(sites, { settings: { site_url: "https://other.atlassian.net" } })).toEqual(other);
    expect(await discover(sites, { settings: { cloud_id: "z" } })).toEqual({});
  });

  test("discovery returns nothing if there is no site, and sends no request for an API token", async () => {
    expect(await discover([])).toEqual({});
    const never = () => Promise.reject(new Error("unexpected request"));
    expect(await jira.discover(never, { auth: "basic", settings: { site: "acme" } })).toEqual({});
  });
});
