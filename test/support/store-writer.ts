/**
 * A process that opens the store and creates connections as fast as it can; it prints each one's id once the creation
 * was answered. Arguments: address of the database, key file, how many.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { createStore } from "../../src/store/index.ts";
import { keysFromFile } from "../../src/store/key-source.ts";
import { createKeyring } from "../../src/store/vault.ts";

const [url = "", keyFile = "", count = "Infinity"] = process.argv.slice(2);
const store = await createStore({ url, keyring: createKeyring(keysFromFile(keyFile)) });

const workspace = await store.workspaces.create({
  id: `ws_${randomUUID()}`,
  name: "writer",
  client_id: randomUUID(),
  redirect_uris: [],
});

let begun = 0;
async function write(): Promise<void> {
  while (begun < Number(count)) {
    begun += 1;
    const { id } = await store.connections.create({
      id: `conn_${randomUUID()}`,
      workspace_id: workspace.id,
      integration_id: "int_1",
      integration_identifier: "example",
      external_id: null,
      credentials: { token: "made up" },
      settings: {},
      metadata: null,
      is_valid: true,
      invalid_reason: null,
      expires_at: null,
      refreshed_at: null,
    });
    writeSync(1, `${id}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, write));
await store.close();
