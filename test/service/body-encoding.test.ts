// A body that cannot be read as it was meant is refused: decoded leniently, it would be stored as another text.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

async function send(path: string, body: string | Buffer<ArrayBuffer>, type = "application/json") {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections.linear!,
      "content-type": type,
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as any };
}

const refused = (detail: string) => ({
  status: 400,
  body: { errors: [{ code: 7001, path: ["body"], detail: expect.stringContaining(detail) }] },
});

it.each([
  ["Latin-1", Buffer.from('{"title":"Grüße"}', "latin1")],
  ["UTF-16", Buffer.from('{"title":"Grüße"}', "utf16le")],
  ["gzip", gzipSync('{"title":"Grüße"}')],
])("JSON in %s is refused instead of being stored with other characters", async (_, body) => {
  expect(await send("/unified/v1/tasks/tasks", body)).toMatchObject(refused("must be JSON"));
  const answer = await send("/platform/v1/api-keys", body);
  expect(answer).toMatchObject({ status: 400, body: { errors: { body: [expect.stringContaining("JSON")] } } });
});

it("JSON in UTF-8 may begin with a byte order mark", async () => {
  const answer = await send("/platform/v1/api-keys", '\uFEFF{"name":"Grüße"}');
  expect(answer).toMatchObject({ status: 201, body: { name: "Grüße" } });
});

it("half of a character is refused with the field that has it, and the text is not shown", async () => {
  const cut = '{"title":"Rocket \\ud83d"}';
  expect(await send("/unified/v1/tasks/tasks", cut)).toMatchObject(refused("cut in two: title"));
  const answer = await send("/platform/v1/api-keys", '{"name":"a","metadata":{"secret":["hidden \\ud83d"]}}');
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: { body: [expect.stringContaining("metadata.secret.0")] } },
  });
  expect(JSON.stringify(answer)).not.toContain("hidden");
});

it("what fetch sends without a content type is refused by its type, and a body that is no object as the body", async () => {
  const plain = await send("/unified/v1/tasks/tasks", '{"title":"a"}', "text/plain;charset=UTF-8");
  expect(plain).toMatchObject(refused("sent with Content-Type: application/json"));
  expect((await send("/unified/v1/tasks/tasks", "null")).body.errors[0].path).toEqual(["body"]);
});
