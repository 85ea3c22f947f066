import { hash, randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandEntry } from "../../src/command-entry.ts";
import type { MovedRow } from "../../src/contracts/moving.ts";
import { callCommand } from "../support/command.ts";
import { type AnyDatabase, testDatabases } from "../support/databases.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { newDataDir } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";
import { commandEnv, readAll } from "./support.ts";

const EXPORT_PASSPHRASE = "correct horse battery";
const WORKSPACE = "Søren's workspace";

/** Fills a workspace with something of every kind, and returns what is needed to use it. */
async function fill(service: TestService) {
  const apiKey = await service.createWorkspace(WORKSPACE);
  const { workspace } = (await service.store.keys.byHash(hash("sha256", apiKey)))!;
  const platform = createStrictPlatform(service, apiKey);
  const integration = await platform("POST", "/integrations", {
    identifier: "github",
    type: "oauth2",
    client_id: "client-of-acme",
    client_secret: "secret-of-acme",
    base_url: "sandbox",
  });
  const { credentials } = service.sandbox.credentials("github", "oauth2");
  const connection = await platform("POST", "/connections", {
    integration_id: integration.id,
    external_id: "user-of-acme",
    auth_token: credentials.token,
    metadata: { plan: "metadata-of-acme" },
  });
  await platform("POST", "/webhooks", {
    name: "hook-of-acme",
    url: "https://receiver-of-acme.example/hook?token=webhook-token",
    events: { "connection.created": true },
  });
  await platform("POST", "/custom-fields", {
    record: "git.repository",
    name: "field_of_acme",
    type: "string",
    paths: { github: "/license/key" },
    connection_id: connection.id,
  });
  const pack = await platform("POST", "/tool-packs", { name: "pack-of-acme", categories: ["git"], access: "read" });
  await platform("POST", "/api-keys", { name: "key-of-acme", scopes: ["unified:read"] });
  await platform("POST", "/providers", {
    id: "api-of-acme",
    name: "API of Acme",
    docs_url: "https://api.acme.example/docs",
    addresses: { api: "https://api.acme.example" },
    auth: { api_key: { in: "header", name: "authorization", prefix: "Bearer ", label: "Key" } },
  });
  const subscription = await platform("POST", "/subscriptions", {
    connection_id: connection.id,
    operation: "git.listRepositories",
    include_existing: true,
    interval_seconds: 60,
  });
  const paused = await platform("POST", "/subscriptions", {
    connection_id: connection.id,
    operation: "git.listRepositories",
    parameters: {},
    interval_seconds: 120,
  });
  await platform("POST", `/subscriptions/${paused.id}/pause`);
  await addMcpGrant(service, workspace.id, connection.id, pack.id);
  await vi.waitUntil(async () => (await platform("GET", `/subscriptions/${subscription.id}`)).last_run?.finished_at, {
    timeout: 60_000,
  });
  return {
    apiKey,
    workspaceId: workspace.id,
    connectionId: connection.id as string,
    subscriptionId: subscription.id as string,
  };
}

async function addMcpGrant({ store }: TestService, workspace_id: string, connection_id: string, tool_pack_id: string) {
  const at = Date.now() * 1000;
  const [client_id, grant_id] = [`mcp_${randomUUID()}`, `grant_${randomUUID()}`];
  const grant: MovedRow = {
    id: grant_id,
    workspace_id,
    key_id: null,
    client_id,
    client_name: "Agent of Acme",
    redirect_host: "agent-of-acme.example",
    external_id: "user-of-acme",
    actor: JSON.stringify({ kind: "person", id: "user-of-acme", name: null }),
    connection_ids: JSON.stringify([connection_id]),
    access: "read",
    call_api: 0,
    tool_pack_id,
    may_add_accounts: 0,
    browser: "browser",
    resource: "https://plugboard.example/unified/v1/mcp",
    expires_at: null,
    last_used_at: null,
    created_at: at,
  };
  const tables: Record<string, MovedRow> = {
    mcp_clients: { id: client_id, name: "Agent of Acme", redirect_uris: "[]", created_at: at, last_used_at: at },
    mcp_grants: grant,
    mcp_refresh_tokens: { hash: hash("sha256", randomUUID()), grant_id, used_at: null, expires_at: at * 2 },
    mcp_access_tokens: { hash: hash("sha256", randomUUID()), grant_id, expires_at: at * 2 },
  };
  const rows = Object.entries(tables).map(([table, row]) => ({ table, rows: [row] }));
  const entry = (id: string) => commandEntry("test", id, { action: "workspace.test", id });
  await store.moving.write(rows, { different: "refuse", entry });
}

