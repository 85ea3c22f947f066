// A wrong or missing encryption key stops the start, and one secret that cannot be decrypted harms nothing else.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callCommand } from "../support/command.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { newDataDir, runCommand } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";

const newKey = () => randomBytes(32).toString("base64");
const folders: string[] = [];
function newFolder(): string {
  const folder = newDataDir();
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("a wrong key", () => {
  it.each(["on", "off"])(
    "a wrong key stops the start with one line that names ENCRYPTION_KEY (SANDBOX=%s)",
    async (SANDBOX) => {
      const env = { DATA_DIR: newFolder(), SANDBOX };
      const ENCRYPTION_KEY = newKey();
      expect(await callCommand(["keys", "create", "--workspace", "a"], { ...env, ENCRYPTION_KEY })).toMatchObject({
        code: 0,
      });
      const refused = await runCommand(["start"], { ...env, PORT: "0", ENCRYPTION_KEY: newKey() });
      expect(refused.stderr).toMatch(
        /^plugboard: ENCRYPTION_KEY: the database's secrets are encrypted with key [0-9a-f]{8}, but the configured key is [0-9a-f]{8}\. Configure the key that was used before\n$/,
      );
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(await callCommand(["keys", "list"], { ...env, ENCRYPTION_KEY })).toMatchObject({ code: 0 });
    },
  );
});

describe("the key file", () => {
  it("a missing key file next to a database stops the start, and no new one is written", async () => {
    const env = { DATA_DIR: newFolder(), SANDBOX: "off", PORT: "0" };
    await callCommand(["keys", "create", "--workspace", "a"], env);
    const file = join(env.DATA_DIR, "encryption.key");
    const key = readFileSync(file, "utf8");
    rmSync(file);
    for (const { code, stdout, stderr } of [
      await runCommand(["start"], env),
      await callCommand(["keys", "rotate-encryption"], env),
    ]) {
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toBe(
        `plugboard: DATA_DIR: ${join(env.DATA_DIR, "plugboard.db")} exists, but its key file ${file} does not. Put the key file back, or set ENCRYPTION_KEY if the key was given there\n`,
      );
      expect(existsSync(file)).toBe(false);
    }
    writeFileSync(file, key);
    expect(await callCommand(["keys", "list"], env)).toMatchObject({ code: 0, stderr: "" });
  });

  it("a key file of another database stops the start, and gets no new key", async () => {
    const env = { DATA_DIR: newFolder(), SANDBOX: "off", PORT: "0" };
    await callCommand(["keys", "create", "--workspace", "a"], env);
    const file = join(env.DATA_DIR, "encryption.key");
    const foreign = `${newKey()}\n`;
    writeFileSync(file, foreign);
    for (const { code, stderr } of [
      await runCommand(["start"], env),
      await callCommand(["keys", "rotate-encryption"], env),
    ]) {
      expect(stderr).toContain(`plugboard: DATA_DIR: the keys in ${file} are not those of the database: `);
      expect([code, stderr.split("\n").length]).toEqual([1, 2]);
    }
    expect(readFileSync(file, "utf8")).toBe(foreign);
  });

  it("an ENCRYPTION_KEY that is set for a database with a key file is refused, and the line says how to go back", async () => {
    const env = { DATA_DIR: newFolder() };
    await callCommand(["keys", "create", "--workspace", "a"], env);
    const { code, stderr } = await callCommand(["keys", "list"], { ...env, ENCRYPTION_KEY: newKey() });
    expect(stderr).toMatch(/^plugboard: ENCRYPTION_KEY: .*, or unset it to use \S+encryption\.key\n$/);
    expect(code).toBe(1);
  });
});

describe("one secret that cannot be decrypted", () => {
  let service: TestService;
  let platform: Platform;
  const damaged = () => service.connections.github!;

  beforeAll(async () => {
    service = await startService();
    platform = createPlatform(service, service.apiKey);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(service.config.dataDir, "plugboard.db"));
    const stray = `aes256gcm.00000000.${"A".repeat(60)}`;
    database.prepare("update connections set credentials = ? where id = ?").run(stray, damaged());
    database
      .prepare("update integrations set client_secret = ? where id = ?")
      .run(stray, service.integrations.gitlab ?? "");
    database.close();
  });
  afterAll(() => service?.close());

  const call = (path: string, connection: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": connection, ...init.headers },
    });

  it("a secret that cannot be decrypted leaves the lists as they were, with the connection invalid", async () => {
    const [connections, integrations] = [
      await platform("GET", "/v1/connections?limit=100"),
      await platform("GET", "/v1/integrations?limit=100"),
    ];
    expect([connections.status, integrations.status]).toEqual([200, 200]);
    expect(integrations.body).toHaveLength(Object.keys(service.integrations).length);
    const invalid = connections.body.filter(({ is_valid }: { is_valid: boolean }) => !is_valid);
    expect(invalid).toEqual([
      expect.objectContaining({ id: damaged(), invalid_reason: expect.stringContaining("cannot be decrypted") }),
    ]);
    expect(connections.body).toHaveLength(Object.keys(service.connections).length);
  });

  it("a connection whose secret cannot be decrypted is shown as invalid with a reason", async () => {
    const { status, body } = await platform("GET", `/v1/connections/${damaged()}`);
    expect([status, body.is_valid]).toEqual([200, false]);
    expect(body.invalid_reason).toBe(
      "the stored credentials cannot be decrypted: connect again, or restore the encryption key",
    );
  });

  it("calls over a connection whose secret cannot be decrypted get a clear error on every surface, not a 500", async () => {
    const unified = await call("/unified/v1/git/repos", damaged());
    expect([unified.status, await unified.json()]).toEqual([
      404,
      {
        success: false,
        errors: [
          expect.objectContaining({
            code: 7002,
            message: "Not Found",
            detail:
              "the connection's stored credentials cannot be decrypted: connect again, or restore the encryption key",
          }),
        ],
      },
    ]);
    for (const path of ["/proxy/user", "/mcp"]) {
      const answer = await call(path, damaged(), path === "/mcp" ? { method: "POST", body: "{}" } : {});
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          status: 400,
          code: "connection_unreadable",
          message: "The connection's stored credentials cannot be decrypted",
        },
      ]);
    }
  });

  it("a secret that cannot be decrypted is logged once, with its id", () => {
    const lines = service
      .logs()
      .split("\n")
      .filter((line) => line.includes("a stored secret cannot be decrypted") && line.includes(damaged()));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: "warn", table: "connections", id: damaged() });
    expect(service.logs()).not.toContain('"level":"error"');
  });

  it("an integration whose secret cannot be decrypted has usable connections, and asks for the secret when it is needed", async () => {
    const [id, connection] = [service.integrations.gitlab!, service.connections.gitlab!];
    expect((await call("/unified/v1/git/repos?limit=1", connection)).status).toBe(200);
    expect((await platform("GET", `/v1/integrations/${id}`)).status).toBe(200);

    await service.store.connections.update(connection, { expires_at: "2020-01-01T00:00:00.000Z" });
    await service.parts.coordination.invalidate("connection", connection);
    const expired = await call("/unified/v1/git/repos?limit=1", connection);
    expect([expired.status, ((await expired.json()) as any).errors[0].detail]).toEqual([
      404,
      "the integration's client secret cannot be decrypted: set it again, or restore the encryption key",
    ]);

    const refused = await platform("PATCH", `/v1/integrations/${id}`, { scopes: [] });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { client_secret: ["The stored client secret cannot be decrypted: set it again"] },
    ]);
    expect((await platform("PATCH", `/v1/integrations/${id}`, { client_secret: "sandbox" })).status).toBe(200);
    expect((await call("/unified/v1/git/repos?limit=1", connection)).status).toBe(200);
  });

  it("a connection whose secret cannot be decrypted can be deleted", async () => {
    expect((await platform("DELETE", `/v1/connections/${damaged()}`)).body).toEqual({ success: true });
    expect((await platform("GET", `/v1/connections/${damaged()}`)).status).toBe(404);
  });
});
