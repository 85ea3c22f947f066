import { describe, expect, test } from "vitest";
import type { DiscoverContext } from "../../contracts/manifest.ts";
import type { Upstream } from "../../contracts/upstream.ts";
import jira from "./manifest.ts";

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