const listRepos = async ({ url }: TestService, apiKey: string, connectionId: string) =>
  fetch(`${url}/unified/v1/git/repos?limit=2`, {
    headers: { authorization: `Bearer ${apiKey}`, "SVC-Connection-ID": connectionId },
  });

const [source, target] = (await testDatabases()) as [AnyDatabase, AnyDatabase | undefined];

describe.skipIf(!target)("moving everything from SQLite to Postgres", () => {
  const folder = newDataDir();
  const file = join(folder, "everything.plugboard");
  let from: TestService;
  let to: TestService;
  let filled: Awaited<ReturnType<typeof fill>>;
  let exported: MovedRow[];
  let platform: StrictPlatform;
  const importFile = (...args: string[]) =>
    callCommand(["import", file, ...args], { ...commandEnv(target!), EXPORT_PASSPHRASE });

  beforeAll(async () => {
    from = await startService({ env: source.env });
    filled = await fill(from);
    await from.parts.stop();
    to = await startService({ env: target!.env });
    platform = createStrictPlatform(to, filled.apiKey);
  });
  afterAll(async () => {
    await to?.close();
    await Promise.all([source.drop(), target!.drop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("an export names what it has, is for its owner only, and is in the audit log", async () => {
    const { code, stdout, stderr } = await callCommand(["export", file], { ...commandEnv(source), EXPORT_PASSPHRASE });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^workspaces +1$/m);
    expect(stdout).toMatch(/^tracked records +[1-9]/m);
    expect(stdout).toContain('The workspace "sandbox" is not in it');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { rows, audit } = await readAll(source, [filled.workspaceId]);
    exported = rows.map(({ row }) => row);
    expect(new Set(rows.map(({ table }) => table)).size).toBe(14);
    expect(audit[0]).toMatchObject({
      action: "workspace.export",
      actor: { kind: "command", name: "plugboard export" },
    });
  });

  it("an export tells nothing to somebody without its passphrase", () => {
    const bytes = readFileSync(file, "latin1");
    const texts = exported.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string");
    const searched = [
      ...new Set([...texts, WORKSPACE, ...from.sandbox.credentials("github", "oauth2").credentials.token!.split(".")]),
    ].filter((text) => text.length > 3);
    expect(searched.length).toBeGreaterThan(100);
    expect(searched.join()).toContain("secret-of-acme");
    for (const text of [...searched, "acme", "github", "connections", "workspaces"]) {
      expect(bytes.includes(text), text).toBe(false);
      expect(bytes.includes(Buffer.from(text).toString("base64").slice(0, -4)) && text.length > 8, text).toBe(false);
    }
  });

  it("an export overwrites no file, does not begin without a passphrase, and says if it cannot be written", async () => {
    const again = await callCommand(["export", file], { ...commandEnv(source), EXPORT_PASSPHRASE });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
    const without = await callCommand(["export", `${file}2`], commandEnv(source));
    expect(without.stderr).toBe(
      "plugboard: EXPORT_PASSPHRASE: required without a terminal; must be at least 12 characters\n",
    );
    const short = await callCommand(["export", `${file}2`], { ...commandEnv(source), EXPORT_PASSPHRASE: "short" });
    expect(short.stderr).toBe("plugboard: EXPORT_PASSPHRASE: must be at least 12 characters\n");
    const nowhere = join(folder, "missing", "file");
    const unwritten = await callCommand(["export", nowhere], { ...commandEnv(source), EXPORT_PASSPHRASE });
    expect([unwritten.code, unwritten.stderr]).toEqual([
      1,
      `plugboard: ENOENT: no such file or directory, open '${nowhere}.partial'\n`,
    ]);
  });

  it("a dry run counts what is new, and writes nothing", async () => {
    const { code, stdout } = await importFile("--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WOULD BE IMPORTED +NEW +SAME +DIFFERENT$/m);
    expect(stdout).toMatch(/^connections +1 +0 +0$/m);
    expect((await to.store.workspaces.list()).map(({ name }) => name)).toEqual(["sandbox"]);
  });

  it("a wrong passphrase, a damaged file and one that was cut off import nothing", async () => {
    const wrong = await callCommand(["import", file], {
      ...commandEnv(target!),
      EXPORT_PASSPHRASE: "another passphrase",
    });
    expect(wrong.stderr).toMatch(/cannot be read: the passphrase is another one, or the file is damaged\n$/);
    const whole = readFileSync(file);
    const cut = join(folder, "cut");
    writeFileSync(cut, whole.subarray(0, whole.length - 100));
    const env = { ...commandEnv(target!), EXPORT_PASSPHRASE };
    expect((await callCommand(["import", cut], env)).stderr).toMatch(/cannot be read: .*damaged/);
    expect((await to.store.workspaces.list()).map(({ name }) => name)).toEqual(["sandbox"]);
  });

  it("an import has the same ids and contents, under the keys of the other store", async () => {
    const { code, stdout, stderr } = await importFile();
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^connections +1 +0 +0$/m);
    const { rows, audit } = await readAll(target!, [filled.workspaceId]);
    const withoutRuns = (moved: typeof rows) => moved.filter(({ table }) => table !== "subscriptions");
    const before = await readAll(source, [filled.workspaceId]);
    expect(withoutRuns(rows)).toEqual(withoutRuns(before.rows));
    expect(audit[0]).toMatchObject({
      action: "workspace.import",
      actor: { kind: "command", name: "plugboard import" },
    });
    expect(await target!.bytes()).not.toContain("secret-of-acme");
  });

  it("the same API key and connection work in the other installation", async () => {
    const response = await listRepos(to, filled.apiKey, filled.connectionId);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { response: { data: unknown[] } }).response.data).toHaveLength(2);
  });

  it("a subscription goes on where it was, and emits nothing again", async () => {
    const before = JSON.parse(exported.find(({ id }) => id === filled.subscriptionId)!.last_run as string);
    expect(before.created).toBeGreaterThan(0);
    const lastRun = async () => (await platform("GET", `/subscriptions/${filled.subscriptionId}`)).last_run;
    await expect
      .poll(async () => {
        const { started_at, finished_at } = await lastRun();
        return started_at > before.started_at && finished_at !== null;
      })
      .toBe(true);
    expect(await lastRun()).toMatchObject({ created: 0, updated: 0, deleted: 0, error: null });
    const { data } = await platform("GET", "/events?limit=100");
    expect(data.filter(({ type }: { type: string }) => type.startsWith("git."))).toEqual([]);
    const [, paused] = await platform("GET", "/subscriptions");
    expect(paused).toMatchObject({ status: "paused", next_run: null });
  });

  it("an import that conflicts with what was changed here imports nothing, and says with what", async () => {
    await platform("PATCH", `/connections/${filled.connectionId}`, { external_id: "another user" });
    const { code, stderr, stdout } = await importFile();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^connections +0 +0 +1$/m);
    expect(stdout).toMatch(/^api keys +0 +2 +0$/m);
    expect(stderr).toContain(`nothing was imported: connections ${filled.connectionId}: exists with another content`);
  });

  it("a workspace is not imported beside another one of the same name", async () => {
    const { code, stderr } = await callCommand(["export", `${file}3`, "--workspace", "sandbox"], {
      ...commandEnv(source),
      EXPORT_PASSPHRASE,
    });
    expect([code, stderr]).toEqual([0, ""]);
    const imported = await callCommand(["import", `${file}3`], { ...commandEnv(target!), EXPORT_PASSPHRASE });
    expect(imported.stderr).toMatch(
      /nothing was imported: workspaces: the name "sandbox" belongs to another workspace/,
    );
  });
});
