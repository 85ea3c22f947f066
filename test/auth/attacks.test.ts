import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Agent, hiddenFields } from "./support/agent.ts";
import { connectAccount, REDIRECT_URI } from "./support/application.ts";
import {
  ask,
  expectErrorAtApplication,
  expectPage,
  later,
  MARKUP,
  MINUTE,
  type Outcome,
  type Scene,
  send,
  setScene,
  start,
} from "./support/attack.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await setScene();
});
afterAll(() => scene.service.close());
afterEach(() => vi.useRealTimers());

describe("an address to return to that is not registered to the letter ends on a page", () => {
  it.each([
    undefined,
    "",
    "https://evil.example/back",
    "https://app.example/back",
    "https://app.example/back?kept=2",
    "https://app.example/back?kept=1&more=1",
    "https://app.example/back/?kept=1",
    "https://app.example/back/more?kept=1",
    "https://app.example/back/../evil?kept=1",
    "https://app.example/%62ack?kept=1",
    "https://app.example/back?kept=%31",
    "https://app.example/back?kept=1#",
    "https://app.example/back?kept=1#@evil.example",
    "https://APP.example/back?kept=1",
    "HTTPS://app.example/back?kept=1",
    "http://app.example/back?kept=1",
    "https://app.example:443/back?kept=1",
    "https://app.example:8443/back?kept=1",
    "https://app.example.evil.example/back?kept=1",
    "https://app.example@evil.example/back?kept=1",
    "https://evil.example\\@app.example/back?kept=1",
    "https://evil.example/https://app.example/back?kept=1",
    "//app.example/back?kept=1",
    "/back?kept=1",
    " https://app.example/back?kept=1",
    "https://app.example/back?kept=1 ",
    "https://app.example/back?kept=1\r\nInjected: yes",
    "https://app.example/back?kept=1\0",
    "https://аpp.example/back?kept=1",
    "https://stranger.example/back",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    MARKUP,
    `https://app.example/back?kept=1&${"x".repeat(5000)}`,
  ])("%j", async (redirect_uri) => {
    expectPage(await ask(scene.newAgent(), scene.victim.authorizeUrl({ redirect_uri, state: "s" })));
  });

  it("given twice, the good one first or last", async () => {
    const evil = encodeURIComponent("https://evil.example/");
    expectPage(await ask(scene.newAgent(), `${scene.victim.authorizeUrl()}&redirect_uri=${evil}`));
    const url = scene.victim.authorizeUrl().replace("?", `?redirect_uri=${evil}&`);
    expectPage(await ask(scene.newAgent(), url));
  });

  it("changed between the page and its form, also to cancel", async () => {
    const agent = scene.newAgent();
    const page = await start(agent, scene.victim.authorizeUrl());
    for (const decision of ["continue", "cancel"])
      expectPage(
        await ask(agent, scene.victim.authorizeUrl({ redirect_uri: "https://evil.example/" }), {
          method: "POST",
          body: new URLSearchParams({ ...hiddenFields(page.text), decision }),
        }),
      );
  });

  it("taken off the list while the user was at the provider", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent);
    await scene.victim.platform("PATCH", "/workspace", { redirect_uris: [] });
    expectPage(await ask(agent, callback));
    await scene.victim.platform("PATCH", "/workspace", { redirect_uris: [REDIRECT_URI] });
  });
});

interface Attack {
  name: string;
  /** What is sent last; it must be refused. */
  attempt(agent: Agent): Promise<Outcome>;
  /** How it is refused. */
  ends: "page" | "error";
}

const authorizing = (parameters: () => Record<string, string | undefined>) => (agent: Agent) =>
  ask(agent, scene.victim.authorizeUrl(parameters()));

