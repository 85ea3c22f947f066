// Every operation of every provider, on answers of formats that nobody documents. Nothing leaves this process.
import { createSecretKey } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { Fault, ProviderFailure } from "../../src/contracts/fault.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { createConnectionContext } from "../../src/engine/connection/connection-context.ts";
import { createCallWithRetries } from "../../src/engine/http/attempts.ts";
import { createCursors } from "../../src/engine/operation/cursor.ts";
import { createDownloader } from "../../src/engine/operation/download.ts";
import { createFormatGuard } from "../../src/engine/operation/format-guard.ts";
import { createRunner } from "../../src/engine/operation/run.ts";
import { createUploader } from "../../src/engine/operation/upload.ts";
import { createUpstream } from "../../src/engine/operation/upstream.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { requiredQuery } from "../conformance/client.ts";
import { testConnection } from "../support/engine-parts.ts";

const answers = [
  "null",
  '"text"',
  "7",
  "true",
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[7]",
  '{"length":1000000000}',
  '{"data":null}',
  '{"data":[null]}',
  '{"data":{}}',
  '{"data":{"viewer":null}}',
  '{"values":[{}],"results":[{}],"items":[{}],"value":[{}],"records":[{}],"tasks":[{}],"issues":[{}],"messages":[{}]}',
  '{"values":7,"results":"a","items":{},"value":null,"records":[null],"ok":true,"channels":[[]],"members":[7]}',
  '{"ok":true,"teams":[null],"spaces":[{"id":null}],"workspaces":{},"values":{"a":1},"next":{},"links":7}',
];

const nothing = async (): Promise<never> => {
  throw new Fault("upstream_unreachable", "not needed");
};
const tokens = {
  noteStatus: async () => {},
  isRefreshable: () => false,
  refreshRefusedToken: nothing,
  refusedAgain() {},
};
const telemetry = { upstream() {}, malformed() {}, skipped() {}, refresh() {}, warn() {} };

/** Runs every operation of a provider whose API gives the same answer to everything. */
function runnerFor(provider: Provider, json: string) {
  const send = createCallWithRetries({ firstMs: 1_000, retryMs: 1_000 }, telemetry);
  const guardFormat = createFormatGuard(telemetry);
  const buffer = async () => ({ statusCode: 200, headers: {}, bytes: Buffer.from(json), release() {} });
  return createRunner({
    call: createUpstream({ buffer }, send, tokens),
    download: createDownloader({ stream: nothing }, send, tokens, guardFormat),
    upload: createUploader({ buffer, countStreamedBytes() {} }, send, tokens),
    cursors: createCursors(() => [createSecretKey(Buffer.alloc(32))]),
    providers: new Map([[provider.manifest.id, provider]]),
    guardFormat,
    telemetry,
  });
}

function connectionTo(provider: Provider) {
  const type = (["api_key", "oauth2", "basic"] as const).find((name) => provider.manifest.auth[name])!;
  const settings = Object.fromEntries(Object.keys(provider.manifest.settings ?? {}).map((name) => [name, "x"]));
  const { record, integration } = testConnection({
    record: { settings, credentials: { token: "t", username: "u", password: "p" } },
    integration: { identifier: provider.manifest.id, type, base_url: "sandbox" },
  });
  return createConnectionContext(provider, record, integration, { sandboxUrl: "http://127.0.0.1:1/sandbox" });
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "read",
    (error: unknown) => {
      if (error instanceof ProviderFailure) return "refused";
      if (!(error instanceof Fault)) return `${error}`;
      return error.kind === "upstream_malformed" || error.kind === "internal" ? error.kind : "refused";
    },
  );

const served = providers.filter(({ categories }) => categories.length > 0);

describe.each(served.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  it(`no operation of ${id} fails internally, whatever the format of the provider's answer`, async () => {
    const connection = connectionTo(provider);
    const unexpected: string[] = [];
    let malformed = 0;
    for (const json of answers) {
      const runner = runnerFor(provider, json);
      for (const operation of operations.filter((candidate) => runner.supports(connection, candidate))) {
        const request = {
          operation,
          connection,
          pathParams: Object.fromEntries(operation.parameters.map(({ name }) => [name, "a/b"])),
          query: requiredQuery(operation),
          body: operation.sample,
          limit: 10,
          maxRetries: 0,
          file: { body: Readable.from([Buffer.from("x")]), contentType: "text/plain", size: 1 },
        };
        const outcome = await outcomeOf(
          operation.kind === "download" ? runner.download(request, {}) : runner.run(request),
        );
        if (outcome === "upstream_malformed") malformed++;
        else if (outcome !== "read" && outcome !== "refused") unexpected.push(`${operation.id} on ${json}: ${outcome}`);
      }
    }
    expect(unexpected).toEqual([]);
    expect(malformed).toBeGreaterThan(0);
  });
});
