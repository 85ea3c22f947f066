import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import type { IssueContext } from "../contracts/authentication.ts";
import { clientCredentials, signedJwt, twoStep } from "./issued-tokens.ts";

const context: IssueContext = {
  credentials: { username: "me", password: "p&ss", secret: "key-1" },
  settings: { team: "acme" },
  client_id: null,
  client_secret: null,
  private_key: null,
  scopes: undefined,
  now: Date.UTC(2030, 0, 1),
};
const help = "https://help.test";

describe("client credentials", () => {
  it("are the user's own, unless the integration has some", () => {
    const { issue } = clientCredentials({ scopes: ["a", "b"], audience: "api", parameters: { team: "{team}" }, help });
    const own = { grant_type: "client_credentials", scope: "a b", audience: "api", team: "acme" };
    expect(issue(context)).toMatchObject({
      request: { to: "token", body: { form: { ...own, client_id: "me", client_secret: "p&ss" } } },
    });
    expect(issue({ ...context, client_id: "i", client_secret: "s", scopes: ["c"] })).toMatchObject({
      request: { body: { form: { ...own, scope: "c", client_id: "i", client_secret: "s" } } },
    });
  });

  it("go into the header in the form of OAuth, and then not into the body", () => {
    const issued = clientCredentials({ tokenRequestAuth: "basic", tokenRequestBody: "json", help }).issue(context);
    expect(issued).toEqual({
      request: {
        method: "POST",
        to: "token",
        path: "",
        headers: { authorization: `Basic ${Buffer.from("me:p%26ss").toString("base64")}` },
        body: { json: { grant_type: "client_credentials" } },
      },
    });
  });
});

describe("a token by a request of the provider's own", () => {
  const { issue, readToken } = twoStep({
    asks: { username: "User", password: "Password" },
    help,
    request: {
      method: "POST",
      to: "api",
      path: "/login",
      body: { user: "{username}", nested: [{ secret: "{password}{token}" }], team: "{team}", missing: "{none}", n: 1 },
    },
    token: "/data/a~1b",
    expiresIn: "/ttl",
  });

  it("is asked for with everything filled in", () => {
    expect(issue(context)).toMatchObject({
      request: { body: { json: { user: "me", nested: [{ secret: "p&sskey-1" }], team: "acme", missing: "", n: 1 } } },
    });
  });

  it("is read where the pointers say, and only from a value's own members", () => {
    expect(readToken!({ data: { "a/b": "token-1" }, ttl: "60" })).toEqual({ access_token: "token-1", expires_in: 60 });
    expect(readToken!({ data: { "a/b": "token-1" } })).toEqual({ access_token: "token-1" });
    for (const body of [{}, { data: { "a/b": 1 } }, { data: { "a/b": "" } }, { data: null }])
      expect(readToken!(body)).toBeUndefined();
    const inherited = twoStep({
      asks: {},
      help,
      request: { method: "GET", to: "api", path: "" },
      token: "/toString/name",
    });
    expect(inherited.readToken!({})).toBeUndefined();
  });
});

describe("a JWT", () => {
  const options = {
    claims: { iss: "{team}", sub: "{none}" },
    header: { kid: "{team}" },
    lifetime: 300,
    label: "Key",
    help,
  };
  const verify = { currentDate: new Date(context.now) };
  const tokenOf = (issued: ReturnType<ReturnType<typeof signedJwt>["issue"]>) =>
    ("token" in issued ? issued.token : undefined)!;

  it.each([
    ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ] as const)("signed with %s is accepted by a library that we did not write", async (algorithm, { privateKey }) => {
    const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const pasted of [secret, secret.replaceAll("\n", "\\n")]) {
      const { access_token, expires_in } = tokenOf(
        signedJwt({ ...options, algorithm }).issue({ ...context, credentials: { secret: pasted } }),
      );
      const { payload, protectedHeader } = await jwtVerify(access_token, createPublicKey(privateKey), verify);
      const now = context.now / 1000;
      expect([payload, protectedHeader]).toEqual([
        { iss: "acme", iat: now - 60, exp: now + 240 },
        { alg: algorithm, typ: "JWT", kid: "acme" },
      ]);
      expect(expires_in).toBe(240);
    }
  });

  it("signed with a secret is accepted too, in each encoding", async () => {
    for (const secretEncoding of ["utf8", "hex", "base64"] as const) {
      const secret = Buffer.from("a secret of 32 bytes and no less").toString(secretEncoding);
      const issued = signedJwt({ ...options, algorithm: "HS256", secretEncoding }).issue({
        ...context,
        credentials: { secret },
      });
      await jwtVerify(tokenOf(issued).access_token, Buffer.from("a secret of 32 bytes and no less"), verify);
    }
  });

  it("is exchanged for a token if the provider wants that", () => {
    const issued = signedJwt({ ...options, algorithm: "HS256", exchange: { scope: "a", team: "{team}" } }).issue(
      context,
    );
    expect(issued).toMatchObject({
      request: {
        to: "token",
        body: { form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", scope: "a", team: "acme" } },
      },
    });
  });

  it.each([
    ["RS256", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" })],
    ["ES256", "not a key"],
  ] as const)("with a key that does not fit %s is not signed", (algorithm, secret) => {
    const { issue } = signedJwt({ ...options, algorithm });
    expect(() => issue({ ...context, credentials: { secret: String(secret) } })).toThrow();
  });
});
