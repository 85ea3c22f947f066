/**
 * A thread that gives connections new tokens every few milliseconds, until it gets a message; then it tells which token each
 * one has. A thread of its own, as a process would be: SQLite makes a writer wait without giving way to others.
 */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";

const { url, keys, ids } = workerData as { url: string; keys: string; ids: string[] };
const store = await createStore({ url, keyring: createKeyring(keysFromText(keys)) });
const latest = new Map<string, string>();
let finished = false;
parentPort!.once("message", () => {
  finished = true;
});
for (let n = 0; !finished; n += 1) {
  const id = ids[n % ids.length]!;
  const token = `updated ${n}`;
  await store.connections.update(id, { credentials: { token } });
  latest.set(id, token);
  if (n === 0) parentPort!.postMessage("writing");
  await setTimeout(5);
}
await store.close();
parentPort!.postMessage(latest);
