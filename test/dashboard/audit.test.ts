import { afterAll, beforeAll, expect, it } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { newLink, signIn, Visitor } from "./support/visitor.ts";

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  visitor = await signIn(service);
});
afterAll(() => service.close());

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const read = async (path: string) => textOf((await visitor.get(path)).html);

it("what is done in the dashboard is in the audit log, with who did it and from where", async () => {
  const { status } = await visitor.post("/settings", { name: "sandbox", redirect_uris: "", accent_color: "#1f5fbf" });
  expect(status).toBe(303);
  const page = await read("/audit");
  expect(page).toMatch(/plugboard dashboard Command workspace\.update accent_color ws_\w+ 127\.0\.0\.1/);
  expect(page).toMatch(/dashboard\.sign_in/);
  expect(page).toMatch(/dashboard\.create_link/);
});

it("signing in with a key, and signing out, are entries of that key", async () => {
  const { api_key, id } = (await createPlatform(service, service.apiKey)("POST", "/v1/api-keys", { name: "mine" }))
    .body;
  const other = new Visitor(service);
  await other.post("/sign-in", { api_key });
  await other.get("");
  await other.post("/sign-out");
  const page = await read(`/audit?actor=${id}`);
  expect(page).toMatch(/mine API key key_\w+ dashboard\.sign_out .* mine API key key_\w+ dashboard\.sign_in/);
});

it("a link that is used twice signs in once, and leaves one entry", async () => {
  const link = await newLink(service, "sandbox");
  const count = async () => (await read("/audit?action=dashboard.sign_in")).split("dashboard.sign_in").length;
  const before = await count();
  const tries = await Promise.all([1, 2, 3].map(() => new Visitor(service).post("/sign-in", { link })));
  expect(tries.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  expect(await count()).toBe(before + 1);
});

it("is searched by action, target and time, in pages; a wrong time is named next to its field", async () => {
  const platform = createPlatform(service, service.apiKey);
  for (let count = 0; count < 55; count++) await platform("POST", "/v1/connect-sessions", { external_id: "u" });
  const first = await visitor.get("/audit?action=connect_session.*");
  expect(first.html.match(/connect_session\.create/g)).toHaveLength(50);
  expect(first.html).not.toContain("aria-invalid");
  const next = /href="\/dashboard(\/audit[^"]*before=aud_\w+)"/.exec(first.html)![1]!.replaceAll("&amp;", "&");
  expect((await visitor.get(next)).html.match(/connect_session\.create/g)!.length).toBeGreaterThanOrEqual(5);
  expect(await read("/audit?action=connect_session.*&until=2020-01-01T00:00")).toContain("No entry matches");
  expect(await read("/audit?since=2020-01-01T00:00&action=dashboard.sign_in")).toContain("dashboard.sign_in");
  expect(await read("/audit?target=conn_none")).toContain("No entry matches");
  const wrong = await visitor.get("/audit?since=soon");
  expect(wrong.status).toBe(400);
  expect(wrong.html).toMatch(/id="since-problem">Must be a date and time/);
});
