// Folders with a mistake: every one is named at the start, with its file and field, and nothing is served.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandResult, runCommand } from "../support/process.ts";
import { copyProvider, newFolder, removeFolder, writeFiles } from "./support.ts";

const manifest = (id: string, fields = "") => `import { get, type Manifest } from "plugboard/provider-kit";
const { ...manifest } = {
  id: "${id}",
  name: "A provider",
  docs: "https://docs.example.com",
  addresses: { api: "https://api.example.com" },
  auth: { api_key: { label: "Key", help: "https://example.com/keys" } } as object,
  check: get("/me"),
  ${fields}
};
export default manifest;
`;
const tasks = (operations: string) => `import { get, implement, list, one, tasks } from "plugboard/provider-kit";
const all = { maxPageSize: 10, items: (body: any) => body, next: () => null, request: () => get("/"), record: (item: any) => item };
export default implement(tasks, { ${operations} } as object);
`;

/** Files of a folder besides a valid manifest, and the line about it. */
const mistakes: [folder: string, files: Record<string, string>, line: string][] = [
  ["no-default", { "manifest.ts": "export const manifest = {};" }, "manifest.ts: the default export: is missing"],
  ["not-an-object", { "manifest.ts": "export default 5;" }, "manifest.ts: the default export: must be an object"],
  [
    "other-id",
    { "manifest.ts": manifest("other") },
    'manifest.ts: id: must be "other-id", the name of the folder, not "other"',
  ],
  ["Upper_Case", { "manifest.ts": manifest("Upper_Case") }, "manifest.ts: id: the folder's name must be lower-case"],
  ["github", {}, 'manifest.ts: id: there is already a provider "github"'],
  ["airtable", {}, 'manifest.ts: id: there is already a provider "airtable"'],
  [
    "no-label",
    { "manifest.ts": manifest("no-label", 'auth: { api_key: { help: "https://example.com" } },') },
    "manifest.ts: auth.api_key.label: is missing",
  ],
  ["no-auth", { "manifest.ts": manifest("no-auth", "auth: {},") }, "manifest.ts: auth: must not be empty"],
  [
    "unknown-field",
    { "manifest.ts": manifest("unknown-field", "retryafter: () => 1,") },
    "manifest.ts: retryafter: is unknown: did you mean retryAfter?",
  ],
  ["no-api", { "manifest.ts": manifest("no-api", "addresses: {},") }, "manifest.ts: addresses.api: is missing"],
  [
    "relative",
    { "manifest.ts": manifest("relative", 'addresses: { api: "/v1" },') },
    "manifest.ts: addresses.api: must be an address that starts with https://",
  ],
  [
    "no-setting",
    { "manifest.ts": manifest("no-setting", 'addresses: { api: "https://{site}.example.com" },') },
    "manifest.ts: addresses.api: {site} is not one of the settings",
  ],
  [
    "bad-pattern",
    { "manifest.ts": manifest("bad-pattern", 'settings: { a: { label: "A", pattern: "(" } },') },
    "manifest.ts: settings.a.pattern: must be a regular expression",
  ],
  [
    "no-token",
    { "manifest.ts": manifest("no-token", 'auth: { oauth2: { authorize: "a", token: "t", scopes: [] } },') },
    "manifest.ts: auth.oauth2.token: must be the name of one of the addresses: api",
  ],
  [
    "not-a-function",
    { "manifest.ts": manifest("not-a-function", 'failed: "never",') },
    "manifest.ts: failed: must be a function",
  ],
  [
    "unknown-category",
    { "task.ts": tasks("listTasks: all") },
    'task.ts: category: "tasks" is implemented in tasks.ts, not in task.ts',
  ],
  [
    "made-up-category",
    { "mail.js": 'export default { category: "mail", operations: { a: {} } };' },
    'mail.js: category: "mail" is none of the categories: identity, chat,',
  ],
  [
    "no-implementation",
    { "tasks.ts": "export default {};" },
    "tasks.ts: the default export: must be implement(tasks, { … })",
  ],
  [
    "unknown-operation",
    { "tasks.ts": tasks("listTask: all") },
    "tasks.ts: listTask: tasks has no such operation: did you mean listTasks?",
  ],
  [
    "wrong-kind",
    { "tasks.ts": tasks("listTasks: one({ request: () => get('/'), record: () => 1 } as any)") },
    'tasks.ts: listTasks.items: is missing, because the operation\'s kind is "list": see list() of the kit',
  ],
  [
    "no-mapper",
    { "tasks.ts": tasks("getTask: { request: () => get('/') }") },
    'tasks.ts: getTask.record: is missing, because the operation\'s kind is "one"',
  ],
  [
    "both-ways",
    { "tasks.ts": tasks("getTask: { ...all, load: async () => 1 }") },
    "tasks.ts: getTask: must have either request or load",
  ],
  ["syntax", { "tasks.ts": "const a = 1;\nconst b: = 2;" }, "tasks.ts:2: Unexpected token `=`"],
  [
    "syntax-in-helper",
    { "identity.js": 'import "./helper.js";', "helper.js": "\n\nlet let;" },
    "helper.js:3: Unexpected strict mode reserved word",
  ],
  ["throws", { "tasks.ts": "\nexport default nothing.at.all;" }, "tasks.ts:2: nothing is not defined"],
  [
    "package",
    { "tasks.ts": 'import axios from "axios";\nexport default axios;' },
    'tasks.ts: cannot import "axios": only plugboard/provider-kit, plugboard/provider-kit/sandbox,',
  ],
  ["socket", { "sandbox/index.ts": 'import "node:http";' }, 'sandbox/index.ts: cannot import "node:http": only'],
  [
    "neighbor",
    { "tasks.ts": 'import manifest from "../github/manifest.ts";\nexport default manifest;' },
    'tasks.ts: cannot import "../github/manifest.ts", which is not in the provider\'s own folder',
  ],
  ["missing-file", { "tasks.ts": 'export * from "./records";' }, "tasks.ts: Cannot find module"],
  [
    "unknown-export",
    { "tasks.ts": 'import { gett } from "plugboard/provider-kit";\nexport default gett;' },
    "tasks.ts:1: The requested module 'plugboard/provider-kit' does not provide an export named 'gett'. A type is imported with `import type`",
  ],
  [
    "enum-syntax",
    { "tasks.ts": "enum State { Open }\nexport default State;" },
    "tasks.ts:1: TypeScript enum is not supported in strip-only mode",
  ],
  ["two-manifests", { "manifest.js": "export default {};" }, " has both manifest.js and manifest.ts: keep one"],
  [
    "no-manifest",
    { "manifest.ts": "", "tasks.ts": tasks("listTasks: all") },
    " has a file for tasks, but no manifest.ts or manifest.js",
  ],
  [
    "no-routes",
    { "sandbox/index.ts": "export default { state: () => 1, failure: () => 1 };" },
    "sandbox/index.ts: routes: is missing",
  ],
  ["no-index", { "sandbox/data.ts": "export default 1;" }, "sandbox has no index.ts or index.js"],
  [
    "unknown-list",
    {
      "sandbox/index.ts":
        'export default { state: () => 1, failure: () => 1, routes: { "GET /": () => 1 }, changes: { "tasks.listTask": { impossible: {}, change: () => 1 } } };',
    },
    "sandbox/index.ts: changes.tasks.listTask: is not the id of a list: did you mean tasks.listTasks?",
  ],
  ["wrong-evidence", { "evidence.ts": "export default {};" }, "evidence.ts: descriptions: is missing"],
];

