// What the filters of every list have to do: leave the records that the whole list has, and no others.
import { expect, it } from "vitest";
import type { ListImplementation } from "../../src/contracts/provider.ts";
import type { CheckedOperation } from "./checked-operation.ts";
import { unknownLike } from "./client.ts";

/** What a record has to be found by. Written apart from the table of operations, which is what is checked. */
const VALUES: Record<string, (record: any) => string | null | undefined> = {
  project_id: (task) => task.project_id,
  status_category: (record) => record.status_category,
  state: (record) => record.state,
  assignee_id: (record) => record.assignee?.id,
  requester: (ticket) => ticket.requester?.email,
  email: (contact) => contact.email,
};

/** Values that a filter refuses. */
const WRONG: Record<string, string[]> = {
  project_id: [""],
  status_category: ["", "finished"],
  state: ["", "OPEN"],
  assignee_id: [""],
  requester: ["", "zoe"],
  email: ["", "zoe@"],
  query: ["", "  "],
};

/** Their tasks may be in several projects, of which the record has the first. */
const IN_SEVERAL_PROJECTS = new Set(["asana", "clickup"]);
/** Their tokens belong to a company. */
const WITHOUT_USER = new Set(["front"]);

/** Their tickets are found by an address that most of them do not show. */
const HIDDEN_REQUESTERS = new Set(["intercom"]);

const sorted = (records: any[]) => records.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

/** The value that most records have, of those that not all have. */
function dividing(records: any[], name: string): string {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = VALUES[name]!(record);
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const found = [...counts].filter(([, count]) => count < records.length).sort(([, a], [, b]) => b - a)[0];
  if (!found) throw new Error(`no value of ${name} divides the records: the emulator has too little variety`);
  return found[0];
}

const titleOf = (record: any): string => record.title ?? record.subject ?? record.name ?? "";

