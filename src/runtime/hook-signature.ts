import { createHmac, timingSafeEqual } from "node:crypto";
import type { HmacSignature, HookRequest, HookSignature, HookTimestamp } from "../contracts/hooks.ts";
import { pointerParts } from "../contracts/json-pointer.ts";
import { basicAuth, readBasicAuth } from "./basic-auth.ts";

/** The user name of hooks that are verified by HTTP Basic. */
export const HOOK_USER = "plugboard";
const STANDARD_WINDOW_SECONDS = 300;
const TO_MS = { seconds: 1_000, milliseconds: 1 };

type Signed = Pick<HookRequest, "method" | "url" | "headers" | "bytes" | "body">;

/** In a time that does not depend on where two texts differ. */
function isSame(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** All values at a JSON Pointer in which `*` stands for every entry of a list. */
export function valuesAt(value: unknown, pointer: string): unknown[] {
  let found: unknown[] = [value];
  for (const name of pointerParts(pointer))
    found = found.flatMap((one) => {
      if (typeof one !== "object" || one === null) return [];
      if (name === "*") return Array.isArray(one) ? one : [];
      return Object.hasOwn(one, name) ? [(one as Record<string, unknown>)[name]] : [];
    });
  return found;
}

const readFrom = (place: { header: string } | { pointer: string }, { headers, body }: Signed): unknown[] =>
  "header" in place ? [headers[place.header]] : valuesAt(body, place.pointer);

/** A time as the request writes it, if it is within the window. */
function recentTime(timestamp: HookTimestamp, request: Signed, nowMs: number): string | undefined {
  const [value] = readFrom(timestamp.in, request);
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const time = timestamp.unit === "iso" ? Date.parse(String(value)) : Number(value) * TO_MS[timestamp.unit];
  return Math.abs(nowMs - time) <= timestamp.windowSeconds * 1_000 ? String(value) : undefined;
}

function hmac(signature: HmacSignature, secret: string, request: Signed, timestamp: string): string {
  const mac = createHmac(signature.algorithm, secret);
  for (const part of (signature.signed ?? "{body}").split(/(\{\w+\})/)) {
    if (part === "{body}") mac.update(request.bytes);
    else if (part === "{timestamp}") mac.update(timestamp);
    else if (part === "{method}") mac.update(request.method);
    else if (part === "{url}") mac.update(request.url);
    else mac.update(part);
  }
  return (signature.prefix ?? "") + mac.digest(signature.encoding);
}

function isHmac(signature: HmacSignature, secret: string, request: Signed, nowMs: number): boolean {
  const timestamp = signature.timestamp ? recentTime(signature.timestamp, request, nowMs) : "";
  if (timestamp === undefined) return false;
  const expected = hmac(signature, secret, request, timestamp);
  const normal = (text: string | undefined) => (signature.encoding === "hex" ? text?.toLowerCase() : text);
  return signature.headers.some((name) => isSame(normal(request.headers[name]), expected));
}

const standardMac = (secret: string, id: string, timestamp: string, bytes: Buffer) =>
  createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${timestamp}.`)
    .update(bytes)
    .digest("base64");

function isStandard(secret: string, { headers, bytes }: Signed, nowMs: number): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": given = "" } = headers;
  if (!id || !timestamp || !(Math.abs(nowMs - Number(timestamp) * 1_000) <= STANDARD_WINDOW_SECONDS * 1_000))
    return false;
  const expected = `v1,${standardMac(secret, id, timestamp, bytes)}`;
  return given.split(" ").some((one) => isSame(one, expected));
}

const jwtMac = (secret: string, content: string) => createHmac("sha256", secret).update(content).digest("base64url");

function isJwt(secret: string, { headers: { authorization = "" } }: Signed, nowMs: number): boolean {
  const parts = authorization.replace(/^(Bearer|JWT) /i, "").split(".");
  if (parts.length !== 3 || !isSame(parts[2], jwtMac(secret, `${parts[0]}.${parts[1]}`))) return false;
  try {
    const [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(Buffer.from(part!, "base64url").toString()));
    return header.alg === "HS256" && typeof claims.exp === "number" && claims.exp * 1_000 > nowMs;
  } catch {
    return false;
  }
}

function isToken(place: { header: string } | { pointer: string }, secret: string, request: Signed): boolean {
  const values = readFrom(place, request);
  return values.length > 0 && values.every((value) => typeof value === "string" && isSame(value, secret));
}

function isBasic(secret: string, { headers }: Signed): boolean {
  const sent = readBasicAuth(headers.authorization);
  return sent?.username === HOOK_USER && isSame(sent.password, secret);
}

/** Whether a request was signed with one of these secrets: each may be several, as lines. */
export function verifyHook(
  signature: HookSignature,
  secrets: readonly string[],
  request: Signed,
  nowMs = Date.now(),
): boolean {
  return secrets
    .flatMap((some) => some.split("\n"))
    .some((secret) => {
      // Anybody can sign with nothing.
      if (secret === "") return false;
      if (signature.kind === "hmac") return isHmac(signature, secret, request, nowMs);
      if (signature.kind === "token") return isToken(signature.in, secret, request);
      if (signature.kind === "basic") return isBasic(secret, request);
      if (signature.kind === "jwt") return isJwt(secret, request, nowMs);
      return isStandard(secret, request, nowMs);
    });
}

/** The headers that a provider signs a request with: for the sandbox. A token in the body is part of the body already. */
export function signHook(
  signature: HookSignature,
  secret: string,
  request: Omit<Signed, "headers">,
  nowMs = Date.now(),
): Record<string, string> {
  if (signature.kind === "token") return "header" in signature.in ? { [signature.in.header]: secret } : {};
  if (signature.kind === "basic") return { authorization: basicAuth(HOOK_USER, secret) };
  const seconds = Math.floor(nowMs / 1_000);
  if (signature.kind === "jwt") {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ iat: seconds, exp: seconds + 180 })}`;
    return { authorization: `Bearer ${content}.${jwtMac(secret, content)}` };
  }
  if (signature.kind === "standard") {
    const id = `msg_${nowMs}`;
    const mac = standardMac(secret, id, String(seconds), request.bytes);
    return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${mac}` };
  }
  const { timestamp } = signature;
  const headers: Record<string, string> = {};
  if (timestamp && "header" in timestamp.in) {
    const values = { seconds: String(seconds), milliseconds: String(nowMs), iso: new Date(nowMs).toISOString() };
    headers[timestamp.in.header] = values[timestamp.unit];
  }
  const time = timestamp ? String(readFrom(timestamp.in, { ...request, headers })[0]) : "";
  return { ...headers, [signature.headers[0]!]: hmac(signature, secret, { ...request, headers }, time) };
}
