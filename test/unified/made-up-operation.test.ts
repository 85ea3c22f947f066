// Every kind of operation in a made-up category: a single record, a list with its own query parameter, a create, an update,
// a send that is not a chat message, and a download.
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as define from "../../src/categories/define.ts";
import { Shape, Text, Timestamp } from "../../src/categories/schema.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { implement, list, one, upload } from "../../src/provider-kit/implement.ts";
import { offset } from "../../src/provider-kit/paging.ts";
import { fileRequest, get, path, post } from "../../src/provider-kit/request.ts";
import { createClient } from "../conformance/client.ts";
import { describeInvalidBodies } from "../conformance/invalid-bodies.ts";
import { describeConformance } from "../conformance/suite.ts";
import { connectClient, oneCredential, textOf } from "../mcp/support.ts";
import { startService, type TestService } from "../support/service.ts";

const StoredFile = Shape("StoredFile", { id: Text(), name: Text(), folder: Text(), created_at: Timestamp() });

const NewFile = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) });

const files = define.category(
  "files",
  "Files",
  {
    file_id: {
      description: "Id of the file, as in the list of files",
      source: { operation: "listFiles", field: "id" },
    },
  },
  {
    listFiles: define.list("/files", StoredFile, "List files", {
      query: { folder: Type.Optional(Type.String({ minLength: 1, description: "Only files of this folder" })) },
    }),
    getFile: define.one("/files/:file_id", StoredFile, "Get a file"),
    createFile: define.create("/files", NewFile, StoredFile, "Create a file", { sample: { name: "Prüfbericht" } }),
    renameFile: define.update("/files/:file_id", NewFile, StoredFile, "Rename a file", { sample: { name: "Bericht" } }),
    downloadFile: define.download("/files/:file_id/content", "Download a file"),
    uploadFile: define.upload("/uploads", StoredFile, "Upload a file", {
      query: { name: Type.String({ minLength: 1, example: "Zoë.txt" }), parts: Type.Optional(Type.String()) },
    }),
    createFolder: define.send(
      "/folders",
      Type.Object({
        title: Type.String({ minLength: 1, maxLength: 100 }),
        type: Type.String({ enum: ["private", "shared"] }),
        quota: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      }),
      "Create a folder",
      { sample: { title: "Invoices", type: "shared", quota: 10 } },
    ),
  },
);
const { listFiles, getFile, createFile, renameFile, downloadFile, createFolder } = Object.fromEntries(
  files.bound.map((bound) => [bound.name, bound]),
);

interface CabinetFile {
  key: string;
  label: string;
  drawer: string;
  created: string;
}

interface CabinetPage {
  files: CabinetFile[];
}

const toFile = ({ key, label, drawer, created }: CabinetFile) => ({
  id: key,
  name: label,
  folder: drawer,
  created_at: created,
});

const manifest: Manifest = {
  id: "cabinet",
  name: "Cabinet",
  docs: "https://cabinet.example/docs",
  addresses: {
    api: "https://cabinet.example/v1",
    authorize: "https://cabinet.example/oauth/authorize",
    token: "https://cabinet.example/oauth/token",
  },
  auth: { oauth2: { authorize: "authorize", token: "token", scopes: ["files"], lifetime: 3600 } },
  check: get("/files"),
};

