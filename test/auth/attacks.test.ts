import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { clearRequests, seenRequests } from "../support/sandbox.ts";
import { type Agent, hiddenFields } from "./support/agent.ts";
import { connectAccount, REDIRECT_URI } from "./support/application.ts";
import {
  ask,
  createScene,
  expectErrorAtApplication,
  expectErrorPage,
  later,
  MARKUP,
  MINUTE,
  type Outcome,
  openPage,
  type Scene,
  send,
} from "./support/attack.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.service.close());
afterEach(() => vi.useRealTimers());

describe("a redirect_uri that is not registered exactly ends on an error page", () => {
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
  ])("the redirect_uri %j ends on an error page", async (redirect_uri) => {
    expectErrorPage(await ask(scene.newAgent(), scene.victim.authorizeUrl({ redirect_uri, state: "s" })));
  });

  it("a second redirect_uri ends on an error page, whether the valid one is first or last", async () => {
    const evil = encodeURIComponent("https://evil.example/");
    expectErrorPage(await ask(scene.newAgent(), `${scene.victim.authorizeUrl()}&redirect_uri=${evil}`));
    const url = scene.victim.authorizeUrl().replace("?", `?redirect_uri=${evil}&`);
    expectErrorPage(await ask(scene.newAgent(), url));
  });

  it("a redirect_uri that was changed between the page and its form ends on an error page, also on cancel", async () => {
    const agent = scene.newAgent();
    const page = await openPage(agent, scene.victim.authorizeUrl());
    for (const decision of ["continue", "cancel"])
      expectErrorPage(
        await ask(agent, scene.victim.authorizeUrl({ redirect_uri: "https://evil.example/" }), {
          method: "POST",
          body: new URLSearchParams({ ...hiddenFields(page.text), decision }),
        }),
      );
  });

  it("a redirect_uri that was unregistered while the user was at the provider ends on an error page", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent);
    await scene.victim.platform("PATCH", "/workspace", { redirect_uris: [] });
    expectErrorPage(await ask(agent, callback));
    await scene.victim.platform("PATCH", "/workspace", { redirect_uris: [REDIRECT_URI] });
  });
});

interface Attack {
  name: string;
  /** Returns the answer to the last request, which must be refused. */
  attempt(agent: Agent): Promise<Outcome>;
  /** Refused with an error page, or with an error that is reported to the application. */
  ends: "page" | "error";
}

const openLink = (parameters: () => Record<string, string | undefined>) => (agent: Agent) =>
  ask(agent, scene.victim.authorizeUrl(parameters()));

const linkAttacks: Attack[] = [
  { name: "a link without client_id", attempt: openLink(() => ({ client_id: undefined })), ends: "page" },
  { name: "an unknown client_id", attempt: openLink(() => ({ client_id: "client_none" })), ends: "page" },
  {
    name: "the client_id of another workspace",
    attempt: openLink(() => ({ client_id: scene.stranger.clientId })),
    ends: "page",
  },
  { name: "SQL in the client_id", attempt: openLink(() => ({ client_id: "' or '1'='1" })), ends: "page" },
  {
    name: "a link with two client_ids",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&client_id=${scene.victim.clientId}`),
    ends: "page",
  },
  { name: "a link without integration_id", attempt: openLink(() => ({ integration_id: undefined })), ends: "error" },
  {
    name: "the integration of another workspace",
    attempt: openLink(() => ({ integration_id: scene.stranger.integrationId })),
    ends: "error",
  },
  {
    name: "a link with two integration_ids",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&integration_id=${scene.otherIntegration.id}`),
    ends: "error",
  },
  {
    name: "the connection of another workspace",
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
  {
    name: "an external_id that is too long",
    attempt: openLink(() => ({ external_id: "x".repeat(256) })),
    ends: "error",
  },
  { name: "control characters in the external_id", attempt: openLink(() => ({ external_id: "a\0b" })), ends: "error" },
  { name: "a client state that is too long", attempt: openLink(() => ({ state: "x".repeat(2001) })), ends: "error" },
  {
    name: "line breaks in the client state",
    attempt: openLink(() => ({ state: "a\r\nInjected: yes" })),
    ends: "error",
  },
  {
    name: "a link with two states",
    attempt: (agent) => ask(agent, `${scene.victim.authorizeUrl()}&state=a&state=b`),
    ends: "error",
  },
];

const edited = (ticket: string, at: number, part: string) => ticket.split(".").with(at, part).join(".");

