import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config/index.ts";
import type { Provider } from "./contracts/provider.ts";
import { providers } from "./providers/registry.gen.ts";
import { createLogger } from "./runtime/logger.ts";
import { exampleCall, type SandboxFile } from "./sandbox-workspace.ts";
import { createService } from "./service.ts";

const marked = providers.filter(({ manifest }) => manifest.firstCall);

/** A copy of a provider under another id. */
const renamed = ({ manifest, categories }: Provider, id: string, firstCall?: true): Provider => ({
  manifest: { ...manifest, id, firstCall },
  categories,
});

const file = (...ids: string[]): SandboxFile => ({
  api_key: "sk_key",
  client_id: "client_id",
  urls: { unified: "http://x/unified", platform: "", auth: "", proxy: "", mcp: "" },
  connections: Object.fromEntries(ids.map((id) => [id, `conn_${id}`])),
  integrations: {},
});

describe("the call that the start prints", () => {
  it("exactly one provider is marked for the call that the start prints", () => {
    expect(marked).toHaveLength(1);
  });

  it("the call that the start prints stays the same when a provider is added that sorts first", () => {
    const [provider] = marked as [Provider];
    const { id } = provider.manifest;
    const before = exampleCall(file(id), providers, "SVC-");
    expect(before).toContain(`-H 'SVC-Connection-ID: conn_${id}'`);
    const first = renamed(providers[0]!, "aardvark");
    expect(exampleCall(file("aardvark", id), [first, ...providers], "SVC-")).toBe(before);
  });

  it("the call that the start prints uses the first connected provider if none is marked, or the marked one is not connected", () => {
    const [provider] = marked as [Provider];
    const plain = [renamed(provider, "b"), renamed(provider, "c")];
    expect(exampleCall(file("b", "c"), plain, "SVC-")).toContain("conn_b");
    expect(exampleCall(file("c"), [...plain, renamed(provider, "d", true)], "SVC-")).toContain("conn_c");
    expect(exampleCall(file(), plain, "SVC-")).toBeUndefined();
  });
});

it("a start finds the sandbox's workspace by its key, also after it was renamed", async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "plugboard-"));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const config = readConfig({ DATA_DIR, LOG_LEVEL: "silent" });
  const start = () => createService(config, createLogger("silent"));
  const first = await start();
  const [workspace] = await first.store.workspaces.list();
  await first.store.workspaces.update(workspace!.id, { name: "Acme" });
  await first.stop();
  const second = await start();
  onTestFinished(() => second.stop());
  expect(second.sandbox!.file).toEqual(first.sandbox!.file);
  expect((await second.store.workspaces.list()).map(({ name }) => name)).toEqual(["Acme"]);
});
