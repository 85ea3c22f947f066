// `plugboard apply`: a workspace by a file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Applier, newApplier } from "./support/apply.ts";

let service: TestService;
let applier: Applier;
let number = 0;
beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());
beforeEach(async () => {
  number += 1;
  applier = await newApplier(service, `acme ${number}`);
});
afterEach(() => applier.remove());

const page = readFileSync(join(import.meta.dirname, "../../docs/configuration-as-code.md"), "utf8");
const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page)!;
const SECRETS = ["made-up-github-secret", "made-up-hubspot-secret", "made-up-client-id"];
const env = { GITHUB_CLIENT_ID: SECRETS[2]!, GITHUB_CLIENT_SECRET: SECRETS[0]! };

/** Applies the example of the docs. */
async function applyExample(change: (text: string) => string = (text) => text, args = ["--yes"]) {
  applier.write("secrets/hubspot", `${SECRETS[1]}\n`);
  return applier.apply(change(example), args, { env });
}

/** How many entries the audit log has. */
const audited = async () => (await applier.platform("GET", "/audit?limit=100")).length as number;

/** Everything that a file can say about the workspace. */
const snapshot = async () =>
  Object.fromEntries(
    await Promise.all(
      ["workspace", "integrations", "webhooks", "custom-fields", "tool-packs"].map(async (path) => [
        path,
        await applier.platform("GET", `/${path}`),
      ]),
    ),
  );

