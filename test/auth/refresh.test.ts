import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Provider } from "../../src/contracts/provider.ts";
import { type Answer, gate, type ScriptedProvider } from "./support/scripted-provider.ts";
import {
  HOUR,
  inMs,
  type ScriptedConnection,
  type ScriptedService,
  startScriptedService,
} from "./support/scripted-service.ts";
import { scripted } from "./support/toy-providers.ts";

const usual = scripted("usual");
const eager = scripted("eager", { refreshAhead: 300 });
const silent = scripted("silent", { lifetime: 1800 });

let setup: ScriptedService;
let provider: ScriptedProvider;
let addConnection: ScriptedService["addConnection"];
beforeAll(async () => {
  setup = await startScriptedService([usual, eager, silent]);
  ({ provider, addConnection } = setup);
});
afterAll(() => setup.close());
beforeEach(() => provider.reset());

/** How many refreshes have ended so far, by outcome. */
async function countRefreshes() {
  const text = await (await fetch(`${setup.service.url}/metrics`)).text();
  const counts = { renewed: 0, refused: 0, failed: 0 };
  for (const [, outcome, count] of text.matchAll(/^plugboard_token_refreshes_total\{.*outcome="(\w+)".*\} (\d+)$/gm))
    counts[outcome as keyof typeof counts] += Number(count);
  return counts;
}

const connectionLost = { status: 404, body: { errors: [{ code: 7002 }] } };