/** A word of titles that most records have, of those that not even half of them have. */
function searchedWord(records: any[]): string {
  const counts = new Map<string, number>();
  for (const record of records)
    for (const word of new Set(titleOf(record).match(/\p{L}{3,}/gu) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const found = [...counts].filter(([, count]) => count < records.length / 2).sort(([, a], [, b]) => b - a)[0];
  if (!found) throw new Error("no word divides the records: the emulator has too little variety");
  return found[0];
}

/** What would mean something else in one of the languages that searches are written in. */
const TRICKY = [
  'nothing" OR "a" OR title ~ "a',
  "nothing') OR Name LIKE '%' OR ('",
  "nothing' or name contains 'a' or 'b",
  'nothing\\" OR project is not EMPTY',
  "nothing} RETURNING Contact(Id) {a",
  "nothing OR NOT -nothing repo:acme/other status:open is:pr *",
  "100% (nothing) [a] {b} ~c ^d ?e :f !g +h -i /j &k |l *m* 'n' `o` $p; <q> # @r",
  "niçhts 日本語 🚀 \u0301 مرحبا",
  "AND nothing",
];

export function checkFilters(checked: CheckedOperation): void {
  const { title, operation, operations, provider, isRepresentative } = checked;
  const { filters: passedOn = [] } = provider.categories.find(({ category }) => category === operation.category)!
    .operations[operation.name] as ListImplementation;
  const names = Object.keys(operation.filters ?? {}).filter((name) => name !== "updated_since");
  const isShown = (name: string) => name !== "requester" || !HIDDEN_REQUESTERS.has(provider.manifest.id);
  const known = names.filter((name) => name in VALUES && isShown(name));
  if (names.length === 0) return;

  const walk = (query: Record<string, string>, limits = [100]) =>
    checked.client.walk(operation, checked.pathParams, limits, query);
  const isSame = (name: string, record: any, value: string) =>
    VALUES[name]!(record)?.toLowerCase() === value.toLowerCase();
  const matching = (query: Record<string, string>) =>
    checked.all.filter((record) =>
      Object.entries(query).every(([name, value]) =>
        name === "updated_since" ? !(record.updated_at < value) : isSame(name, record, value),
      ),
    );

  it(`${title} has a test for each of its filters`, () => {
    expect(names.filter((name) => !(name in WRONG))).toEqual([]);
  });

  it.each(known)(`${title} filtered by %s has exactly the records that the whole list has`, async (name) => {
    const value = dividing(checked.all, name);
    const found = await walk({ [name]: name === "email" || name === "requester" ? value.toUpperCase() : value });
    const expected = matching({ [name]: value });
    if (name !== "project_id" || !IN_SEVERAL_PROJECTS.has(provider.manifest.id))
      return expect(sorted(found)).toEqual(sorted(expected));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(checked.all).toEqual(expect.arrayContaining(found));
    expect(found.length).toBeLessThan(checked.all.length);
  });

  it.each(known.filter((name) => !("enum" in operation.query[name]!)))(
    `${title} filtered by a %s that does not exist is empty`,
    async (name) => {
      const value = dividing(checked.all, name);
      const unknown = value.includes("@") ? "nobody.at.all@example.com" : unknownLike(value);
      const { status, body } = await checked.call({ [name]: unknown });
      expect([status, body.response]).toEqual([200, { data: [], metadata: { next: null } }]);
    },
  );

  it(`${title} refuses a wrong value of a filter by name`, async () => {
    const seen = await checked.client.requests(async () => {
      for (const name of names)
        for (const value of WRONG[name]!) {
          const { status, body } = await checked.call({ [name]: value });
          expect([name, status, body.errors[0].code, body.errors[0].path]).toEqual([name, 400, 7001, ["query", name]]);
        }
    });
    expect(seen).toEqual([]);
  });

  if (known.length > 0)
    it(`${title} combines its filters with each other and with updated_since`, async () => {
      const [first, ...others] = known as [string, ...string[]];
      const query: Record<string, string> = { [first]: dividing(checked.all, first) };
      for (const name of others.slice(0, 1)) query[name] = dividing(matching(query).concat({}), name);
      const times = matching(query)
        .flatMap(({ updated_at }) => updated_at ?? [])
        .sort();
      if (times.length > 1) query.updated_since = times[times.length >> 1];
      const expected = sorted(matching(query));
      expect(expected.length).toBeGreaterThan(0);
      const isExact = query.project_id === undefined || !IN_SEVERAL_PROJECTS.has(provider.manifest.id);
      const found = sorted(await walk(query, isRepresentative ? [1, 7] : [40]));
      if (isExact) expect(found).toEqual(expected);
      else expect(found).toEqual(expect.arrayContaining(expected));

      const { text } = await checked.call(query, { accept: "application/x-ndjson" });
      const lines = text.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
      expect(sorted(lines.filter((line) => !line.metadata))).toEqual(found);
    });

  if (known.length > 0)
    it(`${title} refuses a cursor with another value of a filter`, async () => {
      const [name] = known as [string];
      const value = dividing(checked.all, name);
      const { next } = (await checked.call({ [name]: value, limit: 1 })).body.response.metadata;
      const other = VALUES[name]!(checked.all.find((record) => !isSame(name, record, value) && VALUES[name]!(record)))!;
      for (const query of [{}, { [name]: other }]) {
        const { status, body } = await checked.call({ ...query, after: next });
        expect([status, body.errors[0].path]).toEqual([400, ["query", "after"]]);
      }
    });

  if (names.includes("query") && !passedOn.includes("query"))
    it(`${title} says that the provider has no search`, async () => {
      const { status, body } = await checked.call({ query: "x" });
      const [{ code, path, detail }] = body.errors;
      expect([status, code, path]).toEqual([400, 7001, ["query", "query"]]);
      expect(detail).toBe(`${provider.manifest.name} has no search for this list`);
    });

  if (passedOn.includes("query")) {
    const byId = () => new Map(checked.all.map((record) => [record.id, record]));
    const search = async (query: Record<string, string>, limits?: number[]) => {
      const found = await walk(query, limits);
      const all = byId();
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      for (const record of found) expect(record).toEqual(all.get(record.id));
      return found;
    };

    it(`${title} finds records by a word of their titles, as the list has them`, async () => {
      const query = searchedWord(checked.all);
      const found = await search({ query }, [7, 100]);
      expect(found.map(titleOf).join(" ")).toContain(query);
      expect(found.length).toBeGreaterThanOrEqual(checked.all.filter((one) => titleOf(one).includes(query)).length);
      expect(found.length).toBeLessThan(checked.all.length);
    });

    it(`${title} takes the text of a search for nothing but text`, async () => {
      for (const query of TRICKY)
        expect([query, (await search({ query })).length < checked.all.length / 2]).toEqual([query, true]);
    });

    it(`${title} combines a search with its other filters and with updated_since`, async () => {
      const query = searchedWord(checked.all);
      const found = await search({ query });
      for (const name of known) {
        const value = VALUES[name]!(found.find((record) => VALUES[name]!(record)) ?? {});
        if (!value) continue;
        const expected = found.filter((record) => isSame(name, record, value));
        expect([name, sorted(await search({ query, [name]: value }))]).toEqual([name, sorted(expected)]);
      }
      const times = found.flatMap(({ updated_at }) => updated_at ?? []).sort();
      if (times.length < 2) return;
      const updated_since = times[times.length >> 1];
      const recent = found.filter(({ updated_at }) => !(updated_at < updated_since));
      expect(sorted(await search({ query, updated_since }))).toEqual(sorted(recent));
    });
  }

  if (names.includes("assignee_id"))
    it(`${title} finds what is assigned to the connection's own user by \`me\``, async () => {
      const getMe = operations.find(({ id }) => id === "identity.getMe")!;
      const { id } = (await checked.client.call(getMe, {})).body.response.data;
      if (WITHOUT_USER.has(provider.manifest.id)) {
        const { status, body } = await checked.call({ assignee_id: "me" });
        return expect([status, body.errors[0].code, body.errors[0].path]).toEqual([
          400,
          7001,
          ["query", "assignee_id"],
        ]);
      }
      const expected = matching({ assignee_id: id });
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(checked.all.length);
      expect(sorted(await walk({ assignee_id: "me" }, [7, 100]))).toEqual(sorted(expected));
    });
}
