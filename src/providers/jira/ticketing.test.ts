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

describe("a ticket", () => {
  test("has the status's own name, the document as text, and times whose offset has no colon in UTC", () => {
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

  test("leads to the site that OAuth told of, whatever its domain", () => {
    const byOAuth = { settings: { cloud_id: "x", site_url: "https://acme.jira.com" } };
    expect(toTicket(issue, byOAuth).url).toBe("https://acme.jira.com/browse/ED-1");
  });

  test("survives fields that are empty, or that a client did not ask for", () => {
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

test("the last page has no token, or says that it is the last", () => {
  const { next } = jiraTicketing.operations.listTickets as AnyList;
  const nextOf = (page: Omit<JiraPage, "issues">) =>
    next({ status: 200, headers: {}, body: { issues: [], ...page } }, {} as AnyPageContext) ?? null;
  expect(nextOf({ isLast: false, nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ isLast: true })).toBeNull();
  expect(nextOf({ isLast: true, nextPageToken: "abc" })).toBeNull();
  expect(nextOf({})).toBeNull();
});

describe("the site of an account", () => {
  const site = (id: string, name: string, scopes = ["read:jira-work"]) => ({
    id,
    url: `https://${name}.atlassian.net`,
    name,
    scopes,
  });
  const found = (sites: object[], context: Partial<DiscoverContext> = {}) => {
    const upstream = (async () => ({ status: 200, headers: {}, body: sites })) as unknown as Upstream;
    return jira.discover(upstream, { auth: "oauth2", settings: {}, ...context });
  };

  test("is the first that has Jira", async () => {
    const confluence = site("a", "docs", ["read:confluence-content.all"]);
    expect(await found([confluence, site("b", "acme"), site("c", "other")])).toEqual({
      cloud_id: "b",
      site_url: "https://acme.atlassian.net",
    });
  });

  test("is the one that the connection names", async () => {
    const sites = [site("b", "acme"), site("c", "other")];
    const other = { cloud_id: "c", site_url: "https://other.atlassian.net" };
    expect(await found(sites, { settings: { cloud_id: "c" } })).toEqual(other);
    expect(await found(sites, { settings: { site_url: "https://other.atlassian.net" } })).toEqual(other);
    expect(await found(sites, { settings: { cloud_id: "z" } })).toEqual({});
  });

  test("is not asked for where there is none, or where an API token names it", async () => {
    expect(await found([])).toEqual({});
    const never = () => Promise.reject(new Error("asked all the same"));
    expect(await jira.discover(never, { auth: "basic", settings: { site: "acme" } })).toEqual({});
  });
});
