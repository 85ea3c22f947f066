// Files that `plugboard apply` refuses, and how it says why.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../../src/commands/apply/kinds.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Applier, newApplier } from "./support/apply.ts";

let service: TestService;
let applier: Applier;
beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  applier = await newApplier(service, "acme");
});
afterAll(async () => {
  applier?.remove();
  await service?.close();
});

const SECRET = "made-up-secret";
const HOOK = "url: https://app.acme.test, events: { '*': true }";

/** What is wrong with a file that must not change anything. */
async function problemsOf(file: string, env: Record<string, string> = {}): Promise<string[]> {
  const { code, out, err } = await applier.apply(file, ["--yes", "--prune"], { env });
  expect([code, out]).toEqual([1, ""]);
  expect(err).not.toContain(SECRET);
  return err.trimEnd().split("\n");
}

describe("a file that is invalid", () => {
  it.each<[string, string, string | RegExp]>([
    [
      "an unknown section",
      "webhook: []",
      /^1:1: webhook: Unknown field; did you mean webhooks\? Known fields: tool_packs/,
    ],
    [
      "an unknown field",
      "integrations:\n  - identifier: github\n    type: oauth2\n    client_sercet: env:X",
      /^4:5: integrations\[0\]\.client_sercet: Unknown field; did you mean client_secret\?/,
    ],
    ["a missing field", `webhooks:\n\n  - { ${HOOK} }`, /^3:5: webhooks\[0\]\.name: Required: a string of 1 to 200/],
    [
      "a number as a text",
      `webhooks: [{ name: 1, ${HOOK} }]`,
      /^1:14: webhooks\[0\]\.name: Must be a string .*; put it in quotes$/,
    ],
    ["a section that is no list", "tool_packs: { name: A, access: read }", /^1:1: tool_packs: Must be an array/],
    ["an entry that is no map", "tool_packs: [read]", /^1:14: tool_packs\[0\]: Must be an object/],
    ["a list instead of sections", "- workspace", /^1:1: Must be an object/],
    [
      "a value that is none of a few",
      "tool_packs: [{ name: A, access: all }]",
      /^1:25: tool_packs\[0\]\.access: Must be one of read, write/,
    ],
    [
      "a wrong value deep inside",
      "custom_fields: [{ record: crm.contact, name: a, type: string,\n paths: { hubspot: 1 } }]",
      /^2:11: custom_fields\[0\]\.paths\.hubspot: Must be a string/,
    ],
    [
      "two entries of one name",
      `webhooks:\n  - { name: A, ${HOOK} }\n  - { name: A, ${HOOK} }`,
      "3:5: webhooks[1]: webhook A is in the file already: webhooks[0]",
    ],
    [
      "an unknown field in a provider",
      "providers:\n  - { id: own, name: Own, docs_url: https://own.test, headrs: {}, addresses: { api: https://own.test }, auth: { none: {} } }",
      /providers\[0\]\.headrs: is unknown; did you mean headers\?/,
    ],
    [
      "an undefined variable",
      "integrations: [{ identifier: github, type: oauth2, client_id: a, client_secret: env:NOT_SET }]",
      "1:66: integrations[0].client_secret: The environment variable NOT_SET is not set",
    ],
    [
      "a missing file",
      "integrations: [{ identifier: github, type: oauth2, client_id: a, client_secret: file:none }]",
      /^1:66: integrations\[0\]\.client_secret: Cannot read the file .*none: ENOENT$/,
    ],
    [
      "a folder as a file",
      "integrations: [{ identifier: github, type: oauth2, client_id: a, client_secret: file:. }]",
      /: it is no file of at most 64 kB$/,
    ],
    [
      "a secret",
      `integrations:\n  - identifier: github\n    type: oauth2\n    client_id: a\n    client_secret: ${SECRET}`,
      "5:5: integrations[0].client_secret: A secret must not be in the file: write client_secret: env:NAME or file:PATH",
    ],
    [
      "a secret of webhooks",
      `integrations:\n  - { identifier: slack, type: oauth2, client_id: a,\n      hook_secret: ${SECRET} }`,
      "3:7: integrations[0].hook_secret: A secret must not be in the file: write hook_secret: env:NAME or file:PATH",
    ],
    [
      "a secret in a list",
      `integrations: [{ identifier: github, type: oauth2, private_key: [${SECRET}] }]`,
      /private_key: Must be a string/,
    ],
    ["no YAML", `workspace: {\n  name: "${SECRET}`, /^2:\d+: /],
    ["wrong indentation", `workspace:\n  name: ${SECRET}\n logo_url: b`, /^3:\d+: /],
    ["an unexpected token", `workspace: ]${SECRET}\n`, /^1:\d+: This is not valid YAML$/],
    ["a secret as an alias", `workspace: *${SECRET}`, "1:12: There is no anchor of this name before the alias"],
    ["a secret as a tag", `workspace: !${SECRET} a`, "1:12: Tags are not supported"],
    ["a secret with an escape", `workspace: { name: "\\u${SECRET}" }`, /^1:\d+: This escape sequence is not valid/],
    ["a map as a key", `? { name: ${SECRET} }\n: a`, "1:3: The name of a field must be a text"],
    ["a key twice", "workspace:\n  name: a\n  name: b", /^3:3: Map keys must be unique$/],
    ["two documents", "workspace: {}\n---\nworkspace: {}", /^2:1: /],
    ["a tag", "workspace: !!js/function 'a'", "1:12: Tags are not supported"],
    ["an alias of nothing", "workspace: *none", "1:12: There is no anchor of this name before the alias"],
    ["an alias of what it is in", "workspace: &a { name: *a }", /^1:1: An alias must not be inside of what it names$/],
    ["a prototype", "__proto__: { polluted: 1 }\nconstructor: 1", /^1:1: __proto__: Unknown field/],
    ["brackets without end", "[".repeat(100_000), /^1:1: It is nested too deeply$|^1:\d+: /],
  ])("%s is reported with its line, column and field", async (_, file, expected) => {
    const problems = await problemsOf(file);
    const first = problems[0]!.replace(/^plugboard\.yaml:/, "");
    if (typeof expected === "string") expect(first).toBe(expected);
    else expect(first).toMatch(expected);
    expect(({} as any).polluted).toBeUndefined();
  });

  it("every field that is never returned is a secret", () => {
    for (const { schema, secrets = [] } of kinds) {
      const fields = Object.entries(schema.properties).filter(([, field]) =>
        JSON.stringify(field).includes("never returned"),
      );
      expect(fields.map(([name]) => name)).toEqual(secrets);
    }
  });

  it("aliases that multiply are refused quickly", async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh"])
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
    expect(await problemsOf(bomb.join("\n"))).toEqual(["plugboard.yaml:1:1: There are too many aliases of aliases"]);
  });

  it("all problems are reported together, also as JSON, and the service is asked only about a valid file", async () => {
    const file = `tool_packs: [{ name: A, access: all }]\nwebhooks:\n  - { name: A, ${HOOK}, enabled: 1, secret: ${SECRET} }\n`;
    expect((await problemsOf(file)).map((line) => line.split(": ", 2).join())).toEqual(
      [
        "plugboard.yaml:1:25,tool_packs[0].access",
        "plugboard.yaml:3:88,webhooks[0].secret",
        "plugboard.yaml:3:76,webhooks[0].enabled",
      ].map((text) => expect.stringContaining(text.split(",")[1]!)),
    );
    const json = await applier.apply(file, ["--json"], { env: { PLUGBOARD_URL: "http://127.0.0.1:9" } });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out).problems).toContainEqual({
      line: 1,
      column: 25,
      field: "tool_packs[0].access",
      message: "Must be one of read, write",
    });
  });

  it("what the service refuses is reported in the same way, before anything is changed", async () => {
    const file = `workspace:
  accent_color: blue
  mcp_tool_pack_id: Nobody
integrations:
  - identifier: gihtub
    type: oauth2
  - identifier: zendesk
    type: oauth2
    client_id: a
    client_secret: env:SECRET
    settings:
      nonsense: a
webhooks:
  - name: A
    url: https://app.acme.test
    events: { nothing.ever: true }
custom_fields:
  - { record: crm.contract, name: a, type: string, paths: { hubspot: /a } }
  - record: crm.contact
    name: b
    type: string
    paths: { hubspot: properties }
    integration_id: hubspot
tool_packs:
  - name: A
    access: read
    hide: [crm.contact.emial]
providers:
  - { id: github, name: Own, docs_url: https://own.test, addresses: { api: https://own.test }, auth: { none: {} } }
`;
    const problems = await problemsOf(file, { SECRET });
    expect(problems).toEqual([
      expect.stringMatching(
        /^plugboard.yaml:27:5: tool_packs\[0\]\.hide: There is no field crm\.contact\.emial: did you mean/,
      ),
      expect.stringMatching(/^plugboard.yaml:29:5: providers\[0\]: Conflict: GitHub is built in/),
      expect.stringMatching(
        /^plugboard.yaml:5:5: integrations\[0\]\.identifier: Unknown provider: gihtub; did you mean github\?/,
      ),
      expect.stringMatching(/^plugboard.yaml:12:7: integrations\[1\]\.settings\.nonsense: Not a setting/),
      expect.stringMatching(
        /^plugboard.yaml:18:\d+: custom_fields\[0\]\.record: There is no record crm\.contract: did you mean/,
      ),
      expect.stringMatching(/^plugboard.yaml:22:14: custom_fields\[1\]\.paths\.hubspot: Must be a JSON Pointer/),
      expect.stringMatching(/^plugboard.yaml:16:5: webhooks\[0\]\.events: Unknown event types/),
      expect.stringMatching(/^plugboard.yaml:2:3: workspace\.accent_color: Must be a hexadecimal color/),
    ]);
    expect(await applier.platform("GET", "/tool-packs")).toEqual([]);
  });

  it("a file that is too large, missing or no file is refused", async () => {
    await expect(applier.apply(`# ${"x".repeat(2 * 1024 * 1024)}\n`)).rejects.toThrow(/larger than 2 MB/);
    await expect(applier.apply(undefined, ["-f", `${applier.folder}/none`])).rejects.toThrow(
      /cannot read .*none: ENOENT/,
    );
    await expect(applier.apply(undefined, ["-f", applier.folder])).rejects.toThrow(/cannot read .*: EISDIR/);
  });

  it("anchors, JSON and an empty file work", async () => {
    const anchors = `webhooks:\n  - { name: A, url: https://app.acme.test, events: &all { "*": true } }\n  - { name: B, url: https://app.acme.test, events: *all }\n`;
    expect((await applier.apply(anchors)).out).toContain("2 to create");
    expect((await applier.apply(JSON.stringify({ tool_packs: [{ name: "A", access: "read" }] }))).out).toContain(
      "1 to create",
    );
    expect(await applier.apply("", ["--prune"])).toMatchObject({ code: 0, err: "" });
  });
});
