import { beforeEach, expect, it, vi } from "vitest";
import { createClientDocuments } from "./client-document.ts";

const ID = "https://client.example/metadata.json";
const document = { client_id: ID, client_name: "An agent", redirect_uris: ["https://client.example/callback"] };
let answer: { status?: number; body: unknown };
const buffer = vi.fn();
const release = vi.fn();

beforeEach(() => {
  vi.resetAllMocks();
  answer = { body: document };
  buffer.mockImplementation(async () => ({
    statusCode: answer.status ?? 200,
    headers: {},
    bytes: Buffer.from(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body)),
    release,
  }));
});

const read = (id = ID, allowPrivate = false) => createClientDocuments({ transport: { buffer }, allowPrivate })(id);

it("a client is what the document at its ID says, which is read once", async () => {
  const readClient = createClientDocuments({ transport: { buffer }, allowPrivate: false });
  const client = { id: ID, name: "An agent", redirect_uris: document.redirect_uris };
  expect(await readClient(ID)).toEqual(client);
  expect(await readClient(ID)).toEqual(client);
  expect(buffer).toHaveBeenCalledOnce();
  expect(buffer.mock.calls[0]![0]).toMatchObject({
    origin: "https://client.example",
    path: "/metadata.json",
    method: "GET",
  });
  expect(release).toHaveBeenCalledOnce();
});

it.each([
  "http://client.example/metadata.json",
  "https://client.example/",
  "https://client.example",
  "https://CLIENT.example/metadata.json",
  "https://client.example/a/../metadata.json",
  "https://client.example/metadata.json#part",
  "https://name@client.example/metadata.json",
  "https://:secret@client.example/metadata.json",
  "ftp://client.example/metadata.json",
  "not an address",
  `https://client.example/${"x".repeat(2_000)}`,
])("an ID that is not an encrypted address with a path, in its normal form, is refused: %s", async (id) => {
  await expect(read(id)).rejects.toThrow("must be an https address with a path, in its normal form");
  expect(buffer).not.toHaveBeenCalled();
});

it("an address without encryption is read where private addresses are allowed", async () => {
  const id = "http://127.0.0.1:3000/metadata.json";
  answer = { body: { ...document, client_id: id } };
  expect(await read(id, true)).toMatchObject({ id });
});

it.each<[string, unknown, number?]>([
  ["its address answered 404", document, 404],
  ["its address answered 201", document, 201],
  ["it is not a JSON object", "null"],
  ["it is not a JSON object", '"text"'],
  ["it cannot be read", "<html>"],
  ["it is about another client", { ...document, client_id: `${ID}?` }],
  ["its token_endpoint_auth_method is not none", { ...document, token_endpoint_auth_method: "private_key_jwt" }],
  ["it has no redirect_uris", { ...document, redirect_uris: undefined }],
  ["it has no redirect_uris", { ...document, redirect_uris: [] }],
  ["it has no redirect_uris", { ...document, redirect_uris: ["https://a.example", 1] }],
  ["it has no redirect_uris", { ...document, redirect_uris: Array(51).fill("https://a.example") }],
])("a document is refused because %s", async (reason, body, status = 200) => {
  answer = { status, body };
  await expect(read()).rejects.toThrow(reason);
});

it("a document that cannot be loaded says nothing about why", async () => {
  buffer.mockRejectedValue(new Error("connect ECONNREFUSED 10.0.0.1:443"));
  await expect(read()).rejects.toThrow(/^it cannot be read$/);
});

it("a client may prefer another way to authenticate if it can also do without, and needs no name", async () => {
  const others = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_methods_supported: ["none"] };
  for (const client_name of [undefined, " ", 1]) {
    answer = { body: { ...document, ...others, client_name } };
    expect(await read()).toMatchObject({ name: "client.example" });
  }
  answer = { body: { ...document, redirect_uris: Array(50).fill("https://a.example") } };
  expect((await read()).redirect_uris).toHaveLength(50);
});
