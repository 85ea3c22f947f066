// Files in the sandbox: what was uploaded is what is downloaded, byte for byte, through Unified and as clients send it.
import { hash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Contents, keepContent } from "../../src/emulator-kit/file.ts";
import { startService, type TestService } from "../support/service.ts";

const MEGABYTE = 1024 * 1024;
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
/** No text in any encoding, and larger than what is read at a time. */
const LARGE = Buffer.alloc(3 * MEGABYTE, EVERY_BYTE);
const DRIVES = ["box", "dropbox", "google-drive", "onedrive"];

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

const call = async (provider: string, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections[provider]!,
      ...(init.headers as Record<string, string>),
    },
  });
const proxied = (provider: string, path: string, init?: RequestInit) => call(provider, `/proxy${path}`, init);

async function download(provider: string, id: string): Promise<Buffer> {
  const response = await call(provider, `/unified/v1/drive/files/${encodeURIComponent(id)}/content`);
  return Buffer.from(await response.arrayBuffer());
}

it.each(DRIVES)("%s: a file uploaded through Unified keeps all of its bytes", async (provider) => {
  for (const [name, bytes] of Object.entries({ "every byte": EVERY_BYTE, large: LARGE, empty: Buffer.alloc(0) })) {
    const response = await call(provider, `/unified/v1/drive/files?name=${encodeURIComponent(name)}.bin`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: bytes,
    });
    const { id, size } = ((await response.json()) as any).response.data;
    expect([name, size]).toEqual([name, bytes.length]);
    expect((await download(provider, id)).equals(bytes)).toBe(true);
  }
});

it.each(DRIVES)("%s: a file whose type is JSON need not be JSON", async (provider) => {
  const response = await call(provider, "/unified/v1/drive/files?name=broken.json", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"broken',
  });
  expect([response.status, ((await response.json()) as any).response.data.size]).toEqual([200, 8]);
});

it("a range of a file in the sandbox has exactly its bytes", async () => {
  const arg = JSON.stringify({ path: "/range.bin" });
  const octets = { "content-type": "application/octet-stream", "dropbox-api-arg": arg };
  await proxied("dropbox", "/@content/files/upload", { method: "POST", headers: octets, body: EVERY_BYTE });
  const response = await proxied("dropbox", "/@content/files/download", {
    headers: { "dropbox-api-arg": arg, range: "bytes=126-130" },
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(EVERY_BYTE.subarray(126, 131));
});

/** A file in two pieces, as each provider's own clients upload large ones. Returns its id. */
const inPieces: Record<string, (send: (path: string, init: RequestInit) => Promise<Response>) => Promise<string>> = {
  async box(send) {
    const json = { "content-type": "application/json" };
    const details = { folder_id: "0", file_name: "pieces.bin", file_size: LARGE.length };
    const begun = await send("/@upload/files/upload_sessions", {
      method: "POST",
      headers: json,
      body: JSON.stringify(details),
    });
    const { session_endpoints } = (await begun.json()) as any;
    const parts: object[] = [];
    for (const [piece, range] of PIECES) {
      const digest = `sha=${hash("sha1", piece, "base64")}`;
      const sent = await send(session_endpoints.upload_part, {
        method: "PUT",
        headers: { digest, "content-range": range, "content-type": "application/octet-stream" },
        body: piece,
      });
      parts.push(((await sent.json()) as any).part);
    }
    const commit = { method: "POST", headers: json, body: JSON.stringify({ parts }) };
    const done = await send(session_endpoints.commit, commit);
    return ((await done.json()) as any).entries[0].id;
  },
  async dropbox(send) {
    const call = async (name: string, argument: object, body: Buffer) => {
      const headers = { "content-type": "application/octet-stream", "dropbox-api-arg": JSON.stringify(argument) };
      return (await send(`/@content/files/upload_session/${name}`, { method: "POST", headers, body })).json() as any;
    };
    const [[first], [second]] = PIECES;
    const { session_id } = await call("start", {}, first);
    const cursor = { session_id, offset: first.length };
    expect(await call("append_v2", { cursor: { session_id, offset: 1 } }, second)).toMatchObject({
      error: { ".tag": "incorrect_offset", correct_offset: first.length },
    });
    return (await call("finish", { cursor, commit: { path: "/pieces.bin" } }, second)).id;
  },
  async "google-drive"(send) {
    const headers = { "content-type": "application/json", "x-upload-content-type": "application/octet-stream" };
    const body = JSON.stringify({ name: "pieces.bin" });
    const begun = await send("/upload/drive/v3/files?uploadType=resumable", { method: "POST", headers, body });
    let last: Response | undefined;
    for (const [piece, range] of PIECES)
      last = await send(begun.headers.get("location")!, {
        method: "PUT",
        headers: { "content-range": range },
        body: piece,
      });
    return ((await last!.json()) as any).id;
  },
  async onedrive(send) {
    const headers = { "content-type": "application/json" };
    const begun = await send("/me/drive/items/root:/pieces.bin:/createUploadSession", {
      method: "POST",
      headers,
      body: "{}",
    });
    const { uploadUrl } = (await begun.json()) as any;
    let last: Response | undefined;
    // Its address needs no credential, so that it is not the Proxy's.
    for (const [piece, range] of PIECES)
      last = await fetch(uploadUrl, { method: "PUT", headers: { "content-range": range }, body: piece });
    return ((await last!.json()) as any).id;
  },
};
const MIDDLE = 2 * MEGABYTE + 7;
const PIECES: [[Buffer, string], [Buffer, string]] = [
  [LARGE.subarray(0, MIDDLE), `bytes 0-${MIDDLE - 1}/${LARGE.length}`],
  [LARGE.subarray(MIDDLE), `bytes ${MIDDLE}-${LARGE.length - 1}/${LARGE.length}`],
];

it.each(DRIVES)("%s: a file uploaded in pieces through the Proxy keeps all of its bytes", async (provider) => {
  const id = await inPieces[provider]!((target, init) =>
    target.startsWith("/") ? proxied(provider, target, init) : call(provider, target.slice(service.url.length), init),
  );
  expect((await download(provider, id)).equals(LARGE)).toBe(true);
});

it("the sandbox takes a body of 64 MB, and answers 413 to a larger one", async () => {
  const upload = async (size: number) => {
    const { credentials } = service.sandbox.credentials("dropbox", "oauth2");
    return fetch(`${service.url}/sandbox/dropbox/2/files/upload`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${credentials.token}`,
        "content-type": "application/octet-stream",
        "dropbox-api-arg": '{"path":"/largest.bin"}',
      },
      body: Buffer.alloc(size, 7),
    });
  };
  const response = await upload(64 * MEGABYTE);
  expect([response.status, ((await response.json()) as any).size]).toEqual([200, 64 * MEGABYTE]);
  const refused = await upload(64 * MEGABYTE + 1);
  expect([refused.status, await refused.json()]).toEqual([413, { message: "Request body is too large" }]);
});

it("an emulator keeps the newest 256 MB of what was uploaded", () => {
  const contents: Contents = new Map([["generated", "text"]]);
  const content = Buffer.alloc(64 * MEGABYTE);
  for (const id of ["1", "2", "3", "4", "5"]) keepContent(contents, id, content);
  expect([...contents].filter(([, kept]) => kept === undefined)).toEqual([["1", undefined]]);
  expect(contents.get("generated")).toBe("text");
});