const provider: Provider = {
  manifest,
  categories: [
    implement(files, {
      listFiles: list({
        maxPageSize: 100,
        items: (body: CabinetPage) => body.files,
        next: offset<CabinetPage>((body) => body.files),
        request: ({ limit, cursor, input }) => get("/files", { drawer: input.folder }, { limit, offset: cursor }),
        record: toFile,
      }),
      getFile: one({
        request: ({ input }) => get(path`/files/${input.file_id}`),
        record: toFile,
      }),
      createFile: one({
        request: ({ input }) => post("/files", { label: input.name }),
        record: toFile,
      }),
      renameFile: one({
        request: ({ input }) => post(path`/files/${input.file_id}`, { label: input.name }),
        record: toFile,
      }),
      downloadFile: { source: ({ input }) => ({ request: get(path`/files/${input.file_id}/bytes`) }) },
      uploadFile: upload({
        target: ({ input }, { contentType }) =>
          input.parts
            ? {
                request: fileRequest("POST", "/bytes", { label: input.name }),
                contentType: "multipart/mixed; boundary=b",
                before: `--b\r\ncontent-type: ${contentType}\r\n\r\n`,
                after: "\r\n--b--",
              }
            : { request: fileRequest("POST", "/bytes", { label: input.name }) },
        record: toFile,
      }),
      createFolder: { request: ({ input: { title, type, quota } }) => post("/drawers", { title, type, quota }) },
    }),
  ],
};

/** The last uploaded file, as the provider got it. */
let received: { text: string; type: string | undefined; length: string | undefined };

const emulator = emulate<CabinetFile[]>({
  state: () =>
    Array.from({ length: 260 }, (_, index) => ({
      key: `file/${index}`,
      label: `Überweisung ${index}`,
      drawer: index % 2 ? "odd" : "even",
      created: "2026-01-01T00:00:00.000Z",
    })),
  failure: (status) => reply(status, { problem: status }),
  routes: {
    "GET /v1/files": ({ query }, state) => {
      const drawer = query.get("drawer");
      const start = Number(query.get("offset") ?? 0);
      const found = state.filter((file) => drawer === null || file.drawer === drawer);
      return reply(200, { files: found.slice(start, start + Number(query.get("limit") ?? 100)) });
    },
    "GET /v1/files/:key": ({ params }, state) => {
      const file = state.find(({ key }) => key === params.key);
      return file ? reply(200, file) : reply(404, { problem: "no such file" });
    },
    "POST /v1/files": ({ body }, [first]) => reply(201, { ...first!, key: "file/new", label: body.label }),
    "POST /v1/files/:key": ({ body, params }, [first]) => reply(200, { ...first!, key: params.key, label: body.label }),
    "GET /v1/files/:key/bytes": ({ params }, state) =>
      state.some(({ key }) => key === params.key)
        ? reply(200, `bytes of ${params.key}`, { "content-type": "text/plain" })
        : reply(404, { problem: "no such file" }),
    "POST /v1/bytes": ({ query, bytes, headers }, [first]) => {
      received = { text: String(bytes), type: headers["content-type"], length: headers["content-length"] };
      return reply(201, { ...first!, key: "file/uploaded", label: query.get("label") });
    },
    "POST /v1/drawers": ({ body }) => reply(201, { created: body }),
  },
});

const start = (env: Record<string, string> = {}, providers: readonly Provider[] = [provider]) =>
  startService({ env, catalogue: { categories: [files], providers, emulators: { cabinet: emulator } } });

describeConformance({ operations: files.bound, providers: [provider], start });
describeInvalidBodies({ operations: files.bound, providers: [provider], start });

let service: TestService;
beforeAll(async () => {
  service = await start();
});
afterAll(() => service?.close());

it("a list's own query parameter reaches the provider on every page", async () => {
  const client = createClient(service, provider);
  const read = async (query: Record<string, string | number>) =>
    (await client.call(listFiles!, {}, { folder: "odd", ...query })).body.response;
  const exchanges = await client.exchanges(async () => {
    const first = await read({ limit: 100 });
    const second = await read({ limit: 100, after: first.metadata.next });
    expect([...first.data, ...second.data].map(({ folder }) => folder)).toEqual(Array(130).fill("odd"));
    expect(second.metadata.next).toBeNull();
  });
  expect(exchanges.map(({ request }) => request.query.get("drawer"))).toEqual(["odd", "odd"]);
});

it("a cursor is bound to the list's own query parameter", async () => {
  const client = createClient(service, provider);
  const { metadata } = (await client.call(listFiles!, {}, { folder: "odd", limit: 1 })).body.response;
  const { status, body } = await client.call(listFiles!, {}, { folder: "even", after: metadata.next });
  expect([status, body.errors[0].path]).toEqual([400, ["query", "after"]]);
});

