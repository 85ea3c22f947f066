// The guides as web pages: all of docs is there, and every link of every page leads somewhere.
import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guideGroups } from "../../src/surfaces/docs/guides.ts";
import { startService, type TestService } from "../support/service.ts";

const folder = join(import.meta.dirname, "../../docs");
const names = globSync("**/*.md", { cwd: folder }).map((file) => file.replace(/\.md$/, ""));

let service: TestService;
const pages = new Map<string, string>();
beforeAll(async () => {
  service = await startService();
  for (const name of names) {
    const response = await fetch(`${service.url}/docs/guides/${name}`);
    expect([name, response.status]).toEqual([name, 200]);
    pages.set(`/docs/guides/${name}`, await response.text());
  }
});
afterAll(() => service.close());

describe("the guides", () => {
  it("every guide is in the menu, and every page of a provider is linked from their list", () => {
    const listed = guideGroups.flatMap(([, members]) => [...members]);
    expect(listed.toSorted()).toEqual(names.filter((name) => !/^providers\/(?!README)/.test(name)).toSorted());
    const list = pages.get("/docs/guides/providers/README")!;
    for (const name of names) if (name.startsWith("providers/")) expect(list).toContain(`href="/docs/guides/${name}"`);
  });

  it("every link of every guide leads to a page and a heading that exist", async () => {
    const broken: string[] = [];
    const others = new Set<string>();
    for (const [page, html] of pages)
      for (const [, path = "", anchor] of html.matchAll(/(?:href|src)="(\/[^"#]*)(?:#([^"]*))?"/g)) {
        const target = pages.get(path);
        if (target === undefined) others.add(path);
        else if (anchor && !target.includes(` id="${anchor}"`)) broken.push(`${page}: ${path}#${anchor}`);
      }
    expect(broken).toEqual([]);
    for (const path of others) expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200]);
    expect(others).toContain("/docs/guides/performance.svg");
    expect([...others].filter((path) => path.endsWith(".md"))).toEqual([]);
  });

  it("a guide has its language, its title, its menu and the way to the dashboard and the reference", () => {
    const html = pages.get("/docs/guides/events")!;
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(/<title>Events[^<]* · Plugboard<\/title>/);
    expect(html).toContain('<a href="/docs/guides/events" aria-current="page">');
    for (const path of ["/dashboard", "/docs"]) expect(html).toContain(`<a href="${path}">`);
  });

  it("code of a guide is shown and never run, and a link to a file that is no guide is only text", () => {
    const connecting = pages.get("/docs/guides/connecting")!;
    expect(connecting).toContain("&lt;script type=&quot;module&quot;&gt;");
    for (const html of pages.values()) expect(html).not.toContain("<script");
    for (const html of pages.values()) expect(html).not.toContain("&lt;!-- ");
  });

  it("the address of the guides leads to the first, and nothing but guides and their images is served", async () => {
    const start = await fetch(`${service.url}/docs/guides`, { redirect: "manual" });
    expect([start.status, start.headers.get("location")]).toEqual([302, "/docs/guides/quickstarts"]);
    for (const path of ["nothing", "events.md", "../package", "..%2FREADME", "providers", "%2e%2e%2fREADME", "images"])
      expect([path, (await fetch(`${service.url}/docs/guides/${path}`)).status]).toEqual([path, 404]);
    const page = await fetch(`${service.url}/docs/guides/events`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("without a dashboard, the guides do not lead to one", async () => {
    const plain = await startService({ env: { DASHBOARD: "off" } });
    expect(await (await fetch(`${plain.url}/docs/guides/events`)).text()).not.toContain('href="/dashboard"');
    await plain.close();
  });
});
