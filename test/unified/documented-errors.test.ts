// docs/unified.md lists every error of the Unified API: as the code has them, and as they arrive.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/unified.md"), "utf8");
const source = readFileSync(join(root, "src/surfaces/unified/errors.ts"), "utf8");
const isDocumented = (status: unknown, code: unknown, message: unknown) =>
  page.includes(`| ${status} | ${code} | ${message} | `);

let service: TestService;
/** The same with limits that a test can reach. */
let strict: TestService;
beforeAll(async () => {
  service = await startService();
  strict = await startService({
    env: { UNIFIED_RATE_LIMIT: "2/60", UPSTREAM_TIMEOUT_MS: "150", UPSTREAM_RETRY_TIMEOUT_MS: "100" },
  });
});
afterAll(async () => {
  await service?.close();
  await strict?.close();
});

interface Call {
  path?: string;
  key?: string;
  connection?: string;
  target?: TestService;
}

async function call({ path = "/v1/git/repos", key, connection, target = service }: Call = {}) {
  const response = await fetch(`${target.url}/unified${path}`, {
    headers: {
      authorization: `Bearer ${key ?? target.apiKey}`,
      "SVC-Connection-ID": connection ?? target.connections.github!,
      "SVC-Max-Retries": "0",
    },
  });
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body };
}

async function inject(target: TestService, fault: object): Promise<void> {
  const response = await fetch(`${target.url}/sandbox/_faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ provider: "github", times: 1, ...fault }),
  });
  expect(response.ok).toBe(true);
}

/** A connection of another workspace that can no longer be used. */
async function unusable(how: "expired" | "unreadable" | "without integration"): Promise<Call> {
  const key = await service.createWorkspace(`unusable-${crypto.randomUUID()}`);
  const platform = createStrictPlatform(service, key);
  const client = { type: "oauth2", client_id: "sandbox", client_secret: "sandbox", base_url: "sandbox" };
  const { id: integration_id } = await platform("POST", "/integrations", { identifier: "github", ...client });
  const tokens = { auth_token: "made-up", refresh_token: "made-up" };
  const { id } = await platform("POST", "/connections", { integration_id, ...tokens });
  if (how === "expired") await service.store.connections.update(id, { expires_at: "2020-01-01T00:00:00.000Z" });
  if (how === "without integration") await platform("DELETE", `/integrations/${integration_id}`);
  if (how === "unreadable") {
    const database = new DatabaseSync(join(service.config.dataDir, "plugboard.db"));
    const stray = `aes256gcm.00000000.${"A".repeat(60)}`;
    database.prepare("update connections set credentials = ? where id = ?").run(stray, id);
    database.close();
  }
  return { key, connection: id };
}

it("docs/unified.md has every status, code and message that the code renders", () => {
  const rendered = [...source.matchAll(/status: (\d+),\s*code: (\d+),\s*message: "([^"]+)"/g)];
  expect(rendered.length).toBeGreaterThan(5);
  for (const [text, status, code, message] of rendered) expect(isDocumented(status, code, message), text).toBe(true);
});

it("docs/unified.md explains every reason of a 404", () => {
  const documented = [...page.matchAll(/^\| `(\w+_\w+)` \|/gm)].map(([, reason]) => reason!);
  const [, list = ""] = /const reasons = \[([\s\S]*?)\]/.exec(source) ?? [];
  const known = [...list.matchAll(/"(\w+)"/g)].map(([, reason]) => reason!);
  expect(known.length).toBeGreaterThanOrEqual(5);
  expect(documented).toEqual(known);
});

describe("errors as they arrive", () => {
  const cases: [
    title: string,
    status: number,
    code: number,
    reason: string | undefined,
    call: () => Call | Promise<Call>,
  ][] = [
    ["an invalid parameter", 400, 7001, undefined, () => ({ path: "/v1/git/repos?limit=0" })],
    ["an invalid cursor", 400, 7001, undefined, () => ({ path: "/v1/git/repos?after=x" })],
    ["an ambiguous short name", 400, 7001, undefined, () => ({ path: "/v1/git/repos/twin/issues" })],
    ["an unknown key", 401, 1000, undefined, () => ({ key: "sk_unknown" })],
    ["a connection whose refresh token was refused", 404, 7002, "connection_invalid", () => unusable("expired")],
    [
      "a connection whose credentials cannot be decrypted",
      404,
      7002,
      "connection_invalid",
      () => unusable("unreadable"),
    ],
    [
      "a connection whose token cannot be refreshed for now",
      404,
      7002,
      "connection_unavailable",
      async () => {
        await inject(service, { path: "access_token", status: 500, times: 3 });
        return unusable("expired");
      },
    ],
    [
      "a connection whose integration was deleted",
      404,
      7002,
      "integration_deleted",
      () => unusable("without integration"),
    ],
    ["an unknown connection", 404, 7002, "connection_not_found", () => ({ connection: "conn_unknown" })],
    [
      "an operation that the provider lacks",
      404,
      7002,
      "operation_not_supported",
      () => ({ path: "/v1/crm/contacts" }),
    ],
    ["a short name of nothing", 404, 7002, "record_not_found", () => ({ path: "/v1/git/repos/nothing/issues" })],
    ["a path of nothing", 404, 7002, "endpoint_not_found", () => ({ path: "/v1/git/nothing" })],
    [
      "a provider that does not answer in time",
      408,
      7003,
      undefined,
      async () => {
        await inject(strict, { delay_ms: 2_000 });
        return { target: strict };
      },
    ],
    [
      "a connection that breaks",
      502,
      7004,
      undefined,
      async () => {
        await inject(service, { drop: true });
        return {};
      },
    ],
    [
      "a call over the limit",
      429,
      1001,
      undefined,
      async () => {
        const connection = strict.connections.gitlab!;
        for (let made = 0; made < 2; made++) await call({ target: strict, connection });
        return { target: strict, connection };
      },
    ],
  ];

  it.each(cases)("%s is the documented %i/%i", async (_, status, code, reason, prepare) => {
    const answer = await call(await prepare());
    const [error] = answer.body.errors;
    expect([answer.status, error.code]).toEqual([status, code]);
    expect(isDocumented(status, code, error.message)).toBe(true);
    expect(error.reason).toBe(reason);
    expect(answer.headers.has("retry-after")).toBe(status === 429);
    expect(answer.headers.get("SVC-Error-Source")).toBe("plugboard");
  });

  it("a provider's own error is passed through as it is", async () => {
    await inject(service, { status: 403 });
    const { status, headers, body } = await call();
    expect([status, body.message]).toEqual([403, "Resource not accessible by integration"]);
    expect(headers.get("SVC-Error-Source")).toBe("provider");
  });

  it("a provider's rate limit is passed on with Retry-After, even if the provider does not send it", async () => {
    await inject(service, { status: 429 });
    const { status, headers } = await call();
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  });
});
