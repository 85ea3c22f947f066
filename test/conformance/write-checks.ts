// What every write has to do: it happens once, and a body that lacks something is refused.
import { expect, it } from "vitest";
import { ajv, type CheckedOperation } from "./checked-operation.ts";
import { requiredBy } from "./client.ts";

export function checkWrite(checked: CheckedOperation): void {
  const { title, operation, provider } = checked;

  if (operation.kind !== "upload")
    it(`${title} has a sample body that matches its schema`, () => {
      expect(operation.sample).toBeDefined();
      expect([ajv.validate(operation.body!, operation.sample), ajv.errorsText()]).toEqual([true, "No errors"]);
    });

  it(`${title} writes its sample and returns the ${operation.kind === "send" ? "provider's response" : "record"}`, async () => {
    const { answer, exchanges } = await checked.watch(() => checked.call({ include_raw: "true" }));
    const { body } = exchanges.at(-1)!.reply;
    expect(answer.status).toBe(200);
    const { data, _raw } = answer.body.response;
    expect(_raw).toEqual(exchanges.length === 1 ? body : { pages: exchanges.map(({ reply }) => reply.body ?? null) });
    if (operation.kind === "send") expect(data).toEqual(body);
    else checked.expectRecord(data);
  });

  it(`${title} is not repeated if it may have been carried out`, async () => {
    const calls = await checked.client.exchanges(() => checked.call());
    const { path, method } = calls.findLast(({ request }) => request.method !== "GET")!.request;
    // The fault hits the first call to the path, which has to be the write itself.
    if (calls.find(({ request }) => request.path === path)?.request.method !== method) return;
    if (calls.filter(({ request }) => request.path === path && request.method === method).length > 1) return;
    const faultPath = checked.faultPath(path);
    const [start, end = ""] = faultPath.split("*") as [string, string?];
    const isSame = (other: string) => other.startsWith(start) && other.endsWith(end);
    for (const broken of [{ status: 500, retry_after: 0 }, { drop: true }]) {
      await checked.client.fault({ ...broken, path: faultPath, times: 1 });
      const seen = await checked.client.requests(() => checked.call({}, { "SVC-Max-Retries": "3" }));
      const own = seen.filter((one) => (end ? isSame(one.path.split("?")[0]!) : one.path.split("?")[0] === path));
      expect(own.filter((one) => one.method === method)).toHaveLength(1);
    }
  });

  it.each(requiredBy(provider, operation))(`${title} refuses a body without %s`, async (field) => {
    const seen = await checked.client.requests(async () => {
      const incomplete = { ...checked.sample, [field]: undefined };
      const { status, body } = await checked.client.call(operation, checked.pathParams, {}, {}, incomplete);
      expect([status, body.errors[0].code, body.errors[0].path]).toEqual([400, 7001, ["body", field]]);
    });
    expect(seen).toEqual([]);
  });
}