const folder = newFolder();
const dataDir = join(newFolder(), "data");
let result: CommandResult;
beforeAll(async () => {
  copyProvider(folder);
  writeFiles(folder, { "README.md": "none", "shared/notes.txt": "not a provider" });
  for (const [id, files] of mistakes)
    writeFiles(
      join(folder, id),
      "manifest.ts" in files ? withoutEmpty(files) : { "manifest.ts": manifest(id), ...files },
    );
  result = await runCommand(["start"], { PORT: "0", DATA_DIR: dataDir, PROVIDERS_DIR: folder });
});
afterAll(() => removeFolder(folder));

const withoutEmpty = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ""));

describe("a folder of providers with mistakes", () => {
  it("the process exits with 1 before it opens or serves anything", () => {
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each(mistakes)("the provider %s is refused, with its file and field", (id, _, line) => {
    const about = result.stderr.split("\n").filter((one) => one.includes(`${join(folder, id)}`));
    const separator = line.startsWith(" ") ? "" : "/";
    expect(about.map((one) => one.replaceAll(folder, "").slice(0, 250))).toContainEqual(
      expect.stringContaining(`PROVIDERS_DIR: /${id}${separator}${line}`),
    );
  });

  it("nothing is said about what is right, or about folders that are no providers", () => {
    const names = result.stderr
      .trim()
      .split("\n")
      .map((line) => line.replaceAll(`${folder}/`, "").match(/^plugboard: PROVIDERS_DIR: ([\w-]+)/)?.[1]);
    expect([...new Set(names)].sort()).toEqual(mistakes.map(([id]) => id).sort());
  });
});

it("a folder that does not exist, has no provider, or is one itself is refused", async () => {
  const empty = newFolder();
  const lines = await Promise.all(
    [join(empty, "nowhere"), empty, join(folder, "field-notes")].map(
      async (PROVIDERS_DIR) => (await runCommand(["providers"], { PROVIDERS_DIR })).stderr,
    ),
  );
  expect(lines).toEqual([
    expect.stringContaining("nowhere is not a folder"),
    expect.stringContaining("no folder in it has a manifest.ts or manifest.js"),
    expect.stringContaining("field-notes is the folder of a provider: give the folder that contains it"),
  ]);
  removeFolder(empty);
});
