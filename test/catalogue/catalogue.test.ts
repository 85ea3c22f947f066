// Every way to authenticate of every provider in the catalogue, in the sandbox: what the provider receives is what its
// document declares.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connection } from "../../src/contracts/entities.ts";
import { readCatalogue } from "../../src/provider-document/catalogue.ts";
import type { ProviderDocument } from "../../src/provider-document/schema.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import {
  type CatalogueUser,
  CLIENT,
  createCatalogueUser,
  fill,
  KEY,
  type Pair,
  pairsOf,
  sampleSettings,
  USER,
} from "./connected.ts";

const catalogue = readCatalogue();
const pairs = pairsOf(catalogue.map(({ document }) => document as ProviderDocument));
const titleOf = ({ document, type }: Pair) => `${document.id} by ${type}`;

let service: TestService;
let user: CatalogueUser;
beforeAll(async () => {
  service = await startService({ catalogue: { providers: catalogue, emulators: {} }, env: { LOG_LEVEL: "error" } });
  user = await createCatalogueUser(service);
});
afterAll(() => service?.close());

type Received = Exchange["request"];
type AddressName = keyof ProviderDocument["addresses"];

/** The path of one of the addresses, as a request to the sandbox has it. */
const pathOf = ({ addresses }: ProviderDocument, name: AddressName, settings: Record<string, string>) =>
  new URL(fill(addresses[name]!, settings)).pathname.replace(/\/+$/, "");

const find = (seen: readonly Exchange[], method: string, path: string): Received | undefined =>
  seen.find(({ request }) => request.method === method && request.path === path)?.request;

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** As a form has it: RFC 6749, 2.3.1. */
const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);

const filledParameters = (parameters: Record<string, string> = {}, settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, fill(value, settings)]));

/** The credential is exactly where the document says, and nowhere else. */
function expectCredential({ document, type }: Pair, { headers, query, path }: Received, token: string): void {
  const { auth } = document;
  const declared = auth[type as keyof typeof auth];
  const send = declared && "send" in declared ? declared.send : undefined;
  const place =
    type === "api_key"
      ? auth.api_key!
      : (send ?? { in: "header" as const, name: "Authorization", prefix: "Bearer ", label: "" });
  const { in: where, name = "", prefix = "" } = place;
  const settings = sampleSettings(document);
  if (type === "basic")
    expect(headers.authorization).toBe(basic(USER.username, auth.basic!.password === undefined ? "" : USER.password));
  else if (where === "header") expect(headers[name.toLowerCase()]).toBe(prefix + token);
  else if (where === "query") expect(query.get(name)).toBe(prefix + token);
  else
    expect(path.startsWith(`${pathOf(document, "api", settings)}/${prefix}${encodeURIComponent(token)}/`)).toBe(true);
  const isInAuthorization = type === "basic" || (where === "header" && name.toLowerCase() === "authorization");
  if (!isInAuthorization) expect(headers.authorization).toBeUndefined();
}

/** A token request authenticates the client and is encoded as declared. */
function expectTokenRequest(
  { headers, body }: Received,
  { token_auth = "body", token_body = "form" }: { token_auth?: "basic" | "body"; token_body?: "form" | "json" },
  fields: Record<string, unknown>,
): void {
  expect(headers["content-type"]).toContain(token_body === "json" ? "application/json" : "x-www-form-urlencoded");
  const { client_id, client_secret } = CLIENT;
  if (token_auth === "basic") {
    expect(headers.authorization).toBe(basic(encoded(client_id), encoded(client_secret)));
    expect(body.client_secret).toBeUndefined();
  } else {
    expect(headers.authorization).toBeUndefined();
    expect(body).toMatchObject(CLIENT);
  }
  expect(body).toMatchObject(fields);
}

/** The consent page and the token request of an OAuth flow. */
function expectConsent({ document }: Pair, seen: readonly Exchange[], settings: Record<string, string>): void {
  const {
    scopes = [],
    scope_delimiter = " ",
    pkce = true,
    authorize_params,
    token_params,
    ...token
  } = document.auth.oauth2!;
  const consent = find(seen, "GET", pathOf(document, "authorize", settings))!;
  const asked = Object.fromEntries(consent.query);
  expect(asked).toMatchObject({
    ...filledParameters(authorize_params, settings),
    response_type: "code",
    client_id: CLIENT.client_id,
    ...(scopes.length > 0 ? { scope: scopes.join(scope_delimiter) } : {}),
  });
  expect([asked.code_challenge_method, "scope" in asked]).toEqual([pkce ? "S256" : undefined, scopes.length > 0]);
  const request = find(seen, "POST", pathOf(document, "token", settings))!;
  expectTokenRequest(request, token, {
    grant_type: "authorization_code",
    ...filledParameters(token_params, settings),
  });
  expect(request.body.code_verifier !== undefined).toBe(pkce);
}

