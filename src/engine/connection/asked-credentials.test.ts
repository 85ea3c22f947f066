import { expect, it } from "vitest";
import type { Integration } from "../../contracts/entities.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { askedCredentials } from "./asked-credentials.ts";

const help = "https://docs.acme.test";
const auth = {
  api_key: { label: "API key", help },
  basic: { username: "Email", password: "API token", help },
} as unknown as Manifest["auth"];
const asked = (type: string, change: object = {}, client: object = { client_id: null, client_secret: null }) =>
  askedCredentials({ auth: { ...auth, ...change } } as Manifest, { type, ...client } as Integration).asked;

it("users are asked for what the integration's type needs, and secrets are marked", () => {
  expect(asked("api_key")).toEqual([{ name: "token", label: "API key", isSecret: true }]);
  expect(asked("basic")).toEqual([
    { name: "username", label: "Email", isSecret: false },
    { name: "password", label: "API token", isSecret: true },
  ]);
  // Without a password, the user name is a key.
  expect(asked("basic", { basic: { username: "Key", help } })).toEqual([
    { name: "username", label: "Key", isSecret: true },
  ]);
});

it("users are asked for what a token is issued with, unless the integration has a client of its own", () => {
  const issued = { asks: { username: "Client ID", secret: "Private key" }, help, isLong: true, asClient: true };
  const change = { client_credentials: issued };
  expect(asked("client_credentials", change)).toEqual([
    { name: "username", label: "Client ID", isSecret: false, isLong: false },
    { name: "secret", label: "Private key", isSecret: true, isLong: true },
  ]);
  expect(asked("client_credentials", { client_credentials: { ...issued, isLong: undefined } })[1]!.isLong).toBe(false);
  expect(asked("client_credentials", change, { client_id: "id", client_secret: "hush" })).toEqual([]);
});
