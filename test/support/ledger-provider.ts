// A made-up provider that keeps what is written, with the write key of each entry: to see what was written, and how often.
import Type from "typebox";
import {
  category,
  create,
  list as defineList,
  one as defineOne,
  upload as defineUpload,
  update,
} from "../../src/categories/define.ts";
import { Body, Given, Shape, Text } from "../../src/categories/schema.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { implement, list, one, upload } from "../../src/provider-kit/implement.ts";
import { fileRequest, get, patch, path, post } from "../../src/provider-kit/request.ts";
import type { Catalogue } from "../../src/service.ts";

const Entry = Shape("Entry", { id: Text(), text: Text() });
const NewEntry = Body({ text: Given(100, "The text"), tags: Type.Optional(Type.Array(Type.String())) });

export const ledger = category(
  "ledger",
  "Ledger",
  { entry_id: { description: "ID of the entry", source: { operation: "listEntries", field: "id" } } },
  {
    listEntries: defineList("/entries", Entry, "List entries"),
    getEntry: defineOne("/entries/:entry_id", Entry, "Get an entry"),
    createEntry: create("/entries", NewEntry, Entry, "Create an entry", { sample: { text: "First" } }),
    updateEntry: update("/entries/:entry_id", NewEntry, Entry, "Change an entry", { sample: { text: "Changed" } }),
    uploadEntry: defineUpload("/files", Entry, "Upload the text of an entry"),
  },
);

export interface StoredEntry {
  id: string;
  text: string;
  key: string | null;
}

const manifest: Manifest = {
  id: "ledger",
  name: "Ledger",
  docs: "https://ledger.example/docs",
  addresses: { api: "https://ledger.example/v1" },
  auth: { api_key: { label: "Key", help: "https://ledger.example/keys" } },
  check: get("/me"),
};

const implemented = implement(ledger, {
  listEntries: list({
    maxPageSize: 100,
    items: (body: StoredEntry[]) => body,
    next: () => null,
    request: ({ limit }) => get("/entries", {}, { limit }),
    record: ({ id, text }) => ({ id, text }),
  }),
  getEntry: one({
    request: ({ input }) => get(path`/entries/${input.entry_id}`),
    record: ({ id, text }: StoredEntry) => ({ id, text }),
  }),
  createEntry: one({
    request: ({ input, writeKey }) => post("/entries", { text: input.text, key: writeKey }),
    record: ({ id, text }: StoredEntry) => ({ id, text }),
  }),
  uploadEntry: upload({
    target: () => ({ request: fileRequest("POST", "/files") }),
    record: ({ id, text }: StoredEntry) => ({ id, text }),
  }),
  // Answers nothing, so that the entry has to be read afterwards.
  updateEntry: one({
    async load({ input, upstream }) {
      await upstream(get(path`/entries/${input.entry_id}`));
      await upstream(patch(path`/entries/${input.entry_id}`, { text: input.text }));
      return (await upstream<StoredEntry>(get(path`/entries/${input.entry_id}`))).body;
    },
    record: ({ id, text }: StoredEntry) => ({ id, text }),
  }),
});

/** `written` has every entry, in the order in which the provider received them. */
export function ledgerCatalogue(written: StoredEntry[] = []): Required<Catalogue> {
  const emulator = emulate<StoredEntry[]>({
    state: () => written,
    failure: (status) => reply(status, { problem: status }),
    routes: {
      "GET /v1/me": () => reply(200, {}),
      "GET /v1/entries": (_, entries) => reply(200, entries),
      "GET /v1/entries/:id": ({ params }, entries) => {
        const entry = entries.find(({ id }) => id === params.id);
        return entry ? reply(200, entry) : reply(404, { problem: "no such entry" });
      },
      "POST /v1/entries": ({ body }, entries) => {
        if (body.text === "refused") return reply(422, { problem: "not this text" });
        const entry = { id: String(entries.length + 1), text: body.text, key: body.key ?? null };
        entries.push(entry);
        return reply(201, entry);
      },
      "POST /v1/files": ({ bytes }, entries) => {
        const entry = { id: String(entries.length + 1), text: bytes.toString(), key: null };
        entries.push(entry);
        return reply(201, entry);
      },
      "PATCH /v1/entries/:id": ({ body, params }, entries) => {
        const entry = entries.find(({ id }) => id === params.id);
        if (!entry) return reply(404, { problem: "no such entry" });
        entry.text = body.text;
        return reply(204);
      },
    },
  });
  return {
    categories: [ledger],
    providers: [{ manifest, categories: [implemented] }],
    emulators: { ledger: emulator },
  };
}