/** Where tokens are requested: an address, and what is appended to it. */
function tokenRequestOf({ document: { auth, addresses }, type }: Pair): readonly [AddressName, string] {
  if (type !== "two_step") return ["token", ""];
  return [addresses.token ? "token" : "api", auth.two_step!.request.path ?? ""];
}

const credentialsOf = async (id: string): Promise<Connection["credentials"]> =>
  (await service.store.connections.load(id))!.connection.credentials;

it("every document is tried with every way to authenticate that it declares", () => {
  expect(pairs.length).toBeGreaterThanOrEqual(catalogue.length);
});

describe.each(pairs.map((pair) => [titleOf(pair), pair] as const))("%s", (title, pair) => {
  const { document, type } = pair;
  const { addresses, auth, check, discover, headers = {} } = document;

  it(`${title}: an account is connected, called, refreshed and deleted as the document declares`, async () => {
    const settings = sampleSettings(document);
    const base = pathOf(document, "api", settings);
    const { result: connection, seen } = await user.during(document.id, () => user.connect(pair));

    if (type === "oauth2") expectConsent(pair, seen, settings);
    const credentials = await credentialsOf(connection);
    const key =
      auth.api_key?.in === "path" && type === "api_key"
        ? `/${auth.api_key.prefix ?? ""}${encodeURIComponent(KEY)}`
        : "";
    const path = (given: string) => base + key + fill(given, settings).split("?", 1)[0];
    if (check && type !== "oauth2") expect(find(seen, "GET", path(check.get)), "the check").toBeDefined();
    if (discover?.get.startsWith("/")) expect(find(seen, "GET", path(discover.get)), "the discovery").toBeDefined();
    const { settings: stored } = await user.platform("GET", `/connections/${connection}`);
    for (const name of Object.keys(discover?.take ?? {})) expect(stored[name], name).toBe(settings[name]);

    const call = async (to: string) => {
      const { result, seen: called } = await user.during(document.id, () => user.call(connection, to));
      expect(result.status, result.text).toBe(200);
      return called;
    };
    const received = find(await call("/any/path?a=1&b=%20"), "GET", `${path("/any/path")}`)!;
    expectCredential(pair, received, credentials.token ?? KEY);
    expect([received.query.get("a"), received.query.get("b")]).toEqual(["1", " "]);
    for (const [name, value] of Object.entries(headers))
      expect(received.headers[name.toLowerCase()], name).toBe(fill(value, settings));

    // A token that is made here is the same within a second.
    const isMadeHere = type === "jwt" && !auth.jwt!.exchange;
    if (!isMadeHere && !["api_key", "basic", "none"].includes(type)) {
      await injectFault(service, { provider: document.id, expire_tokens: true });
      const refreshed = await call("/any/path");
      const [name, path] = addresses.refresh && type === "oauth2" ? (["refresh", ""] as const) : tokenRequestOf(pair);
      const request = find(
        refreshed,
        auth.two_step?.request.method ?? "POST",
        pathOf(document, name, settings) + path,
      )!;
      if (type === "oauth2") expectTokenRequest(request, auth.oauth2!, { grant_type: "refresh_token" });
      const { token_params: { grant_type = "client_credentials" } = {} } = auth.client_credentials ?? {};
      if (type === "client_credentials") expect(request.body.grant_type).toBe(grant_type);
    }

    const { seen: deleted } = await user.during(document.id, () =>
      user.platform("DELETE", `/connections/${connection}`),
    );
    const isRevocable = addresses.revoke !== undefined && ["oauth2", "client_credentials"].includes(type);
    if (isRevocable)
      expect(find(deleted, "POST", pathOf(document, "revoke", settings)), "the revocation").toBeDefined();
    else expect(deleted).toEqual([]);
  });
});

const checked = pairs.filter(({ document, type }) => document.check && (type === "api_key" || type === "basic"));
it.each(checked.map((pair) => [titleOf(pair), pair] as const))(
  "%s: a wrong key is refused by the form, and nothing is connected",
  async (_, pair) => {
    const { status, text } = await user.refused(pair);
    expect([status, text.includes("There is a problem")]).toEqual([400, true]);
  },
);
