// What an operation on one record has to do, and a download.
import { expect, it } from "vitest";
import type { Answer } from "../support/platform.ts";
import { type CheckedOperation, retryAtOnce } from "./checked-operation.ts";
import { unknownLike } from "./client.ts";

/** Query parameters that name a container, and the list that has their values. */
const CONTAINERS = { folder_id: "listFiles", calendar_id: "listCalendars" };

export function checkOne(checked: CheckedOperation): void {
  const { title, operation, operations } = checked;

  it(`${title} returns one record that matches its schema`, async () => {
    const { status, body } = await checked.call();
    expect([status, Object.keys(body.response)]).toEqual([200, ["data"]]);
    checked.expectRecord(body.response.data);
    expect([...checked.problems]).toEqual([]);
    checked.expectFilledFields([body.response.data]);
  });

  const [id] = operation.parameters;
  if (id)
    it(`${title} returns the same record as the list`, async () => {
      const source = operations.find((one) => one.id === `${operation.category}.${id.source.operation}`)!;
      for (const record of (await checked.client.call(source, {}, { limit: 5 })).body.response.data) {
        const { body } = await checked.client.call(operation, { [id.name]: record[id.source.field] });
        expect(body.response.data).toEqual(record);
      }
    });

  it(`${title} returns the provider's own response on request`, async () => {
    for (const { query, headers, included } of checked.rawRequests) {
      const { answer, exchanges } = await checked.watch(() => checked.call(query, headers));
      checked.expectRecord(answer.body.response.data);
      // A record that takes several calls has all of their responses.
      const bodies = exchanges.map(({ reply }) => reply.body);
      const whole = bodies.length === 1 ? bodies[0] : { pages: bodies };
      expect(answer.body.response._raw).toEqual(included ? whole : undefined);
    }
  });

  if (!checked.checksEngine) return;
  it(`${title} succeeds after one broken connection or body if retries are allowed`, async () => {
    retryAtOnce();
    for (const broken of [{ drop: true }, { truncate: true }]) {
      await checked.client.fault({ ...broken, times: 1 });
      expect((await checked.call({}, { "SVC-Max-Retries": "1" })).status).toBe(200);
    }
  });
}

export function checkDownload(checked: CheckedOperation): void {
  it(`${checked.title} returns the provider's bytes as an attachment`, async () => {
    const { answer, exchanges } = await checked.watch(() => checked.call());
    const { body } = exchanges.at(-1)!.reply;
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(typeof body === "string" ? body : JSON.stringify(body));
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
  });
}

/** Whoever names a record or a container that does not exist gets the answer of the provider. */
export function checkUnknown(checked: CheckedOperation): void {
  const { title, operation, operations } = checked;
  const answersUnknown = (name: string, made: () => Promise<Answer>) =>
    it(`${title} answers an unknown ${name} with the provider's own error`, async () => {
      const { answer, exchanges } = await checked.watch(made);
      const { reply } = exchanges.at(-1)!;
      expect(answer.headers.get("svc-error-source")).toBe("provider");
      expect(answer.text).toBe(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
      // A failure may be inside a 200.
      expect(answer.status).toBe(reply.status === 200 ? 404 : reply.status);
      expect(Math.floor(answer.status / 100)).toBe(4);
    });

  const last = operation.parameters.at(-1)?.name;
  if (last)
    answersUnknown(last, () => {
      const known = checked.pathParams;
      return checked.client.call(operation, { ...known, [last]: unknownLike(known[last]!) });
    });
  for (const [filter, list] of Object.entries(CONTAINERS).filter(([name]) => name in operation.query))
    answersUnknown(filter, async () => {
      const source = operations.find(({ id }) => id === `${operation.category}.${list}`)!;
      const [known] = (await checked.client.call(source, {}, { limit: 1 })).body.response.data;
      return checked.call({ [filter]: unknownLike(known.id) });
    });
}
