import { describe, expect, it, vi } from "vitest";
import { TIME, testManifest } from "../../../test/support/engine-parts.ts";
import type { StoredProvider } from "../../contracts/entities.ts";
import type { Provider } from "../../contracts/provider.ts";
import { createProviders } from "./providers.ts";

const stored = (document: string): StoredProvider => ({
  workspace_id: "ws_1",
  id: "acme",
  document,
  created_at: TIME,
  updated_at: TIME,
});

function setUp(own: StoredProvider[]) {
  const shared: Provider[] = ["acme", "globex"].map((id) => ({ manifest: { ...testManifest, id }, categories: [] }));
  const readDocument = vi.fn(
    (document: string): Provider => ({ manifest: { ...testManifest, name: document }, categories: [] }),
  );
  const store = {
    providers: {
      get: async (workspaceId: string, id: string) =>
        own.find((one) => one.workspace_id === workspaceId && one.id === id),
      list: async (workspaceId: string) => own.filter((one) => one.workspace_id === workspaceId),
    },
  };
  return { providers: createProviders({ store: store as any, shared, readDocument }), shared, readDocument, own };
}

describe("the providers of a workspace", () => {
  it("a workspace's own provider comes before a shared one of the same id, such as one of a later version", async () => {
    const { providers, shared } = setUp([stored("own")]);
    expect((await providers.of("ws_1", "acme"))?.manifest.name).toBe("own");
    expect(await providers.of("ws_2", "acme")).toBe(shared[0]);
    expect(await providers.of("ws_1", "globex")).toBe(shared[1]);
    expect(await providers.of("ws_1", "unknown")).toBeUndefined();
    const all = await providers.all("ws_1");
    expect([...all.values()].map(({ manifest }) => manifest.name)).toEqual(["own", testManifest.name]);
    expect((await providers.all("ws_2")).get("acme")).toBe(shared[0]);
  });

  it("a document is read once, and again if it has changed", async () => {
    const { providers, readDocument, own } = setUp([stored("first")]);
    const [one, other] = [await providers.of("ws_1", "acme"), providers.known(stored("first"), "acme")];
    expect(other).toBe(one);
    expect(readDocument).toHaveBeenCalledTimes(1);
    own[0] = stored("second");
    expect((await providers.of("ws_1", "acme"))?.manifest.name).toBe("second");
    expect(readDocument).toHaveBeenCalledTimes(2);
  });
});
