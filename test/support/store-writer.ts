/**
 * A process that creates connections with their audit entries as fast as it can, and prints the id of each one that the store has confirmed.
 * Arguments: the database's address, the key file, how many.
 */
import { writeSync } from "node:fs";
import { newId } from "../../src/runtime/ids.ts";
import { createStore } from "../../src/store/index.ts";
import { keysFromFile } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { auditEntry } from "../../src/surfaces/shared/audit.ts";
import { newConnection } from "./entities.ts";

const [url = "", keyFile = "", count = "Infinity"] = process.argv.slice(2);
const store = await createStore({ url, keyring: createKeyring(keysFromFile(keyFile)) });

const workspace = await store.workspaces.create({
  id: newId("ws"),
  name: "writer",
  client_id: newId("client"),
  redirect_uris: [],
});

const ACTOR = { kind: "system", id: null, name: "writer" } as const;
let started = 0;
async function write(): Promise<void> {
  while (started < Number(count)) {
    started += 1;
    const { id } = await store.change(
      workspace.id,
      ({ connections }) =>
        connections.create(newConnection({ workspace_id: workspace.id, credentials: { token: "made up" } })),
      (created) => auditEntry(workspace.id, ACTOR, { action: "connection.create", id: created.id }),
    );
    writeSync(1, `${id}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, write));
await store.close();
