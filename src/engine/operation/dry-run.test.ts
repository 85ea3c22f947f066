import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { get } from "../../provider-kit/request.ts";
import { DryRun } from "./dry-run.ts";
import { prepareRequest } from "./prepare-request.ts";

const connection = testConnection({
  manifest: {
    authorization: ({ token = "" }) => ({ path: `/bot${encodeURIComponent(token)}`, query: { k: token } }),
    headers: { "X-Team": "{team}", "X-Other": "{other}" },
  },
  record: { credentials: { token: "123:made-up" }, settings: { team: "t1" } },
});

it("a key in the address is sent before the path, and is not in a dry run", () => {
  expect(prepareRequest(connection, get("/me")).path).toBe("/v1/bot123%3Amade-up/me?k=123%3Amade-up");
  const run = new DryRun();
  run.stopAt(connection, get("/me"));
  expect(run.requests[0]?.url).toBe("https://api.acme.example/v1/[redacted]/me?k=%5Bredacted%5D");
  expect(JSON.stringify(run.requests)).not.toContain("made-up");
});

it("headers have the values of settings, and those without a value are left out", () => {
  const { headers } = prepareRequest(connection, get("/me"));
  expect(headers).toMatchObject({ "x-team": "t1" });
  expect(headers).not.toHaveProperty("x-other");
});

it("without credentials, nothing is sent for them", () => {
  const { headers, path } = prepareRequest(testConnection({ integration: { type: "none" } }), get("/me"));
  expect([headers.authorization, path]).toEqual([undefined, "/v1/me"]);
});
