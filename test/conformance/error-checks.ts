// What the engine does for every operation: provider errors, timeouts, retries, refreshed tokens. All of it is checked for
// one operation of each kind, statuses for one of each kind at each provider, and two of them for each other one.
import { expect, it } from "vitest";
import { isWrite } from "../../src/contracts/operation.ts";
import type { TestService } from "../support/service.ts";
import { type CheckedOperation, NO_RETRY } from "./checked-operation.ts";
import { createClient } from "./client.ts";

export const PASSED_THROUGH = [400, 401, 403, 404, 422, 429, 500];
const PASSED_THROUGH_ELSEWHERE = [404, 429];

/** `impatient` has short timeouts. */
export function checkErrors(checked: CheckedOperation, impatient: () => TestService): void {
  const { title, provider, operation, isRepresentative, checksEngine } = checked;

  it.each(isRepresentative ? PASSED_THROUGH : PASSED_THROUGH_ELSEWHERE)(
    `${title} passes on a provider's %i with its body and content type`,
    async (status) => {
      const { client } = checked;
      // A refused token is refreshed and the call repeated: the second refusal is the answer.
      await client.fault({ status, path: await checked.firstPath(), times: 2 });
      const { answer, exchanges } = await checked.watch(() => checked.call({}, NO_RETRY));
      await client.clearFaults();
      // Only after a call that succeeds, another refusal leads to another refresh.
      if (status === 401) expect((await checked.call()).status).toBe(200);
      const { reply } = exchanges.findLast((exchange) => exchange.reply.status === status)!;
      expect(answer.status).toBe(status);
      expect(answer.text).toBe(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
      expect(answer.headers.get("content-type")).toBe(reply.headers["content-type"]);
    },
  );
  if (!checksEngine) return;

  it(`${title} answers 408 if the provider does not answer in time`, async () => {
    const client = createClient(impatient(), provider);
    await client.fault({ delay_ms: 5_000, times: 1 });
    const { status, body } = await client.call(operation, checked.pathParams, {}, NO_RETRY, checked.sample);
    await client.clearFaults();
    expect([status, body.errors[0].code]).toEqual([408, 7003]);
  });

  const { oauth2 } = provider.manifest.auth;
  if (oauth2?.lifetime !== undefined)
    it(`${title} refreshes an expired token once and succeeds`, async () => {
      await checked.client.fault({ expire_tokens: true, times: 1 });
      const address = provider.manifest.addresses[oauth2.token]!;
      const tokenPath = new URL(address.replace(/[{}]/g, "")).pathname;
      const seen = await checked.client.requests(async () => expect((await checked.call()).status).toBe(200));
      expect(seen.filter(({ path }) => path.split("?")[0]!.endsWith(tokenPath))).toHaveLength(1);
    });

  it.each([0, 1, 3])(`${title} is retried as often as Max-Retries says: %i`, async (retries) => {
    // A write is retried only if it cannot have been carried out.
    await checked.client.fault({ status: isWrite(operation.kind) ? 429 : 503, retry_after: 0, times: 10 });
    const seen = await checked.client.requests(() => checked.call({}, { "SVC-Max-Retries": String(retries) }));
    // A stream cannot be sent twice.
    expect(seen).toHaveLength(operation.kind === "upload" ? 1 : retries + 1);
  });

  it(`${title} answers 502 if the connection or the body breaks off`, async () => {
    // The bytes of a download are on their way already when its body breaks off.
    for (const broken of operation.kind === "download" ? [{ drop: true }] : [{ drop: true }, { truncate: true }]) {
      await checked.client.fault({ ...broken, times: 1 });
      const { status, body } = await checked.call({}, NO_RETRY);
      expect([status, body.errors[0].code]).toEqual([502, 7004]);
    }
  });
}
