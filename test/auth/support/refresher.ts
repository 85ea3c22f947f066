/**
 * A process that refreshes connections until it is killed. Arguments: the database's address, the encryption key, the
 * id of the workspace, the ids of the connections.
 */
import { flushCompileCache } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { UNBOUND } from "../../../src/contracts/access.ts";
import { createMemoryCoordination } from "../../../src/coordination/memory.ts";
import { createEngine } from "../../../src/engine/index.ts";
import { createStore } from "../../../src/store/index.ts";
import { keysFromText } from "../../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../../src/store/secrets/vault.ts";
import { scripted } from "./toy-providers.ts";

const [url = "", key = "", workspaceId = "", ...connections] = process.argv.slice(2);
const keyring = createKeyring(keysFromText(key));
const store = await createStore({ url, keyring });
const engine = createEngine({
  store,
  coordination: createMemoryCoordination(store),
  providers: [scripted("scripted")],
  readDocument: () => scripted("scripted"),
  telemetry: { upstream() {}, refresh() {}, warn: console.error } as any,
  upstreamTimeoutMs: 20_000,
  upstreamRetryTimeoutMs: 10_000,
  upstreamMaxBodyBytes: 1024 * 1024,
  upstreamMaxValues: 10_000,
  allowPrivateUpstreams: true,
  sandboxUrl: undefined,
  publicSandboxUrl: undefined,
  callbackUrl: "http://127.0.0.1/callback",
  hooksUrl: "http://127.0.0.1/hooks",
  localHooksUrl: "http://127.0.0.1/hooks",
  hookKeys: () => keyring.derive("hook"),
  sealingKeys: () => keyring.derive("cursor"),
});
// Makes the next process start faster. This one is killed, so Node would not write the cache at its end.
flushCompileCache();
const user = { workspace: { id: workspaceId }, ...UNBOUND };

await Promise.all(
  connections.map(async (id) => {
    for (;;) {
      await engine.authorize({ user, connectionId: id, limit: { points: 1e9, seconds: 60, group: "test" } });
      // Long enough for the short-lived token to expire.
      await wait(25);
    }
  }),
);
