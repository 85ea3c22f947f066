// The providers' official clients through the Proxy, against the sandbox. They only get another address and credential.
import { Octokit } from "@octokit/rest";
import { WebClient } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

/** Key and connection as one credential, for clients that only take a token. */
const credential = (provider: string) => `${service.apiKey}.${service.connections[provider]}`;

const unified = async (provider: string, path: string): Promise<any[]> => {
  const records: any[] = [];
  for (let after = ""; ; ) {
    const response = await fetch(`${service.url}/unified/v1${path}?limit=100${after && `&after=${after}`}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections[provider]! },
    });
    const { data, metadata } = ((await response.json()) as any).response;
    records.push(...data);
    if (metadata.next === null) return records;
    after = metadata.next;
  }
};

it.each(providers.map(({ manifest }) => [manifest.id, manifest.check] as const))(
  "%s answers its credential check through the Proxy",
  async (id, { to = "api", method, path, query, locked, body, headers }) => {
    const parameters = Object.entries({ ...query, ...locked }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const response = await fetch(`${service.url}/proxy/@${to}${path}?${new URLSearchParams(parameters)}`, {
      method,
      headers: {
        authorization: `Bearer ${credential(id)}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/./)]);
  },
);

describe("@octokit/rest", () => {
  const client = () => new Octokit({ baseUrl: `${service.url}/proxy`, auth: credential("github") });

  it("@octokit/rest reads data and rate limit headers through the Proxy", async () => {
    const { data, headers, status } = await client().rest.users.getAuthenticated();
    expect([status, data.login, headers["x-ratelimit-limit"]]).toEqual([200, expect.any(String), "5000"]);
  });

  it("@octokit/rest reads a list to its end by the provider's links, always through the Proxy", async () => {
    const octokit = client();
    let names: string[] = [];
    const seen = await requestsDuring(service, "github", async () => {
      const repositories = await octokit.paginate(octokit.rest.repos.listForAuthenticatedUser, { per_page: 100 });
      names = repositories.map(({ full_name }) => full_name);
    });
    expect(names).toEqual((await unified("github", "/git/repos")).map(({ full_name }) => full_name));
    expect(names.length).toBeGreaterThan(250);
    expect(seen).toHaveLength(Math.ceil(names.length / 100));
    // Always the connection's token, of which the recorder shows the end, and never the client's credential.
    const { connection } = (await service.parts.store.connections.load(service.connections.github!))!;
    const shown = `Bearer ***${connection.credentials.token!.slice(-4)}`;
    expect([...new Set(seen.map(({ headers }) => headers.authorization))]).toEqual([shown]);
  });

  it("@octokit/rest throws the provider's own errors", async () => {
    await expect(client().rest.repos.get({ owner: "nobody", repo: "nothing" })).rejects.toMatchObject({
      status: 404,
      response: { data: { message: "Not Found", documentation_url: expect.any(String) } },
    });
  });
});

describe("@slack/web-api", () => {
  const client = () => new WebClient(credential("slack"), { slackApiUrl: `${service.url}/proxy/` });

  it("@slack/web-api reads and sends, with the connection in the credential or in a header", async () => {
    const byHeader = new WebClient(service.apiKey, {
      slackApiUrl: `${service.url}/proxy/`,
      headers: { "SVC-Connection-ID": service.connections.slack! },
    });
    for (const slack of [client(), byHeader]) {
      expect(await slack.auth.test()).toMatchObject({ ok: true, user_id: expect.any(String) });
      const { channels } = await slack.conversations.list({ limit: 1 });
      const sent = await slack.chat.postMessage({ channel: channels![0]!.id!, text: "Grüße 👋 & <more>" });
      expect(sent).toMatchObject({ ok: true, channel: channels![0]!.id, ts: expect.any(String) });
    }
  });

  it("@slack/web-api reads a list to its end", async () => {
    const slack = client();
    const names: string[] = [];
    for await (const page of slack.paginate("conversations.list", {
      limit: 100,
      types: "public_channel,private_channel",
    }))
      for (const channel of (page as any).channels) names.push(channel.name);
    expect(names.length).toBeGreaterThan(250);
    expect(new Set(names).size).toBe(names.length);
    const known = (await unified("slack", "/chat/channels")).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(known));
  });

  it("@slack/web-api throws the provider's own errors", async () => {
    await expect(client().conversations.history({ channel: "C0NOTHERE0" })).rejects.toMatchObject({
      data: { ok: false, error: "channel_not_found" },
    });
  });
});