describe("plugboard apply", () => {
  it("the file of the docs creates what it names, and applied again changes nothing", async () => {
    const first = await applyExample();
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("8 to create, 1 to change, 0 to delete, 0 unchanged.");
    const made = await snapshot();
    const [github, hubspot, billing] = made.integrations;
    expect(github).toMatchObject({ identifier: "github", client_id: SECRETS[2], has_client_secret: true });
    expect(hubspot).toMatchObject({ identifier: "hubspot", name: "Sales", has_client_secret: true });
    expect(billing).toMatchObject({ identifier: "acme-billing", type: "api_key" });
    expect(made["custom-fields"]).toMatchObject([
      { name: "region", integration_id: hubspot.id },
      { name: "tier", integration_id: null },
    ]);
    expect(made.workspace).toMatchObject({
      redirect_uris: ["https://app.acme.test/connected"],
      mcp_tool_pack_id: made["tool-packs"][0].id,
    });
    expect((await service.store.integrations.get(made.workspace.id, github.id))!.client_secret).toBe(SECRETS[0]);
    expect((await service.store.integrations.get(made.workspace.id, hubspot.id))!.client_secret).toBe(SECRETS[1]);

    const entries = await audited();
    const second = await applyExample();
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain("0 to create, 0 to change, 0 to delete, 9 unchanged.");
    expect(await snapshot()).toEqual(made);
    expect(await audited()).toBe(entries);
    for (const secret of SECRETS) expect(first.out + second.out).not.toContain(secret);
  });

  it("the plan shows how a changed workspace differs from the file, without secrets, and changes nothing", async () => {
    await applyExample();
    const { integrations, webhooks, workspace } = await snapshot();
    await applier.platform("PATCH", `/integrations/${integrations[0].id}`, {
      client_secret: "made-up-other",
      client_id: "made-up-client",
      scopes: ["repo"],
    });
    await applier.platform("PATCH", `/webhooks/${webhooks[0].id}`, { url: "https://elsewhere.test/hook" });
    await applier.platform("PATCH", "/workspace", { mcp_tool_pack_id: null });
    await applier.platform("POST", "/webhooks", { name: "By hand", url: webhooks[0].url, events: { "*": true } });
    const before = await snapshot();
    const entries = await audited();

    const planned = await applyExample(undefined, []);
    expect(planned.code).toBe(3);
    expect(planned.out.split("\n")).toEqual([
      `The workspace "acme ${number}" at ${service.url}/platform`,
      "",
      "  ~ integration github",
      "      client_id: (another value) → env:GITHUB_CLIENT_ID",
      "      client_secret: (secret) → env:GITHUB_CLIENT_SECRET",
      '      scopes: ["repo"] → ["repo","read:user"]',
      "  ~ webhook Backend",
      '      url: "https://elsewhere.test/hook" → "https://app.acme.test/webhooks"',
      "  ~ workspace",
      '      mcp_tool_pack_id: (none) → "Support agents"',
      "",
      "0 to create, 3 to change, 0 to delete, 6 unchanged.",
      "Only in the workspace, and kept without --prune: webhook By hand.",
      "Nothing was changed. To make these changes: --yes",
      "",
    ]);
    expect(await snapshot()).toEqual(before);
    expect(await audited()).toBe(entries);

    const json = await applyExample(undefined, ["--json"]);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out)).toMatchObject({
      workspace: `acme ${number}`,
      applied: false,
      unchanged: 6,
      only_in_workspace: [{ section: "webhooks", name: "By hand" }],
      changes: [
        {
          action: "change",
          section: "integrations",
          name: "github",
          id: integrations[0].id,
          done: false,
          fields: [
            { name: "client_id", from: "(another value)", to: "env:GITHUB_CLIENT_ID" },
            { name: "client_secret", from: "(secret)", to: "env:GITHUB_CLIENT_SECRET" },
            { name: "scopes", from: ["repo"], to: ["repo", "read:user"] },
          ],
        },
        { section: "webhooks" },
        { section: "workspace" },
      ],
    });
    for (const secret of [...SECRETS, "made-up-other"]) expect(planned.out + json.out).not.toContain(secret);

    const done = await applyExample(undefined, ["--yes", "--json"]);
    expect([done.code, JSON.parse(done.out).applied]).toEqual([0, true]);
    expect((await service.store.integrations.get(workspace.id, integrations[0].id))!.client_secret).toBe(SECRETS[0]);
    expect(await audited()).toBe(entries + 3);
    expect((await applyExample(undefined, [])).out).toContain("0 to change");
  });

  it("--prune deletes what only the workspace has, in the sections of the file alone", async () => {
    await applyExample();
    const withoutSome = (text: string) =>
      text
        .replace(/ {2}- identifier: acme-billing\n {4}type: api_key\n/, "")
        .replace(/providers:[\s\S]*?\n\n/, "providers: []\n\n")
        .replace(/tool_packs:[\s\S]*$/, "tool_packs: []\n")
        .replace(/mcp_tool_pack_id: .*/, "mcp_tool_pack_id: null")
        .replace(/webhooks:[\s\S]*?\n\n/, "");
    const kept = await applyExample(withoutSome, []);
    expect(kept.out).toContain(
      "kept without --prune: tool pack Support agents, provider acme-billing, integration acme-billing.",
    );
    const pruned = await applyExample(withoutSome, ["--prune", "--yes"]);
    expect(pruned).toMatchObject({ code: 0, err: "" });
    expect(pruned.out).toContain(
      [
        "  ~ workspace",
        '      mcp_tool_pack_id: "Support agents" → (none)',
        "  - integration acme-billing",
        "      its connections stay, and can no longer be used",
        "  - provider acme-billing",
        "  - tool pack Support agents",
      ].join("\n"),
    );
    const left = await snapshot();
    expect(left.webhooks).toHaveLength(1);
    expect([left["tool-packs"], left.integrations.length]).toEqual([[], 2]);
    expect((await applyExample(withoutSome, ["--prune"])).out).toContain("0 to delete");
  });

  it.each([
    ["is kept", ""],
    ["is given again", "workspace: { mcp_tool_pack_id: Support agents }\n"],
  ])("--prune deletes nothing if a tool pack of the workspace that %s would be deleted", async (_, workspace) => {
    await applyExample();
    const before = await snapshot();
    const pruned = await applier.apply(`${workspace}tool_packs: []\nwebhooks: []\n`, ["--prune", "--yes"]);
    expect(pruned).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^plugboard\.yaml:\d:1: tool_packs: Support agents cannot be deleted, because mcp_tool_pack_id of the workspace/,
      ),
    });
    expect(await snapshot()).toEqual(before);
  });

  it("a field that the file does not have is kept, null empties it, and a provider is replaced as a whole", async () => {
    const hook = "webhooks:\n  - { name: Hook, url: https://app.acme.test/hook, events: { '*': true } }\n";
    const provider = (more: string) =>
      `providers:\n  - { id: own, name: Own, docs_url: https://own.test, addresses: { api: https://own.test }, auth: { none: {} }${more} }\n`;
    const file = (name: string, more: string) => `workspace: { logo_url: ${name} }\n${hook}${provider(more)}`;
    await applier.apply(file("https://app.acme.test/logo.png", ", notes: [Old]"), ["--yes"]);
    const [webhook] = await applier.platform("GET", "/webhooks");
    await applier.platform("PATCH", `/webhooks/${webhook.id}`, { enabled: false });
    const changed = await applier.apply(file("null", ""), ["--yes"]);
    expect(changed).toMatchObject({ code: 0, err: "" });
    expect(changed.out).toContain('notes: ["Old"] → (none)');
    expect(await applier.platform("GET", "/workspace")).toMatchObject({ logo_url: null });
    expect(await applier.platform("GET", `/webhooks/${webhook.id}`)).toMatchObject({ enabled: false });
    expect((await applier.platform("GET", "/providers/own")).document).not.toHaveProperty("notes");
    expect((await applier.apply(file("null", ""))).out).toContain(
      "0 to create, 0 to change, 0 to delete, 3 unchanged.",
    );
  });

  it("an id renames, tells apart what has the same name, and is refused if the workspace does not have it", async () => {
    const create = (name?: string) =>
      applier.platform("POST", "/integrations", { identifier: "linear", type: "api_key", ...(name ? { name } : {}) });
    const [one, two] = [await create(), await create()];
    const file = (lines: string[]) =>
      `integrations:\n${lines.map((line) => `  - { type: api_key, ${line} }\n`).join("")}`;
    const ambiguous = await applier.apply(file(["identifier: linear"]), ["--yes"]);
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.err).toBe(
      `plugboard.yaml:2:5: integrations[0]: The workspace has 2 of this name: add the id of the one that is meant (${one.id}, ${two.id})\n`,
    );
    const renamed = await applier.apply(
      file([`id: ${one.id}, identifier: linear, name: First`, "identifier: linear"]),
      ["--yes"],
    );
    expect(renamed).toMatchObject({ code: 0, err: "" });
    expect(renamed.out).toContain('  ~ integration linear/First\n      name: (none) → "First"');
    expect(await applier.platform("GET", `/integrations/${one.id}`)).toMatchObject({ name: "First" });
    expect(await applier.platform("GET", "/integrations")).toHaveLength(2);
    const wrong = await applier.apply(file([`id: ${one.id}, identifier: github`, "id: int_none, identifier: linear"]), [
      "--yes",
    ]);
    expect(wrong.err.split("\n")).toEqual([
      expect.stringMatching(/^plugboard.yaml:3:\d+: integrations\[1\]\.id: The workspace has no other integration/),
      expect.stringMatching(
        /^plugboard.yaml:2:\d+: integrations\[0\]\.identifier: Cannot be changed: this one has "linear"/,
      ),
      "",
    ]);
  });

  it("a step that fails ends the command, which says what is not done; the next run does the rest", async () => {
    // A provider and its integration are checked by the service only in their turn.
    const file = (type: string) => `
providers:
  - { id: own, name: Own, docs_url: https://own.test, addresses: { api: https://own.test }, auth: { none: {} } }
integrations:
  - { identifier: own, type: ${type} }
webhooks:
  - { name: Hook, url: https://app.acme.test/hook, events: { "*": true } }
`;
    const failed = await applier.apply(file("oauth2"), ["--yes"]);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("created provider own (own)");
    expect(failed.err.split("\n")).toEqual([
      expect.stringMatching(/^\+ integration own failed: .*type: Own supports none/),
      "Not done: + webhook Hook",
      "What was done before stays done. Run the command again to do the rest.",
      "",
    ]);
    const again = await applier.apply(file("oauth2"), ["--json"]);
    expect(again.err).toMatch(/^plugboard.yaml:5:\d+: integrations\[0\]\.type: Own supports none/);
    const rest = await applier.apply(file("none"), ["--yes", "--json"]);
    expect(rest).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(rest.out)).toMatchObject({
      applied: true,
      unchanged: 1,
      changes: [
        { section: "integrations", done: true, id: expect.stringMatching(/^int_/) },
        { section: "webhooks", done: true, id: expect.stringMatching(/^wh_/) },
      ],
    });
  });

  it("in a terminal it asks, and only yes makes the changes", async () => {
    const file = "tool_packs: [{ name: Agents, access: read }]\n";
    const questions: string[] = [];
    const answer = (text: string) => async (question: string) => {
      questions.push(question);
      return text;
    };
    expect(await applier.apply(file, [], { ask: answer("y") })).toMatchObject({ code: 3 });
    expect(await applier.platform("GET", "/tool-packs")).toEqual([]);
    expect(await applier.apply(file, [], { ask: answer(" yes ") })).toMatchObject({ code: 0 });
    expect(await applier.platform("GET", "/tool-packs")).toHaveLength(1);
    expect(await applier.apply(file, [], { ask: answer("yes") })).toMatchObject({ code: 0 });
    expect(questions).toHaveLength(2);
  });

  it("names with control characters cannot write to the terminal", async () => {
    await applier.platform("POST", "/tool-packs", { name: "Evil\u001b[2J\u202e\u009b", access: "read" });
    const { out } = await applier.apply("tool_packs: []\n", ["--prune"]);
    expect(out).toContain("- tool pack Evil\\u{1b}[2J\\u{202e}\\u{9b}\n");
  });
});

