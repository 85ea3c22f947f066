import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulated, serveEmulated } from "../../../../test/support/emulated.ts";
import manifest from "../manifest.ts";
import emulator from "./index.ts";

let graph: Emulated;
let channel: string;
beforeAll(async () => {
  graph = await serveEmulated(manifest, emulator);
  const [team] = (await graph.call("/v1.0/me/joinedTeams")).body.value;
  const [first] = (await graph.call(`/v1.0/teams/${team.id}/channels`)).body.value;
  channel = `/v1.0/teams/${team.id}/channels/${encodeURIComponent(first.id)}`;
});
afterAll(() => graph.close());

/** Follows the links exactly as they are given. */
async function walk(path: string): Promise<any[]> {
  const all: any[] = [];
  for (let link: string | undefined = path; link; ) {
    const { status, body } = await graph.call(link);
    expect(status).toBe(200);
    all.push(...body.value);
    link = body["@odata.nextLink"]?.replace(graph.address, "");
  }
  return all;
}

const error = (code: string) => ({ error: { code, innerError: { "request-id": expect.any(String) } } });

describe("the emulated API", () => {
  test("following the links lists every user and every message once", async () => {
    for (const path of ["/v1.0/users?$top=70", `${channel}/messages?$top=50`, `${channel}/messages`]) {
      const all = await walk(path);
      expect(all.length).toBeGreaterThan(250);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    }
  });

  test("the emulator sorts messages by last modification and refuses any other order", async () => {
    const all = await walk(`${channel}/messages?$top=50`);
    const changes = all.map(({ lastModifiedDateTime }) => lastModifiedDateTime);
    expect(changes).toEqual(changes.toSorted().reverse());
    const created = all.map(({ createdDateTime }) => createdDateTime);
    expect(created).not.toEqual(created.toSorted().reverse());
    expect(await graph.call(`${channel}/messages?$orderby=createdDateTime`)).toMatchObject({
      status: 400,
      body: error("BadRequest"),
    });
  });

  test("the emulator refuses page sizes that are too large, and any page size for channels", async () => {
    for (const path of [`${channel}/messages?$top=51`, "/v1.0/users?$top=1000", `${channel.split("/19")[0]}?$top=5`])
      expect(await graph.call(path)).toMatchObject({ status: 400, body: error("BadRequest") });
  });

  test("the emulator returns the selected fields of a channel", async () => {
    const { body } = await graph.call(`${channel.split("/19")[0]}?$select=id,displayName`);
    expect(Object.keys(body.value[0])).toEqual(["id", "displayName"]);
  });

  test("the emulator refuses unknown teams and channels, an empty message and an unknown token", async () => {
    expect(await graph.call("/v1.0/teams/none/channels")).toMatchObject({ status: 404, body: error("NotFound") });
    expect(await graph.call(`${channel}x/messages`)).toMatchObject({ status: 404, body: error("NotFound") });
    expect(await graph.call(`${channel}/messages`, { body: {} })).toMatchObject({ status: 400 });
    expect(await graph.call("/v1.0/me", { headers: { authorization: "Bearer x" } })).toMatchObject({
      status: 401,
      body: error("InvalidAuthenticationToken"),
    });
  });

  test("a refresh returns a new refresh token, and the old one is refused with Entra's error", async () => {
    const refresh = (refresh_token: string) => {
      const fields = { grant_type: "refresh_token", client_id: "app", client_secret: "secret", refresh_token };
      return graph.call("/organizations/oauth2/v2.0/token", {
        body: new URLSearchParams(fields),
        headers: { authorization: "" },
      });
    };
    const old = graph.credentials.refresh_token!;
    const { body } = await refresh(old);
    expect(body.refresh_token).not.toBe(old);
    expect(await refresh(old)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant", error_description: expect.stringMatching(/^AADSTS/) },
    });
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});