it("an invalid value of a list's own query parameter is refused with its path", async () => {
  const { status, body } = await createClient(service, provider).call(listFiles!, {}, { folder: "" });
  expect([status, body.errors[0].code, body.errors[0].path]).toEqual([400, 7001, ["query", "folder"]]);
});

it("a single record is mapped, and an unknown one gets the provider's own 404", async () => {
  const client = createClient(service, provider);
  const { body } = await client.call(getFile!, { file_id: "file/7" });
  expect(body.response).toEqual({
    data: { id: "file/7", name: "Überweisung 7", folder: "odd", created_at: "2026-01-01T00:00:00.000Z", custom: {} },
  });
  const missing = await client.call(getFile!, { file_id: "file/999" });
  expect([missing.status, missing.body]).toEqual([404, { problem: "no such file" }]);
});

it("the body of a send that is not a chat message reaches the provider", async () => {
  const { status, body } = await createClient(service, provider).call(createFolder!, {});
  expect([status, body.response.data]).toEqual([200, { created: createFolder!.sample }]);
});

it("a create and an update return the record that was written", async () => {
  const client = createClient(service, provider);
  const created = await client.call(createFile!, {});
  expect([created.status, created.body.response.data]).toMatchObject([200, { id: "file/new", name: "Prüfbericht" }]);
  const renamed = await client.call(renameFile!, { file_id: "file/7" });
  expect([renamed.status, renamed.body.response.data]).toMatchObject([200, { id: "file/7", name: "Bericht" }]);
});

it("a download returns the bytes and the content type of the provider", async () => {
  const { status, text, headers } = await createClient(service, provider).call(downloadFile!, { file_id: "file/7" });
  expect([status, text, headers.get("content-type")]).toEqual([200, "bytes of file/7", "text/plain"]);
});

describe("an upload", () => {
  const send = async (query: string, init: RequestInit & { duplex?: "half" }) => {
    const response = await fetch(`${service.url}/unified/v1/files/uploads?${query}`, {
      method: "POST",
      ...init,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.cabinet!,
        "content-type": "application/json",
        ...init.headers,
      },
    });
    return { status: response.status, body: (await response.json()) as any, headers: response.headers };
  };
  const bytes = '{"not": "parsed"}';

  it("an upload sends the client's bytes to the provider with their type and length, and returns the record", async () => {
    const { status, body } = await send("name=Zo%C3%AB.json", { body: bytes });
    expect([status, body.response.data.name]).toEqual([200, "Zoë.json"]);
    expect(received).toEqual({ text: bytes, type: "application/json", length: String(bytes.length) });
  });

  it("an upload works without a known length, with frames around the file, and with an empty file", async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const part of ["a".repeat(70_000), "b"]) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    expect(
      (await send("name=x", { body: stream, duplex: "half", headers: { "content-type": "text/plain" } })).status,
    ).toBe(200);
    expect([received.text.length, received.length]).toEqual([70_001, undefined]);
    await send("name=x&parts=yes", { body: bytes, headers: { "content-type": "text/plain" } });
    expect(received.text).toBe(`--b\r\ncontent-type: text/plain\r\n\r\n${bytes}\r\n--b--`);
    expect(received.type).toBe("multipart/mixed; boundary=b");
    expect([(await send("name=x", {})).status, received.text]).toEqual([200, ""]);
  });

  it("an upload refuses a missing parameter by name and an unknown key, and is not sent in a dry run", async () => {
    const { status, body } = await send("", { body: bytes });
    expect([status, body.errors[0].path]).toEqual([400, ["query", "name"]]);
    expect((await send("name=x", { body: bytes, headers: { authorization: "Bearer x" } })).status).toBe(401);
    const seen = await createClient(service, provider).requests(async () => {
      const planned = await send("name=x&dry_run=true", { body: bytes });
      expect(planned.body.response.data.requests[0]).toMatchObject({ method: "POST", body: null });
    });
    expect(seen).toEqual([]);
  });

  it("an upload refuses a form, whose parts would be stored as the file, and does not believe curl's default type", async () => {
    const form = new FormData();
    form.set("file", new Blob([bytes]), "notes.json");
    const encoded = new Response(form);
    const type = { "content-type": encoded.headers.get("content-type")! };
    const seen = await createClient(service, provider).requests(async () => {
      const { status, body } = await send("name=x", { body: await encoded.bytes(), headers: type });
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ code: 7001, path: ["headers", "Content-Type"] })],
      ]);
    });
    expect(seen).toEqual([]);
    for (const unknown of [
      "application/x-www-form-urlencoded;charset=UTF-8",
      "application/x-www-form-urlencoded",
      "*/*",
      "a/b/c",
      "json",
    ]) {
      await send("name=x", { body: bytes, headers: { "content-type": unknown } });
      expect(received).toMatchObject({ text: bytes, type: "application/octet-stream" });
    }
  });

  it("an upload refuses a compressed body, which would be stored as it is", async () => {
    const { status, body } = await send("name=x", { body: bytes, headers: { "content-encoding": "gzip" } });
    expect([status, body.errors[0].path]).toEqual([400, ["headers", "Content-Encoding"]]);
  });

  it("an upload with an idempotency key is made once", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const seen = await createClient(service, provider).requests(async () => {
      const first = await send("name=once", { body: bytes, headers });
      const second = await send("name=once", { body: bytes, headers });
      expect(second.headers.get("idempotency-replayed")).toBe("true");
      expect(second.body).toEqual(first.body);
    });
    expect(seen).toHaveLength(1);
  });
});