describe("when a token is refreshed", () => {
  it.each([
    ["is refreshed 60 seconds ahead", usual, 50_000, 1],
    ["is not refreshed earlier", usual, 70_000, 0],
    ["is refreshed as early as the manifest says", eager, 290_000, 1],
    ["is not refreshed earlier than the manifest says", eager, 310_000, 0],
  ])("a token %s", async (_, of, expiresInMs, requests) => {
    provider.onToken(() => provider.grant());
    const connection = await addConnection(of, expiresInMs);
    expect((await connection.call()).status).toBe(200);
    expect((await connection.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(requests);
  });

  it("a short-lived token is refreshed at most once in half of its lifetime", async () => {
    provider.onToken(() => provider.grant({ expires_in: 20 }));
    const connection = await addConnection(usual, -1000);
    for (let calls = 0; calls < 5; calls++) expect((await connection.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("a refreshed token is stored before it is used", async () => {
    provider.onToken(() => provider.grant());
    const connection = await addConnection(usual, -1000);
    const seen: unknown[] = [];
    provider.onCall(async () => void seen.push((await connection.stored())?.credentials));
    expect((await connection.call()).status).toBe(200);
    expect(seen).toEqual([{ token: provider.calls[0], refresh_token: expect.stringMatching(/^refresh-[1-9]/) }]);
    expect(await connection.stored()).toMatchObject({ is_valid: true, refreshed_at: expect.any(String) });
  });

  it("the old refresh token is kept if the answer has no new one", async () => {
    for (const refresh_token of [undefined, null, ""]) {
      provider.reset();
      provider.onToken(() => provider.grant({ refresh_token }));
      const connection = await addConnection(usual, -1000);
      expect((await connection.call()).status).toBe(200);
      expect((await connection.stored())?.credentials.refresh_token).toBe("refresh-0");
      await connection.change({ expires_at: inMs(-1000) });
      expect((await connection.call()).status).toBe(200);
      expect(provider.tokenRequests.map((fields) => fields.get("refresh_token"))).toEqual(["refresh-0", "refresh-0"]);
    }
  });

  it("calls succeed after one refresh if the provider returns the same access token again", async () => {
    provider.onToken(() => provider.grant({ access_token: "access-0" }));
    const connection = await addConnection(usual, -1000);
    const answers = await Promise.all(Array.from({ length: 20 }, connection.call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("a token that the provider refuses before its expiry is refreshed once for 20 calls", async () => {
    provider.onToken(() => provider.grant());
    const connection = await addConnection(usual, HOUR);
    provider.acceptedTokens.delete("access-0");
    const answers = await Promise.all(Array.from({ length: 20 }, connection.call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("a token is not refreshed repeatedly if the new one is refused as well", async () => {
    provider.onToken(() => {
      const answer = provider.grant();
      provider.acceptedTokens.clear();
      return answer;
    });
    const connection = await addConnection(usual, HOUR);
    provider.acceptedTokens.clear();
    for (let calls = 0; calls < 5; calls++) expect((await connection.call()).status).toBe(401);
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

describe("the expiry of a token", () => {
  it.each<[string, Provider, Record<string, unknown>, number | null]>([
    ["comes from the answer", usual, { expires_in: 7200 }, 7200],
    ["may be text", usual, { expires_in: "7200" }, 7200],
    ["comes from the answer even if the manifest has a lifetime", silent, { expires_in: 7200 }, 7200],
    ["comes from the manifest if the answer has none", silent, { expires_in: undefined }, 1800],
    ["is null if neither the answer nor the manifest has one", usual, { expires_in: undefined }, null],
    ["is null for zero", usual, { expires_in: 0 }, null],
    ["is null for a negative number", usual, { expires_in: -5 }, null],
    ["is null for words", usual, { expires_in: "soon" }, null],
    ["is capped at ten years", usual, { expires_in: 1e300 }, 315_360_000],
  ])("the expiry of a token %s", async (_, of, more, seconds) => {
    provider.onToken(() => provider.grant(more));
    const connection = await addConnection(of, -1000);
    expect((await connection.call()).status).toBe(200);
    const { expires_at, refreshed_at } = (await connection.stored())!;
    if (seconds === null) return expect(expires_at).toBeNull();
    const lifetime = (Date.parse(expires_at!) - Date.parse(refreshed_at!)) / 1000;
    expect(Math.round(lifetime)).toBe(seconds);
  });

  it("an expired token without a refresh token makes calls fail with 404", async () => {
    const connection = await addConnection(usual, -1000, null);
    expect(await connection.call()).toMatchObject(connectionLost);
    expect(provider.tokenRequests).toHaveLength(0);
  });
});

describe("a refresh that is refused permanently", () => {
  it.each(["invalid_grant", "bad_refresh_token", "INVALID_REFRESH_TOKEN", "token_revoked", "interaction_required"])(
    "the error %s makes the connection invalid and is stored as the reason",
    async (error) => {
      provider.onToken(() => ({ status: 400, body: { error, error_description: "The grant is gone" } }));
      const connection = await addConnection(usual, -1000);
      const before = await countRefreshes();
      const invalidate = vi.spyOn(setup.service.parts.coordination, "invalidate");
      onTestFinished(() => invalidate.mockRestore());
      const answer = await connection.call();
      // Other processes must not use it either.
      expect(invalidate).toHaveBeenCalledWith("connection", connection.id);
      expect(await countRefreshes()).toEqual({ ...before, refused: before.refused + 1 });
      expect(answer).toMatchObject(connectionLost);
      expect(answer.body.errors[0].detail).toMatch(/The grant is gone.*connect again/);
      expect(await connection.stored()).toMatchObject({
        is_valid: false,
        invalid_reason: `${error.toLowerCase()}: The grant is gone`,
      });
      // The provider is not asked again.
      expect(await connection.call()).toMatchObject(connectionLost);
      expect(provider.tokenRequests).toHaveLength(1);
    },
  );

  it.each([
    ["expires soon", 30_000],
    ["the provider refuses", HOUR],
  ])("a permanently refused refresh ends a connection whose token %s", async (_, expiresInMs) => {
    provider.onToken(() => ({ status: 400, body: { error: "invalid_grant" } }));
    const connection = await addConnection(usual, expiresInMs);
    if (expiresInMs === HOUR) provider.acceptedTokens.clear();
    for (let calls = 0; calls < 3; calls++) expect(await connection.call()).toMatchObject(connectionLost);
    expect(await connection.stored()).toMatchObject({ is_valid: false });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it.each([
    "The token refresh-0-and-more is void",
    'Token "refresh-0-and-more" was used',
    "token=refresh-0-and-more&x=1",
    "Unknown token refresh-0-and-m…",
    "refresh-0-and-more",
  ])("a refresh token quoted in the provider's error is not shown: %s", async (error_description) => {
    provider.onToken(() => ({ status: 400, body: { error: "invalid_grant", error_description } }));
    const connection = await addConnection(usual, -1000, "refresh-0-and-more");
    const { body } = await connection.call();
    const { invalid_reason } = (await connection.stored())!;
    expect(invalid_reason).toContain("invalid_grant");
    for (const text of [JSON.stringify(body), invalid_reason!, setup.service.logs()])
      expect(text.includes("refresh-0-and-m")).toBe(false);
  });
});

describe("a refresh that fails temporarily", () => {
  const failures: Record<string, () => Answer> = {
    "status 500": () => ({ status: 500 }),
    "status 503 with a page": () => ({ status: 503, body: "<html>" }),
    "status 429": () => ({ status: 429 }),
    "a connection that breaks": () => ({ drop: true }),
    "a success without a token": () => ({ body: { hello: "world" } }),
    "a success that is not JSON": () => ({ body: "hello" }),
    "a token that fits in no header": () => ({ body: { access_token: "a\r\nb" } }),
    "a client that is not known": () => ({ status: 401, body: { error: "invalid_client" } }),
    "a request that the provider calls invalid": () => ({ status: 400, body: { error: "invalid_request" } }),
    "invalid_grant from a broken server": () => ({ status: 502, body: { error: "invalid_grant" } }),
  };

  /** Checks every failure at once, each on its own connection. */
  function forEachFailure(
    expiresInMs: number,
    check: (connection: ScriptedConnection, requests: () => number, recover: () => void) => Promise<void>,
  ) {
    const recovered = new Set<string>();
    const requestsOf = (name: string) =>
      provider.tokenRequests.filter((fields) => fields.get("refresh_token") === name).length;
    provider.onToken((fields) => {
      const name = fields.get("refresh_token")!;
      return recovered.has(name) ? provider.grant() : failures[name]!();
    });
    return Promise.all(
      Object.keys(failures).map(async (name) => {
        const connection = await addConnection(usual, expiresInMs, name);
        await check(
          connection,
          () => requestsOf(name),
          () => recovered.add(name),
        ).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`);
        });
      }),
    );
  }

  it("a temporary failure is retried and never makes a connection invalid", async () => {
    await forEachFailure(-1000, async (connection, requests, recover) => {
      expect(await connection.call()).toMatchObject(connectionLost);
      expect(requests()).toBe(3);
      expect(await connection.stored()).toMatchObject({ is_valid: true, invalid_reason: null });
      recover();
      expect((await connection.call()).status).toBe(200);
    });
  });

  it("a temporary failure does not fail calls whose token has not expired, nor is it retried by every call", async () => {
    await forEachFailure(30_000, async (connection, requests) => {
      expect((await connection.call()).status).toBe(200);
      expect((await connection.call()).status).toBe(200);
      expect(requests()).toBe(3);
      expect(await connection.stored()).toMatchObject({ is_valid: true, credentials: { token: "access-0" } });
    });
  });

  it("a call succeeds when the third attempt to refresh does", async () => {
    provider.onToken(() => (provider.tokenRequests.length < 3 ? { status: 503 } : provider.grant()));
    const connection = await addConnection(usual, -1000);
    expect((await connection.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(3);
  });

  it("a call whose token expires while it waits for an early refresh uses the new token", async () => {
    const silence = gate();
    provider.onToken(async () => {
      await silence.pass();
      return provider.grant();
    });
    // In the second half of its lifetime it is refreshed early.
    const connection = await addConnection(usual, 2_000);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const call = connection.call();
    setTimeout(() => silence.open(), 3_500);
    expect((await call).status).toBe(200);
    expect(provider.calls).toEqual([expect.stringMatching(/^access-[1-9]/)]);
  });

  it("a token endpoint that does not answer does not delay a call whose token has not expired", async () => {
    const silence = gate();
    provider.onToken(async () => {
      await silence.pass();
      return provider.grant();
    });
    const connection = await addConnection(usual, 30_000);
    expect((await connection.call()).status).toBe(200);
    expect(provider.calls).toEqual(["access-0"]);
    silence.open();
    // The late answer is stored.
    await expect.poll(async () => (await connection.stored())?.credentials.token).toMatch(/^access-[1-9]/);
  });
});
