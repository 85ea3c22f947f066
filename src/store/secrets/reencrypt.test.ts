import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { newConnection, newIntegration } from "../../../test/support/entities.ts";
import type { Store } from "../../contracts/store.ts";
import { createStore } from "../index.ts";
import { keysFromText } from "./key-source.ts";
import { createKeyring } from "./vault.ts";

await describeDatabases("re-encryption", (database) => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString("base64")) as [
    string,
    string,
  ];
  const open = (keys: string) => createStore({ url: database.url, keyring: createKeyring(keysFromText(keys)) });
  const ids = Array.from({ length: 120 }, () => `conn_${randomUUID()}`);
  const workspace_id = `ws_${randomUUID()}`;

  const code = {
    hash: "code",
    workspace_id,
    redirect_uri: "https://app.example.com/back",
    connection_id: "conn_reconnected",
    expires_at: new Date(Date.now() + 600_000).toISOString(),
    changes: { credentials: { token: "hush next" }, settings: {}, expires_at: null, refreshed_at: null },
    creates: null,
  };
  const creates = { integration_id: "int_1", integration_identifier: "github", external_id: null, metadata: null };
  const newCode = { ...code, hash: "new code", connection_id: "conn_new", creates };

  async function fill(store: Store) {
    await store.workspaces.create({ id: workspace_id, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
    await store.integrations.create(newIntegration({ id: "int_1", workspace_id, client_secret: "hush client" }));
    await store.connectFlows.open({
      id: "session",
      workspace_id,
      integration_id: "int_1",
      session_id: null,
      redirect_uri: "https://app.example.com/back",
      external_id: null,
      client_state: null,
      connection_id: null,
      code_verifier: "hush verifier",
      sign_in: {
        issuer: "https://auth.example",
        names_issuer: true,
        token_endpoint: "https://auth.example/token",
        revocation_endpoint: null,
        resource: "https://mcp.example/mcp",
        client: { id: "client", secret: "hush sign-in", how: "registered" },
        client_auth: "body",
      },
      browser: "browser",
      settings: {},
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    });
    await store.connectFlows.issue(code);
    await store.connectFlows.issue(newCode);
    await Promise.all(
      ids.map((id) =>
        store.connections.create(
          newConnection({ id, workspace_id, integration_id: "int_1", credentials: { token: "first" } }),
        ),
      ),
    );
  }

  it("re-encryption loses no credentials that are written at the same time with the old or the new key", async () => {
    const before = await open(oldKey);
    await fill(before);
    await before.close();

    // In reverse order of ids, so that the writers meet the re-encryption, which goes forward.
    const backwards = ids.toSorted().reverse();
    const startWriter = async (keys: string, mine: string[]) => {
      const file = new URL("../../../test/support/token-writer.ts", import.meta.url);
      const writer = new Worker(file, { workerData: { url: database.url, keys, ids: mine } });
      await once(writer, "message");
      return writer;
    };
    // The old key alone is refused once something is encrypted with the new one.
    const writers = [
      await startWriter(
        oldKey,
        backwards.filter((_, n) => n % 2 === 0),
      ),
      await startWriter(
        `${newKey},${oldKey}`,
        backwards.filter((_, n) => n % 2 === 1),
      ),
    ];
    const during = await open(`${newKey},${oldKey}`);
    const steps: number[] = [];
    await during.reencrypt((done) => steps.push(done));
    const tokens = await Promise.all(
      writers.map(async (writer) => {
        writer.postMessage("finish");
        const [latest] = await once(writer, "message");
        return [...(latest as Map<string, string>)];
      }),
    );
    const latest = new Map([...ids.map((id) => [id, "first"] as const), ...tokens.flat()]);

    const after = await Promise.all(
      ids.map(async (id) => [id, (await during.connections.load(id))?.connection.credentials.token]),
    );
    expect(new Map(after as [string, string][])).toEqual(latest);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBeGreaterThan(0);

    // Once nobody writes with the old key, another run re-encrypts the rest, and the old key is no longer needed.
    await during.reencrypt();
    expect(await during.reencrypt()).toBe(0);
    await during.close();

    const alone = await open(newKey);
    for (const id of ids) expect((await alone.connections.load(id))?.connection.credentials.token).toBe(latest.get(id));
    expect((await alone.integrations.get(workspace_id, "int_1"))?.client_secret).toBe("hush client");
    expect(await alone.connectFlows.take("session")).toMatchObject({
      code_verifier: "hush verifier",
      sign_in: { client: { secret: "hush sign-in" } },
    });
    await alone.connections.create(newConnection({ id: code.connection_id, workspace_id, integration_id: "int_1" }));
    expect((await alone.connectFlows.redeem(code.hash, code))?.credentials).toEqual({ token: "hush next" });
    expect((await alone.connectFlows.redeem(newCode.hash, newCode))?.credentials).toEqual({ token: "hush next" });
    for (const each of [code, newCode]) await alone.connections.delete(workspace_id, each.connection_id);
    await alone.close();
  });

  it("re-encryption continues past a value that cannot be decrypted, and names it at the end", async () => {
    const thirdKey = randomBytes(32).toString("base64");
    const damaged = ids[100]!;
    await database.run(
      `update connections set credentials = 'aes256gcm.00000000.${"A".repeat(60)}' where id = '${damaged}'`,
    );
    const store = await open(`${thirdKey},${newKey}`);
    const [{ events }] = (await database.run("select count(*) as events from events")) as [{ events: number | string }];
    await expect(store.reencrypt()).rejects.toThrow(
      `${120 + Number(events)} values were re-encrypted, but 1 cannot be decrypted: connections ${damaged}, column credentials: encrypted with key 00000000`,
    );
    await store.close();

    const alone = await open(thirdKey);
    const readable = ids.filter((id) => id !== damaged);
    await Promise.all(readable.map((id) => alone.connections.load(id)));
    expect(await alone.connections.load(damaged)).toMatchObject({ connection: { unreadable: true } });
    await alone.close();
  });
});
