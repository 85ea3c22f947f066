import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import type { MadeHook } from "../../src/contracts/hooks.ts";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { startService } from "../support/service.ts";

/** Whether something listens at an address. */
const isListening = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

it("a service that stops closes its port although a provider has not answered yet about a webhook", async () => {
  const service = await startService();
  const made = Promise.withResolvers<MadeHook>();
  const make = vi.spyOn(service.parts.engine.hooks, "make").mockReturnValue(made.promise);
  const client = subscriptionClient(service);
  const { parameters } = await client.change("github", "git.listIssues", {});
  await client.subscribe("github", "git.listIssues", { parameters });
  await expect.poll(() => make.mock.calls.length).toBe(1);
  const closed = service.close();
  await expect
    .poll(() => isListening(service.url))
    .toBe(false)
    .finally(() => made.resolve({ remote: {} }));
  await closed;
});