const formAttacks: Attack[] = [
  { name: "a form without a ticket", attempt: (agent) => send(agent, scene.victim.authorizeUrl(), {}), ends: "page" },
  {
    name: "a form that another browser was given",
    async attempt(agent) {
      const { ticket } = hiddenFields((await openPage(scene.newAgent(), scene.victim.authorizeUrl())).text);
      await openPage(agent, scene.victim.authorizeUrl());
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a form without the cookie, as another site would send it",
    async attempt(agent) {
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
      agent.cookies.clear();
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  ...(["external_id", "state"] as const).map((name) => ({
    name: `a form whose ${name} was changed`,
    async attempt(agent: Agent) {
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl({ [name]: "mine" }))).text);
      return send(agent, scene.victim.authorizeUrl({ [name]: "yours" }), { ticket: ticket! });
    },
    ends: "page" as const,
  })),
  {
    name: "a form that was redirected to an existing connection",
    async attempt(agent) {
      const { connection_id } = await connectAccount(scene.victim);
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
      return send(agent, scene.victim.authorizeUrl({ connection_id }), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a ticket whose connection id was changed",
    async attempt(agent) {
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
      const { connection_id } = await connectAccount(scene.victim);
      return send(agent, scene.victim.authorizeUrl(), { ticket: edited(ticket!, 1, connection_id) });
    },
    ends: "page",
  },
  {
    name: "a ticket whose time was changed",
    async attempt(agent) {
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
      return send(agent, scene.victim.authorizeUrl(), { ticket: edited(ticket!, 0, String(Date.now() + MINUTE)) });
    },
    ends: "page",
  },
  {
    name: "a ticket that is eleven minutes old",
    async attempt(agent) {
      const { ticket } = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
      later(11 * MINUTE);
      return send(agent, scene.victim.authorizeUrl(), { ticket: ticket! });
    },
    ends: "page",
  },
  {
    name: "a form sent as JSON",
    async attempt(agent) {
      const fields = hiddenFields((await openPage(agent, scene.victim.authorizeUrl())).text);
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

const alterCallback = (change: (callback: URL) => void) => async (agent: Agent) => {
  const callback = await scene.consent(agent);
  change(callback);
  return ask(agent, callback);
};

/** The text with the character at a position replaced by a different one. */
const replaceAt = (text: string, at: number) => text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);

const alterState = (change: (state: string) => string) =>
  alterCallback(({ searchParams }) => searchParams.set("state", change(searchParams.get("state")!)));

const callbackAttacks: Attack[] = [
  {
    name: "a callback of a flow that was never started",
    attempt: (agent) => ask(agent, "/auth/callback?code=a&state=b.c"),
    ends: "page",
  },
  {
    name: "a callback without state",
    attempt: alterCallback(({ searchParams }) => searchParams.delete("state")),
    ends: "page",
  },
  {
    name: "a state whose signature was changed",
    attempt: alterState((state) => replaceAt(state, state.indexOf(".") + 1)),
    ends: "page",
  },
  {
    name: "a state whose id was changed",
    attempt: alterState((state) => replaceAt(state, 0)),
    ends: "page",
  },
  {
    name: "a callback with two states",
    attempt: alterCallback(({ searchParams }) => searchParams.append("state", searchParams.get("state")!)),
    ends: "page",
  },
  {
    name: "a callback of a flow that another browser started (login CSRF)",
    async attempt(agent) {
      await openPage(agent, scene.victim.authorizeUrl());
      return ask(agent, await scene.consent(scene.newAgent()));
    },
    ends: "page",
  },
  {
    name: "a callback in a browser without a cookie (login CSRF)",
    attempt: async (agent) => ask(agent, await scene.consent(scene.newAgent())),
    ends: "page",
  },
  {
    name: "a callback that is replayed",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      expect((await ask(agent, callback)).headers.get("location")).toContain("code=");
      return ask(agent, callback);
    },
    ends: "page",
  },
  {
    name: "a state that is replayed with another code",
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
    name: "a state that is eleven minutes old",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      later(11 * MINUTE);
      return ask(agent, callback);
    },
    ends: "page",
  },
  {
    name: "a callback without code",
    attempt: alterCallback(({ searchParams }) => searchParams.delete("code")),
    ends: "error",
  },
  {
    name: "a made-up code",
    attempt: alterCallback(({ searchParams }) => searchParams.set("code", "made-up")),
    ends: "error",
  },
  {
    name: "a callback with two codes",
    attempt: alterCallback(({ searchParams }) => searchParams.append("code", "x")),
    ends: "error",
  },
  {
    name: "a callback with a token next to the code",
    attempt: alterCallback(({ searchParams }) => searchParams.set("token", "x")),
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
    name: "a code of another flow (code injection, detected by PKCE)",
    async attempt(agent) {
      const callback = await scene.consent(agent);
      const stolen = await scene.consent(scene.newAgent());
      callback.searchParams.set("code", stolen.searchParams.get("code")!);
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "a consent without the PKCE challenge (downgrade)",
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
    name: "a consent with the attacker's PKCE challenge",
    async attempt(agent) {
      const callback = await scene.consent(agent, scene.victim.authorizeUrl(), ({ searchParams }) =>
        searchParams.set("code_challenge", "x".repeat(43)),
      );
      return ask(agent, callback);
    },
    ends: "error",
  },
  {
    name: "a code of another provider (mix-up)",
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
    name: "a callback that names another issuer (mix-up)",
    attempt: alterCallback(({ searchParams }) => searchParams.set("iss", "https://evil.example")),
    ends: "error",
  },
];

describe("attacks on the connect flow", () => {
  beforeAll(async () => {
    await scene.stranger.platform("POST", "/connections", {
      integration_id: scene.stranger.integrationId,
      auth_token: "made-up",
    });
  });

  it.each([...linkAttacks, ...formAttacks, ...callbackAttacks])(
    "the connect flow refuses $name",
    async ({ attempt, ends }) => {
      const outcome = await attempt(scene.newAgent());
      if (ends === "page") expectErrorPage(outcome);
      else expectErrorAtApplication(outcome);
    },
  );

  it("a callback with another issuer is refused before any provider is asked for a token", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent);
    callback.searchParams.set("iss", "https://evil.example");
    const connections = () => scene.victim.platform("GET", "/connections?limit=100");
    const before = await connections();
    await clearRequests(scene.service);
    expectErrorAtApplication(await ask(agent, callback));
    expect(await seenRequests(scene.service)).toEqual([]);
    expect(await connections()).toEqual(before);
  });
});
