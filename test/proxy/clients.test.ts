// Providers' own clients through the Proxy, to the sandbox: given its address and a credential, they notice nothing.
import { Octokit } from "@octokit/rest";
import { WebClient } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

/** Key and connection as one credential, for clients that take nothing but a token. */
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

/** Paths that reached the emulated provider while `work` ran. */
async function arrivals(provider: string, work: () => Promise<unknown>): Promise<any[]> {
  await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
  await work();
  return (await fetch(`${service.url}/sandbox/_requests?provider=${provider}`)).json() as Promise<any[]>;
}

// A check that goes to another address of the provider than its API's cannot be made through the Proxy.
const checked = providers.filter(({ manifest }) => manifest.check.to === "api");

it.each(checked.map(({ manifest }) => [manifest.id, manifest.check] as const))(
  "%s answers the call by which its credentials are checked",
  async (id, { method, path, query, locked, body, headers }) => {
    const parameters = Object.entries({ ...query, ...locked }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const response = await fetch(`${service.url}/proxy${path}?${new URLSearchParams(parameters)}`, {
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

  it("reads, with the headers that it looks at", async () => {
    const { data, headers, status } = await client().rest.users.getAuthenticated();
    expect([status, data.login, headers["x-ratelimit-limit"]]).toEqual([200, expect.any(String), "5000"]);
  });

  it("walks a list to its end by the links that the provider gives, always through the Proxy", async () => {
    const octokit = client();
    let names: string[] = [];
    const seen = await arrivals("github", async () => {
      const repositories = await octokit.paginate(octokit.rest.repos.listForAuthenticatedUser, { per_page: 100 });
      names = repositories.map(({ full_name }) => full_name);
    });
    expect(names).toEqual((await unified("github", "/git/repos")).map(({ full_name }) => full_name));
    expect(names.length).toBeGreaterThan(250);
    expect(seen).toHaveLength(Math.ceil(names.length / 100));
    // The connection's own token each time, of which the record shows the end, and never the client's credential.
    const { connection } = (await service.parts.store.connections.load(service.connections.github!))!;
    const shown = `Bearer ***${connection.credentials.token!.slice(-4)}`;
    expect([...new Set(seen.map(({ headers }) => headers.authorization))]).toEqual([shown]);
  });

  it("throws the provider's own errors", async () => {
    await expect(client().rest.repos.get({ owner: "nobody", repo: "nothing" })).rejects.toMatchObject({
      status: 404,
      response: { data: { message: "Not Found", documentation_url: expect.any(String) } },
    });
  });
});

describe("@slack/web-api", () => {
  const client = () => new WebClient(credential("slack"), { slackApiUrl: `${service.url}/proxy/` });

  it("reads and sends, with the connection in a header, too", async () => {
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

  it("walks a list to its end", async () => {
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

  it("throws the provider's own errors", async () => {
    await expect(client().conversations.history({ channel: "C0NOTHERE0" })).rejects.toMatchObject({
      data: { ok: false, error: "channel_not_found" },
    });
  });
});
