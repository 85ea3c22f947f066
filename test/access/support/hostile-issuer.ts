// An issuer that can be told to do anything wrong. Without instructions, it does everything right: it checks the client's
// secret, the redirect address and PKCE, gives each code out once, and signs what it should sign.
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const CLIENT = { id: "plugboard", secret: "the client secret" };

type Json = Record<string, unknown>;

/** What is done in another way than usual. Undefined as a value removes a claim or a field. */
export interface Misbehavior {
  discovery?: Json;
  /** The protected header of the ID token. */
  header?: Json;
  claims?: Json;
  /** The third part of the ID token. */
  signature?(input: string): string;
  /** Changes the ID token as a whole. */
  idToken?(token: string): string;
  /** Fields of the token endpoint's answer. */
  token?: Json;
  /** Answers one of the endpoints itself. */
  answer?: Partial<Record<"discovery" | "jwks" | "token" | "userinfo", (response: ServerResponse) => void>>;
  userinfo?: Json;
  /** Accepts codes that were used, or that it never gave out. */
  acceptsAnyCode?: boolean;
}

const encode = (value: object | string | Buffer) =>
  Buffer.from(typeof value === "object" && !Buffer.isBuffer(value) ? JSON.stringify(value) : value).toString(
    "base64url",
  );

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

export const hmac = (key: string | Buffer) => (input: string) =>
  createHmac("sha256", key).update(input).digest("base64url");
export const signedBy = (key: KeyObject) => (input: string) =>
  sign("sha256", Buffer.from(input), key).toString("base64url");

export async function startHostileIssuer() {
  const keys = rsa();
  const second = rsa();
  /** A key that it does not publish. */
  const foreign = rsa();
  const kid = randomUUID();
  const secondKid = randomUUID();
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  let misbehavior: Misbehavior = {};
  let url = "";

  const publicJwk = (key: KeyObject, id: string) => ({
    ...key.export({ format: "jwk" }),
    kid: id,
    use: "sig",
    alg: "RS256",
  });

  const discovery = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    end_session_endpoint: `${url}/leave`,
    id_token_signing_alg_values_supported: ["RS256"],
    authorization_response_iss_parameter_supported: true,
    ...misbehavior.discovery,
  });

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      aud: CLIENT.id,
      sub: "mallory",
      nonce,
      iat: now,
      exp: now + 300,
      name: "Mallory",
      email: "mallory@example.com",
      email_verified: true,
      groups: ["staff"],
      ...misbehavior.claims,
    };
    const input = `${encode({ alg: "RS256", kid, ...misbehavior.header })}.${encode(claims)}`;
    const token = `${input}.${(misbehavior.signature ?? signedBy(keys.privateKey))(input)}`;
    return misbehavior.idToken?.(token) ?? token;
  }

  const sendJson = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function serveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    if (!misbehavior.acceptsAnyCode) codes.delete(code);
    const credentials = [CLIENT.id, CLIENT.secret].map((part) => encodeURIComponent(part).replaceAll("%20", "+"));
    const isClient = request.headers.authorization === `Basic ${btoa(credentials.join(":"))}`;
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isValid = issued?.challenge === challenge && issued.redirectUri === form.get("redirect_uri");
    if (!isClient) return void sendJson(response, { error: "invalid_client" }, 401);
    if (!isValid && !misbehavior.acceptsAnyCode) return void sendJson(response, { error: "invalid_grant" }, 400);
    sendJson(response, {
      access_token: "an-access-token",
      token_type: "Bearer",
      expires_in: 300,
      id_token: idToken(issued?.nonce ?? ""),
      ...misbehavior.token,
    });
  }

  const server = createServer((request, response) => {
    const path = request.url!.split("?")[0]!;
    const name = path === "/.well-known/openid-configuration" ? "discovery" : path.slice(1);
    const instead = misbehavior.answer?.[name as "token"];
    if (instead) return instead(response);
    if (name === "discovery") return sendJson(response, discovery());
    if (name === "jwks")
      return sendJson(response, { keys: [publicJwk(keys.publicKey, kid), publicJwk(second.publicKey, secondKid)] });
    if (name === "userinfo") return sendJson(response, { sub: "mallory", ...misbehavior.userinfo });
    if (name === "token") return void serveToken(request, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    keys,
    second,
    foreign,
    kid,
    secondKid,
    publicJwk,
    misbehave(how: Misbehavior): void {
      misbehavior = how;
    },
    /** What the browser is sent back with, after it was sent here with these parameters. */
    authorize(asked: URLSearchParams): Record<string, string> {
      const code = randomUUID();
      codes.set(code, {
        nonce: asked.get("nonce")!,
        challenge: asked.get("code_challenge")!,
        redirectUri: asked.get("redirect_uri")!,
      });
      return { code, state: asked.get("state")!, iss: url };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type HostileIssuer = Awaited<ReturnType<typeof startHostileIssuer>>;
