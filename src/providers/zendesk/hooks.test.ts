import { expect, test } from "vitest";
import type { NewHook } from "../../contracts/hooks.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import { hooks } from "./hooks.ts";

test("a webhook whose signing secret cannot be read is removed", async () => {
  const calls: string[] = [];
  const upstream = async ({ method, path }: UpstreamRequest) => {
    calls.push(`${method} ${path}`);
    if (method !== "POST") throw new Error("403");
    return { status: 201, headers: {}, body: { webhook: { id: "01H" } } };
  };
  await expect(
    hooks.create({ upstream, url: "https://example.com", target: "" } as unknown as NewHook),
  ).rejects.toThrow("403");
  expect(calls).toEqual(["POST /webhooks", "GET /webhooks/01H/signing_secret", "DELETE /webhooks/01H"]);
});