it("the OpenAPI description has the parameters of each kind of operation and the sample of a send", async () => {
  const { paths } = (await (await fetch(`${service.url}/unified/openapi.json`)).json()) as any;
  const namesIn = (place: string, { parameters }: any) =>
    parameters.filter((parameter: any) => parameter.in === place).map(({ name }: any) => name);
  expect(Object.entries<object>(paths).map(([route, methods]) => [route, ...Object.keys(methods)])).toEqual([
    ["/v1/files/files", "get", "post"],
    ["/v1/files/files/fields", "get"],
    ["/v1/files/files/{file_id}", "get", "patch"],
    ["/v1/files/files/{file_id}/content", "get"],
    ["/v1/files/uploads", "post"],
    ["/v1/files/folders", "post"],
  ]);
  expect(namesIn("query", paths["/v1/files/files"].get)).toEqual([
    "fields",
    "include_raw",
    "params",
    "limit",
    "after",
    "folder",
    "dry_run",
  ]);
  const single = paths["/v1/files/files/{file_id}"].get;
  expect([namesIn("path", single), namesIn("query", single)]).toEqual([
    ["file_id"],
    ["include_raw", "fields", "dry_run"],
  ]);
  const { content } = paths["/v1/files/folders"].post.requestBody;
  expect(content["application/json"].example).toEqual(createFolder!.sample);
});

it("each kind of operation except a download is an MCP tool", async () => {
  const { client, close } = await connectClient(
    `${service.url}/unified/v1/mcp`,
    oneCredential(service, provider.manifest.id),
  );
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    expect([result.isError ?? false, result.isError ? textOf(result) : ""]).toEqual([false, ""]);
    return (result.structuredContent as any).response;
  };
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "files_list_files",
    "files_get_file",
    "files_create_file",
    "files_rename_file",
    "files_create_folder",
  ]);
  const page = await call("files_list_files", { folder: "odd", limit: 2 });
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual(["file/1", "file/3"]);
  expect((await call("files_get_file", { file_id: "file/3" })).data.name).toBe("Überweisung 3");
  expect((await call("files_rename_file", { file_id: "file/3", name: "Bericht" })).data.name).toBe("Bericht");
  expect((await call("files_create_folder", { ...createFolder!.sample })).data.created).toEqual(createFolder!.sample);
  await close();
});
