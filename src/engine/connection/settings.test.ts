import { expect, it } from "vitest";
import { testManifest } from "../../../test/support/engine-parts.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { askedSettings, effectiveSettings, integrationSettings, missingSetting, validSettings } from "./settings.ts";

const manifest: Manifest = {
  ...testManifest,
  addresses: { api: "https://{subdomain}.acme.example" },
  settings: {
    subdomain: { label: "Subdomain", pattern: "[a-z]+" },
    region: { label: "Region", pattern: "eu|us", askedWith: ["api_key"] },
  } as unknown as NonNullable<Manifest["settings"]>,
};

it("values from a provider are kept if they are text that fits, and those without a pattern if they are short", () => {
  expect(validSettings(manifest, { subdomain: "acme", other: "x".repeat(500) })).toEqual({
    subdomain: "acme",
    other: "x".repeat(500),
  });
  expect(validSettings(manifest, { subdomain: "evil.example/", region: "eux", other: "x".repeat(501) })).toEqual({});
  expect(validSettings(manifest, { subdomain: 5, other: null, region: { a: 1 } })).toEqual({});
  expect(validSettings(manifest)).toEqual({});
  expect(validSettings(testManifest, { anything: "fine" })).toEqual({ anything: "fine" });
});

it("a user is asked for the settings of the way to authenticate", () => {
  const names = (type: "api_key" | "oauth2") => askedSettings(manifest, type).map(([name]) => name);
  expect([names("api_key"), names("oauth2")]).toEqual([["subdomain", "region"], ["subdomain"]]);
  expect(askedSettings(testManifest, "api_key")).toEqual([]);
});

it("a missing setting is named by its label, and an address that needs none misses none", () => {
  expect(missingSetting(manifest, "api", "api_key", {})).toBe("Subdomain");
  expect(missingSetting(manifest, "api", "api_key", { subdomain: "acme" })).toBeUndefined();
  for (const address of ["api", "nowhere"])
    expect(missingSetting(testManifest, address, "api_key", {})).toBeUndefined();
});

it("a setting of the integration is not asked for, and neither a provider nor a connection can set it", () => {
  const host = { label: "Host", pattern: ".+", ofIntegration: true };
  const own: Manifest = { ...manifest, settings: { ...manifest.settings, host } };
  expect(askedSettings(own, "api_key").map(([name]) => name)).toEqual(["subdomain", "region"]);
  expect(integrationSettings(own, "api_key")).toEqual([["host", host]]);
  expect(validSettings(own, { host: "evil.example", subdomain: "acme" })).toEqual({ subdomain: "acme" });
  const stored = { host: "evil.example", subdomain: "acme" };
  expect(effectiveSettings(own, stored, { settings: { host: "ours.example" } })).toEqual({
    host: "ours.example",
    subdomain: "acme",
  });
  expect(effectiveSettings(own, stored, { settings: {} })).toEqual({ subdomain: "acme" });
});

it("a name that every object has is no setting", () => {
  expect(validSettings(manifest, JSON.parse('{"constructor": "x", "__proto__": "y"}'))).toMatchObject({
    constructor: "x",
  });
  expect(missingSetting(manifest, "api", "api_key", {})).toBe("Subdomain");
});
