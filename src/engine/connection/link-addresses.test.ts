import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Integration } from "../../contracts/entities.ts";

const manifest = {
  addresses: { api: "https://api.acme.example/v1", rest: "https://{site}/rest" },
  settings: { site: { label: "Site" } },
  linkedAs: { api: ["https://*.acme.example/v1", "https://{region}.acme.example"] },
} as never;
const urls = (integration: Partial<Integration>, settings: Record<string, string> = { site: "my.site" }) =>
  testConnection({ manifest, integration, record: { settings } })
    .linkAddresses()
    .map(({ url }) => url);

it("links lead to the provider's addresses and to those that it also writes, the longest first", () => {
  expect(urls({})).toContain("https://*.acme.example/v1");
  expect(urls({})[0]!.length).toBeGreaterThanOrEqual(urls({}).at(-1)!.length);
  // One that needs a setting which the connection does not have is left out.
  expect(urls({}).join()).not.toContain("region");
  expect(urls({}, { site: "my.site", region: "eu" })).toContain("https://eu.acme.example");
});

it("a self-hosted provider writes only its own address", () => {
  const own = urls({ base_url: "https://acme.internal" });
  expect(own.join()).toContain("acme.internal");
  expect(own.join()).not.toContain("*");
});