describe("plugboard apply --export", () => {
  it("the exported file, applied to the same workspace, changes nothing, and fits another one", async () => {
    await applyExample();
    await applier.platform("POST", "/integrations", { identifier: "linear", type: "api_key" });
    await applier.platform("POST", "/integrations", { identifier: "linear", type: "api_key" });
    const exported = await applier.apply(undefined, ["--export"]);
    expect(exported).toMatchObject({ code: 0, err: "" });
    expect(exported.out).toMatch(
      /^# Secrets are not exported\. .*\n# {3}GITHUB_CLIENT_SECRET\n# {3}HUBSPOT_SALES_CLIENT_SECRET\n\nworkspace:\n/,
    );
    expect(exported.out).toContain("integration_id: hubspot/Sales\n");
    expect(exported.out).toContain("mcp_tool_pack_id: Support agents\n");
    for (const secret of SECRETS.slice(0, 2)) expect(exported.out).not.toContain(secret);

    const secrets = { GITHUB_CLIENT_SECRET: SECRETS[0]!, HUBSPOT_SALES_CLIENT_SECRET: SECRETS[1]! };
    const again = await applier.apply(exported.out, [], { env: secrets });
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain("0 to create, 0 to change, 0 to delete, 11 unchanged.");
    expect(again.out).not.toContain("Only in the workspace");
    const missing = await applier.apply(exported.out, [], { env: { GITHUB_CLIENT_SECRET: SECRETS[0]! } });
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(
        /^plugboard.yaml:\d+:5: integrations\[1\]\.client_secret: The environment variable HUBSPOT_SALES_CLIENT_SECRET is not set\n$/,
      ),
    ]);

    const other = await newApplier(service, `other ${number}`);
    try {
      const elsewhere = exported.out.replaceAll(/ {4}id: int_.*\n/g, "").replace(/ {2}name: acme.*\n/, "");
      const text = elsewhere.replace(/ {2}- id: int_\w+\n {4}identifier: linear\n {4}type: api_key\n/g, "");
      const copied = await other.apply(text, ["--yes"], { env: secrets });
      expect(copied).toMatchObject({ code: 0, err: "" });
      expect((await other.apply(text, [], { env: secrets })).out).toContain("0 to create, 0 to change");
    } finally {
      other.remove();
    }
  });

  it("the secret of webhooks is a reference in the file, is stored as its value, and is exported as a reference", async () => {
    const file = `integrations:
  - { identifier: slack, type: oauth2, client_id: a, client_secret: env:CLIENT, hook_secret: env:SIGNING }`;
    const env = { CLIENT: "made-up-client", SIGNING: "made-up-signing" };
    const created = await applier.apply(file, ["--yes"], { env });
    expect(created).toMatchObject({ code: 0, err: "", out: expect.stringContaining("hook_secret: env:SIGNING\n") });
    expect(created.out).not.toContain(env.SIGNING);
    const [slack] = await applier.platform("GET", "/integrations");
    expect((await service.store.integrations.byId(slack.id))!.hook_secret).toBe(env.SIGNING);
    expect(await applier.apply(file, [], { env })).toMatchObject({ code: 0, err: "" });
    const rotated = await applier.apply(file, [], { env: { ...env, SIGNING: "made-up-other" } });
    expect(rotated.out).toContain("hook_secret: (secret) → env:SIGNING\n");
    const { out } = await applier.apply(undefined, ["--export"]);
    expect(out).toContain("hook_secret: env:SLACK_HOOK_SECRET\n");
  });

  it("the exported file of the sandbox, with every provider, changes nothing", async () => {
    const platform = createPlatform(service, service.apiKey);
    const count = (await platform("GET", "/v1/integrations?limit=100")).body.length;
    const asSandbox = { PLUGBOARD_API_KEY: service.apiKey };
    const { out } = await applier.apply(undefined, ["--export"], { env: asSandbox });
    const names = [...out.matchAll(/env:(\w+)/g)].map(([, name]) => name!);
    expect(new Set(names).size).toBe(names.length);
    const values = Object.fromEntries(names.map((name) => [name, "made-up"]));
    const planned = await applier.apply(out, ["--json"], { env: { ...asSandbox, ...values } });
    // The emulators' secrets are not made up: only they differ.
    const { changes, unchanged } = JSON.parse(planned.out);
    expect(planned.err).toBe("");
    expect(changes.flatMap(({ fields }: any) => fields.map(({ name }: any) => name))).toEqual(
      names.map(() => expect.stringMatching(/^(client_secret|private_key|hook_secret)$/)),
    );
    expect(changes.length + unchanged).toBeGreaterThan(count);
  });
});
