import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Fields, signIn, type Visitor } from "./support/visitor.ts";

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  visitor = await signIn(service);
});
afterAll(() => service.close());

const decodeEntities = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const blockOf = (html: string, id: string) => {
  const found = new RegExp(`<pre id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1];
  return found === undefined ? undefined : decodeEntities(found);
};
const problemAt = (html: string, field: string) => new RegExp(`id="${field}-problem">([^<]*)<`).exec(html)?.[1];

const run = (provider: string, operation: string, fields: Fields, how = "send") =>
  visitor.post("/explorer", { connection: service.connections[provider]!, operation, do: how, ...fields });

describe("the explorer", () => {
  it("the explorer has a form for every operation of every provider, made from the table", async () => {
    for (const { manifest, categories } of providers) {
      const supported = categories.flatMap(({ category, operations }) =>
        Object.keys(operations).map((name) => `${category}.${name}`),
      );
      const { html, status } = await visitor.get(`/explorer?connection=${service.connections[manifest.id]}`);
      expect(status).toBe(200);
      for (const id of supported) expect(html, manifest.id).toContain(`<option value="${id}"`);
    }
    for (const operation of operations) {
      const provider = providers.find(({ categories }) =>
        categories.some(({ category, operations }) => category === operation.category && operation.name in operations),
      )!;
      const connection = service.connections[provider.manifest.id];
      const { html } = await visitor.get(`/explorer?connection=${connection}&operation=${operation.id}`);
      const expected = [
        ...operation.parameters.map(({ name }) => `params.${name}`),
        ...Object.keys(operation.body?.properties ?? {}).map((name) => `body.${name}`),
        ...Object.keys(operation.query).map((name) => `query.${name}`),
      ];
      for (const name of expected) expect(html, operation.id).toMatch(new RegExp(`<label for="${name}"`));
      expect(blockOf(html, "curl")).toContain("curl ");
      expect(blockOf(html, "sdk")).toContain("pb.connection(");
    }
  });

  it("the explorer shows the record and the provider's own answer side by side, and commands that do the same", async () => {
    const { html, status } = await run("github", "git.listRepositories", { "query.limit": "2" });
    expect(status).toBe(200);
    const normalized = JSON.parse(blockOf(html, "normalized")!);
    expect(normalized.data).toHaveLength(2);
    expect(JSON.parse(blockOf(html, "raw")!)[0]).toHaveProperty("full_name");
    const env = { ...process.env, API_KEY: service.apiKey };
    const { stdout } = await promisify(execFile)("bash", ["-c", blockOf(html, "curl")!], { env });
    expect(JSON.parse(stdout).response.data).toEqual(normalized.data);
    expect(blockOf(html, "sdk")).toContain('.git.repos.list({"limit":2})');
  });

  it("the explorer sends a message, and the call is in the request log with what it called", async () => {
    const channels = await run("slack", "chat.listChannels", { "query.limit": "1" });
    const { id } = JSON.parse(blockOf(channels.html, "normalized")!).data[0];
    const text = 'It\'s <b>live</b> & "quoted"\r\nsecond line';
    const { html, headers } = await run("slack", "chat.sendMessage", { "params.channel_id": id, "body.text": text });
    expect(blockOf(html, "normalized")).toContain("ok");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(html).not.toContain("<b>live</b>");

    await service.parts.requestLog.flush();
    const path = /href="\/dashboard(\/requests\?request_id=[^"]+)"/.exec(html)![1]!;
    const list = await visitor.get(path);
    expect(list.html.match(/href="\/dashboard\/requests\/log_/g)).toHaveLength(1);
    const entry = await visitor.get(/href="\/dashboard(\/requests\/log_\w+)"/.exec(list.html)![1]!);
    expect(entry.html).toContain(`/unified/v1/chat/channels/${id}/message`);
    expect(entry.html).toMatch(/POST <span class="mono">[^<]*chat\.postMessage</);
  });

  it("a dry run shows the upstream request without credentials and sends nothing", async () => {
    const sent = await requestsDuring(service, "slack", async () => {
      const { html } = await run(
        "slack",
        "chat.sendMessage",
        { "params.channel_id": "C1", "body.text": "hi" },
        "dry-run",
      );
      expect(blockOf(html, "planned-0")).toMatch(
        /^POST http\S+chat\.postMessage\n[\s\S]*Bearer \[redacted\][\s\S]*"hi"/,
      );
      expect(html).toContain("Nothing was sent");
    });
    expect(sent).toEqual([]);
  });

  it("what our validation refuses is shown next to the field, with what was entered", async () => {
    const missing = await run("slack", "chat.sendMessage", { "body.text": "" });
    expect([missing.status, problemAt(missing.html, "params.channel_id")]).toEqual([400, "is required"]);
    const empty = await run("slack", "chat.sendMessage", { "params.channel_id": "C1", "body.text": "" });
    expect([empty.status, problemAt(empty.html, "body.text")]).toEqual([400, expect.stringContaining("fewer than 1")]);
    const limit = await run("slack", "chat.listChannels", { "query.limit": "many" });
    expect(problemAt(limit.html, "query.limit")).toContain("must be integer");
    expect(limit.html).toContain('value="many"');
    const nested = await run("google-calendar", "calendar.createEvent", {
      "body.title": "x",
      "body.start_date": "2026-01-01",
      "body.end_date": "2026-01-02",
      "body.attendees": '[{"email": "nobody"}]',
    });
    expect(problemAt(nested.html, "body.attendees")).toContain("0.email: must match format");
  });

  it("a provider's refusal is shown as its own answer", async () => {
    await injectFault(service, { provider: "github", status: 422, times: 1 });
    const { html } = await run("github", "git.listRepositories", {});
    expect(html).toContain("The provider answered with 422. This is its own answer, unchanged.");
    expect(blockOf(html, "raw")).toContain("message");
  });

  it("values of path parameters are found through a link to the list that has them", async () => {
    const { html } = await visitor.get(`/explorer?connection=${service.connections.slack}&operation=chat.sendMessage`);
    const link = /href="\/dashboard(\/explorer\?[^"]+)">Find one/.exec(html)![1]!.replaceAll("&amp;", "&");
    expect((await visitor.get(link)).html).toContain("GET /v1/chat/channels<");
  });

  it("downloads and uploads are left to the command and the code", async () => {
    const { html } = await visitor.get(
      `/explorer?connection=${service.connections.dropbox}&operation=drive.downloadFile`,
    );
    expect(html).not.toContain('value="send"');
    expect(blockOf(html, "curl")).toContain("-o file");
  });
});

describe("the requests page", () => {
  it("the requests page filters by connection, status and surface, and says what to do if nothing matches", async () => {
    const connection = service.connections.linear!;
    await run("linear", "identity.getMe", {});
    await service.parts.requestLog.flush();
    const own = await visitor.get(`/requests?connection_id=${connection}&surface=unified&status=2xx`);
    expect(own.html).toContain("/unified/v1/me");
    const none = await visitor.get(`/requests?connection_id=${connection}&status=5xx`);
    expect(none.html).toContain("No request matches");
    expect((await visitor.get("/requests?status=nonsense")).status).toBe(400);
    expect((await visitor.get("/requests/log_unknown")).status).toBe(404);
  });
});