const questions: Attack[] = [
  { name: "no client_id", attempt: authorizing(() => ({ client_id: undefined })), ends: "page" },
  { name: "an unknown client_id", attempt: authorizing(() => ({ client_id: "client_none" })), ends: "page" },
  {
    name: "a stranger's client_id",
    attempt: authorizing(() => ({ client_id: scene.stranger.clientId })),
    ends: "page",
  },
  { name: "SQL in the client_id", attempt: authorizing(() => ({ client_id: "' or '1'='1" })), ends: "page" },
  {
    name: "client_id twice",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&client_id=${scene.victim.clientId}`),
    ends: "page",
  },
  { name: "no integration_id", attempt: authorizing(() => ({ integration_id: undefined })), ends: "error" },
  {
    name: "a stranger's integration",
    attempt: authorizing(() => ({ integration_id: scene.stranger.integrationId })),
    ends: "error",
  },
  {
    name: "integration_id twice",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&integration_id=${scene.otherIntegration.id}`),
    ends: "error",
  },
  {
    name: "a stranger's connection",
    async attempt(agent) {
      const [theirs] = await scene.stranger.platform("GET", "/connections");
      return ask(agent, scene.victim.authorizeUrl({ connection_id: theirs.id }));
    },
    ends: "error",
  },
  {
    name: "a connection of another integration",
    async attempt(agent) {
      const { connection_id } = await connectAccount(scene.victim);
      return ask(agent, scene.victim.authorizeUrl({ connection_id, integration_id: scene.otherIntegration.id }));
    },
    ends: "error",
  },
  { name: "an external_id too long", attempt: authorizing(() => ({ external_id: "x".repeat(256) })), ends: "error" },
  { name: "control characters in external_id", attempt: authorizing(() => ({ external_id: "a\0b" })), ends: "error" },
  { name: "a state too long", attempt: authorizing(() => ({ state: "x".repeat(2001) })), ends: "error" },
  {
    name: "new lines in the state",
    attempt: authorizing(() => ({ state: "a\r\nInjected: yes" })),
    ends: "error",
  },
  {
    name: "state twice",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&state=a&state=b`),
    ends: "error",
  },
];

const edited = (ticket: string, at: number, part: string) => ticket.split(".").with(at, part).join(".");

const answers: Attack[] = [
  { name: "a form without a ticket", attempt: (agent) => send(agent, scene.victim.authorizeUrl(), {}), ends: "page" },
  {
    name: "a form from another browser, cookie and all but its own",
    async attempt(agent) {
      const { ticket } = hiddenFields((await start(scene.newAgent(), scene.victim.authorizeUrl())).text);
      await start(agent, scene.victim.authorizeUrl());
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a form without the cookie, as another site sends it",
    async attempt(agent) {
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      agent.cookies.clear();
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  ...(["external_id", "state"] as const).map((name) => ({
    name: `a form whose ${name} was changed`,
    async attempt(agent: Agent) {
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl({ [name]: "mine" }))).text);
      return send(agent, scene.victim.authorizeUrl({ [name]: "yours" }), { ticket: ticket! });
    },
    ends: "page" as const,
  })),
  {
    name: "a form that was turned on an existing connection",
    async attempt(agent) {
      const { connection_id } = await connectAccount(scene.victim);
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      return send(agent, scene.victim.authorizeUrl({ connection_id }), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a ticket whose connection id was changed",
    async attempt(agent) {
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      const { connection_id } = await connectAccount(scene.victim);
      return send(agent, scene.victim.authorizeUrl(), { ticket: edited(ticket!, 1, connection_id) });
    },
    ends: "page",
  },
  {
    name: "a ticket that was made younger",
    async attempt(agent) {
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      return send(agent, scene.victim.authorizeUrl(), { ticket: edited(ticket!, 0, String(Date.now() + MINUTE)) });
    },
    ends: "page",
  },
  {
    name: "a ticket eleven minutes later",
    async attempt(agent) {
      const { ticket } = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      later(11 * MINUTE);
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a form as JSON",
    async attempt(agent) {
      const fields = hiddenFields((await start(agent, scene.victim.authorizeUrl())).text);
      return ask(agent, scene.victim.authorizeUrl(), {
        method: "POST",
        body: JSON.stringify({ decision: "continue", ...fields }),
        headers: { "content-type": "application/json" },
      });
    },
    ends: "page",
  },
  {
    name: "a form of a megabyte",
    attempt: (agent) => send(agent, scene.forms.authorizeUrl(), { ticket: "t", key: "x".repeat(1_000_000) }),
    ends: "page",
  },
];

const altered = (change: (callback: URL) => void) => async (agent: Agent) => {
  const callback = await scene.consent(agent);
  change(callback);
  return ask(agent, callback);
};

const callbacks: Attack[] = [
  {
    name: "a callback that nobody began",
    attempt: (agent) => ask(agent, "/auth/callback?code=a&state=b.c"),
    ends: "page",
  },
  { name: "no state", attempt: altered(({ searchParams }) => searchParams.delete("state")), ends: "page" },
  {
    name: "a state whose signature was changed",
    attempt: altered(({ searchParams }) => searchParams.set("state", `${searchParams.get("state")!.slice(0, -2)}xx`)),
    ends: "page",
  },
  {
    name: "a state whose id was changed",
    attempt: altered(({ searchParams }) => searchParams.set("state", `x${searchParams.get("state")!.slice(1)}`)),
    ends: "page",
  },
  {
    name: "state twice",
    attempt: altered(({ searchParams }) => searchParams.append("state", searchParams.get("state")!)),
    ends: "page",
  },
  {
    name: "login CSRF: an answer begun in another browser",
    async attempt(agent) {
      await start(agent, scene.victim.authorizeUrl());
      return ask(agent, await scene.consent(scene.newAgent()));
    },
    ends: "page",
  },
  {
    name: "login CSRF: the same without any cookie",
    attempt: async (agent) => ask(agent, await scene.consent(scene.newAgent())),
    ends: "page",
  },
  {
    name: "a replayed state with its code",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      expect((await ask(agent, callback)).headers.get("location")).toContain("code=");
      return ask(agent, callback);
    },
    ends: "page",
  },
  {
    name: "a replayed state with another code",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      await ask(agent, callback);
      const fresh = await scene.consent(agent);
      callback.searchParams.set("code", fresh.searchParams.get("code")!);
      return ask(agent, callback);
    },
    ends: "page",
  },
  {
    name: "a state eleven minutes later",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      later(11 * MINUTE);
      return ask(agent, callback);
    },
    ends: "page",
  },
  { name: "no code", attempt: altered(({ searchParams }) => searchParams.delete("code")), ends: "error" },
  {
    name: "a made-up code",
    attempt: altered(({ searchParams }) => searchParams.set("code", "made-up")),
    ends: "error",
  },
  { name: "code twice", attempt: altered(({ searchParams }) => searchParams.append("code", "x")), ends: "error" },
  {
    name: "a token in the place of a code",
    attempt: altered(({ searchParams }) => searchParams.set("token", "x")),
    ends: "error",
  },
  {
    name: "a code that was used before",
    async attempt(agent) {
      const used = await scene.consent(agent);
      await ask(agent, used);
      const callback = await scene.consent(agent);
      callback.searchParams.set("code", used.searchParams.get("code")!);
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "code injection: a code of another flow, which PKCE gives away",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      const stolen = await scene.consent(scene.newAgent());
      callback.searchParams.set("code", stolen.searchParams.get("code")!);
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "PKCE downgrade: the challenge taken out on the way",
    async attempt(agent) {
      const callback = await scene.consent(agent, scene.victim.authorizeUrl(), ({ searchParams }) => {
        searchParams.delete("code_challenge");
        searchParams.delete("code_challenge_method");
      });
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "PKCE: a challenge of the attacker's own",
    async attempt(agent) {
      const callback = await scene.consent(agent, scene.victim.authorizeUrl(), ({ searchParams }) =>
        searchParams.set("code_challenge", "x".repeat(43)),
      );
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "mix-up: another provider's code",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      const other = await scene.consent(
        agent,
        scene.victim.authorizeUrl({ integration_id: scene.otherIntegration.id }),
      );
      callback.searchParams.set("code", other.searchParams.get("code")!);
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "mix-up: an answer that says it comes from another server",
    attempt: altered(({ searchParams }) => searchParams.set("iss", "https://evil.example")),
    ends: "error",
  },
];

describe("is refused", () => {
  beforeAll(async () => {
    await scene.stranger.platform("POST", "/connections", {
      integration_id: scene.stranger.integrationId,
      auth_token: "made-up",
    });
  });

  it.each([...questions, ...answers, ...callbacks])("$name", async ({ attempt, ends }) => {
    const outcome = await attempt(scene.newAgent());
    if (ends === "page") expectPage(outcome);
    else expectErrorAtApplication(outcome);
  });

  it("by asking no other server for the code of a mixed-up answer", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent);
    callback.searchParams.set("iss", "https://evil.example");
    const made = () => scene.victim.platform("GET", "/connections?limit=100");
    const before = await made();
    await fetch(`${scene.service.url}/sandbox/_requests`, { method: "DELETE" });
    expectErrorAtApplication(await ask(agent, callback));
    expect(await (await fetch(`${scene.service.url}/sandbox/_requests`)).json()).toEqual([]);
    expect(await made()).toEqual(before);
  });
});
