import { expect, it } from "vitest";
import type { Integration } from "../../contracts/entities.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { askedCredentials } from "./asked-credentials.ts";

const help = "https://docs.acme.test";
const auth = {
  api_key: { label: "API key", help },
  basic: { username: "Email", password: "API token", help },
} as unknown as Manifest["auth"];
const asked = (type: string, change: object = {}) =>
  askedCredentials({ auth: { ...auth, ...change } } as Manifest, { type } as Integration).asked;

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
