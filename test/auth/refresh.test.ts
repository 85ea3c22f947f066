import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Provider } from "../../src/contracts/provider.ts";
import { type Held, HOUR, inMs, type Stage, setStage } from "./support/held.ts";
import { type Answer, gate, type ScriptedProvider } from "./support/scripted-provider.ts";
import { scripted } from "./support/toys.ts";

const usual = scripted("usual");
const eager = scripted("eager", { refreshAhead: 300 });
const silent = scripted("silent", { lifetime: 1800 });

let stage: Stage;
let provider: ScriptedProvider;
let hold: Stage["hold"];
beforeAll(async () => {
  stage = await setStage([usual, eager, silent]);
  ({ provider, hold } = stage);
});
afterAll(() => stage.close());
beforeEach(() => provider.reset());

const lost = { status: 404, body: { errors: [{ code: 7002 }] } };

describe("a token is renewed", () => {
  it.each([
    ["60 seconds ahead", usual, 50_000, 1],
    ["not earlier", usual, 70_000, 0],
    ["as early as the manifest says", eager, 290_000, 1],
    ["and not earlier than that", eager, 310_000, 0],
  ])("%s", async (_, of, endsInMs, requests) => {
    provider.onToken(() => provider.grant());
    const held = await hold(of, endsInMs);
    expect((await held.call()).status).toBe(200);
    expect((await held.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(requests);
  });

  it("no more than once in half of its life, however short that is", async () => {
    provider.onToken(() => provider.grant({ expires_in: 20 }));
    const held = await hold(usual, -1000);
    for (let calls = 0; calls < 5; calls++) expect((await held.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("and stored before anybody uses it", async () => {
    provider.onToken(() => provider.grant());
    const held = await hold(usual, -1000);
    const seen: unknown[] = [];
    provider.onCall(async () => void seen.push((await held.stored())?.credentials));
    expect((await held.call()).status).toBe(200);
    expect(seen).toEqual([{ token: provider.calls[0], refresh_token: expect.stringMatching(/^refresh-[1-9]/) }]);
    expect(await held.stored()).toMatchObject({ is_valid: true, refreshed_at: expect.any(String) });
  });

  it("with the refresh token before, where the answer brings no new one", async () => {
    for (const refresh_token of [undefined, null, ""]) {
      provider.reset();
      provider.onToken(() => provider.grant({ refresh_token }));
      const held = await hold(usual, -1000);
      expect((await held.call()).status).toBe(200);
      expect((await held.stored())?.credentials.refresh_token).toBe("refresh-0");
      await held.change({ expires_at: inMs(-1000) });
      expect((await held.call()).status).toBe(200);
      expect(provider.tokenRequests.map((fields) => fields.get("refresh_token"))).toEqual(["refresh-0", "refresh-0"]);
    }
  });

  it("also where the provider gives the same access token again", async () => {
    provider.onToken(() => provider.grant({ access_token: "access-0" }));
    const held = await hold(usual, -1000);
    const answers = await Promise.all(Array.from({ length: 20 }, held.call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("after the provider refused it before its time", async () => {
    provider.onToken(() => provider.grant());
    const held = await hold(usual, HOUR);
    provider.good.delete("access-0");
    const answers = await Promise.all(Array.from({ length: 20 }, held.call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("but not again and again where that does not help", async () => {
    provider.onToken(() => {
      const answer = provider.grant();
      provider.good.clear();
      return answer;
    });
    const held = await hold(usual, HOUR);
    provider.good.clear();
    for (let calls = 0; calls < 5; calls++) expect((await held.call()).status).toBe(401);
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

describe("the end of a token", () => {
  it.each<[string, Provider, Record<string, unknown>, number | null]>([
    ["comes from the answer", usual, { expires_in: 7200 }, 7200],
    ["also where it is text", usual, { expires_in: "7200" }, 7200],
    ["and beats the manifest", silent, { expires_in: 7200 }, 7200],
    ["comes from the manifest where the answer is silent", silent, { expires_in: undefined }, 1800],
    ["is none where neither knows", usual, { expires_in: undefined }, null],
    ["is none where the answer says nothing useful", usual, { expires_in: 0 }, null],
    ["is none for a negative number", usual, { expires_in: -5 }, null],
    ["is none for words", usual, { expires_in: "soon" }, null],
    ["is a date for the largest number", usual, { expires_in: 1e300 }, 315_360_000],
  ])("%s", async (_, of, more, seconds) => {
    provider.onToken(() => provider.grant(more));
    const held = await hold(of, -1000);
    expect((await held.call()).status).toBe(200);
    const { expires_at, refreshed_at } = (await held.stored())!;
    if (seconds === null) return expect(expires_at).toBeNull();
    const lifetime = (Date.parse(expires_at!) - Date.parse(refreshed_at!)) / 1000;
    expect(Math.round(lifetime)).toBe(seconds);
  });

  it("without a refresh token is the end of the connection", async () => {
    const held = await hold(usual, -1000, null);
    expect(await held.call()).toMatchObject(lost);
    expect(provider.tokenRequests).toHaveLength(0);
  });
});

describe("a refusal for good", () => {
  it.each(["invalid_grant", "bad_refresh_token", "INVALID_REFRESH_TOKEN", "token_revoked", "interaction_required"])(
    "makes the connection invalid, with its reason: %s",
    async (error) => {
      provider.onToken(() => ({ status: 400, body: { error, error_description: "The grant is gone" } }));
      const held = await hold(usual, -1000);
      const answer = await held.call();
      expect(answer).toMatchObject(lost);
      expect(answer.body.errors[0].detail).toMatch(/The grant is gone.*connect again/);
      expect(await held.stored()).toMatchObject({
        is_valid: false,
        invalid_reason: `${error.toLowerCase()}: The grant is gone`,
      });
      // Asking the provider again would not help.
      expect(await held.call()).toMatchObject(lost);
      expect(provider.tokenRequests).toHaveLength(1);
    },
  );

  it("leaves a token that still lives in use", async () => {
    provider.onToken(() => ({ status: 400, body: { error: "invalid_grant" } }));
    const held = await hold(usual, 30_000);
    expect((await held.call()).status).toBe(200);
    expect((await held.call()).status).toBe(200);
    expect(await held.stored()).toMatchObject({ is_valid: false });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it.each([
    "The token refresh-0-and-more is void",
    'Token "refresh-0-and-more" was used',
    "token=refresh-0-and-more&x=1",
    "Unknown token refresh-0-and-m…",
    "refresh-0-and-more",
  ])("shows nothing of the token that it quotes: %s", async (error_description) => {
    provider.onToken(() => ({ status: 400, body: { error: "invalid_grant", error_description } }));
    const held = await hold(usual, -1000, "refresh-0-and-more");
    const { body } = await held.call();
    const { invalid_reason } = (await held.stored())!;
    expect(invalid_reason).toContain("invalid_grant");
    for (const text of [JSON.stringify(body), invalid_reason!, stage.service.logs()])
      expect(text.includes("refresh-0-and-m")).toBe(false);
  });
});

describe("a failure that may pass", () => {
  const failures: Record<string, () => Answer> = {
    "status 500": () => ({ status: 500 }),
    "status 503 with a page": () => ({ status: 503, body: "<html>" }),
    "status 429": () => ({ status: 429 }),
    "a connection that breaks": () => ({ drop: true }),
    "a success that is no token": () => ({ body: { hello: "world" } }),
    "a success that is no JSON": () => ({ body: "hello" }),
    "a token that no header takes": () => ({ body: { access_token: "a\r\nb" } }),
    "a client that is not known": () => ({ status: 401, body: { error: "invalid_client" } }),
    "a request that is not right": () => ({ status: 400, body: { error: "invalid_request" } }),
    "invalid_grant from a broken server": () => ({ status: 502, body: { error: "invalid_grant" } }),
  };

  /** Plays every failure at once, each for a connection of its own. */
  function playAll(endsInMs: number, check: (held: Held, requests: () => number, heal: () => void) => Promise<void>) {
    const healed = new Set<string>();
    const requestsOf = (name: string) =>
      provider.tokenRequests.filter((fields) => fields.get("refresh_token") === name).length;
    provider.onToken((fields) => {
      const name = fields.get("refresh_token")!;
      return healed.has(name) ? provider.grant() : failures[name]!();
    });
    return Promise.all(
      Object.keys(failures).map(async (name) => {
        const held = await hold(usual, endsInMs, name);
        await check(
          held,
          () => requestsOf(name),
          () => healed.add(name),
        ).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`);
        });
      }),
    );
  }

  it("is tried again and never makes a connection invalid", async () => {
    await playAll(-1000, async (held, requests, heal) => {
      expect(await held.call()).toMatchObject(lost);
      expect(requests()).toBe(3);
      expect(await held.stored()).toMatchObject({ is_valid: true, invalid_reason: null });
      heal();
      expect((await held.call()).status).toBe(200);
    });
  });

  it("does not fail a call whose token still lives, and is not asked for by every call", async () => {
    await playAll(30_000, async (held, requests) => {
      expect((await held.call()).status).toBe(200);
      expect((await held.call()).status).toBe(200);
      expect(requests()).toBe(3);
      expect(await held.stored()).toMatchObject({ is_valid: true, credentials: { token: "access-0" } });
    });
  });

  it("that passes is not noticed", async () => {
    provider.onToken(() => (provider.tokenRequests.length < 3 ? { status: 503 } : provider.grant()));
    const held = await hold(usual, -1000);
    expect((await held.call()).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(3);
  });

  it("by silence does not hold up a call whose token still lives", async () => {
    const silence = gate();
    provider.onToken(async () => {
      await silence.pass();
      return provider.grant();
    });
    const held = await hold(usual, 30_000);
    expect((await held.call()).status).toBe(200);
    expect(provider.calls).toEqual(["access-0"]);
    silence.open();
    // What comes late is not lost.
    await expect.poll(async () => (await held.stored())?.credentials.token).toMatch(/^access-[1-9]/);
  });
});
