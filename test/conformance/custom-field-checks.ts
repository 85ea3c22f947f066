// What the custom fields of every record that has some must do: they are offered, read, written and read again.
import { beforeAll, describe, expect, it } from "vitest";
import type { CustomFieldType } from "../../src/contracts/custom-fields.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { CustomFieldSource, Provider } from "../../src/contracts/provider.ts";
import { valueProblem } from "../../src/engine/custom-fields/values.ts";
import type { TestService } from "../support/service.ts";
import type { Client } from "./client.ts";

interface Offered {
  path: string;
  label: string;
  type: CustomFieldType;
  custom: boolean;
  example: unknown;
}
interface Declared extends Offered {
  name: string;
}

/** Of another type than the field's. */
const WRONG: Record<CustomFieldType, unknown> = {
  string: 7,
  number: "many",
  boolean: "yes",
  date: "tomorrow",
  strings: "one",
};

export const sourcesOf = ({ categories }: Provider): [record: string, source: CustomFieldSource][] =>
  categories.flatMap(({ category, customFields = {} }) =>
    Object.entries(customFields).map(([name, source]): [string, CustomFieldSource] => [`${category}.${name}`, source]),
  );

export interface CustomFieldOptions {
  provider: Provider;
  implemented: readonly BoundOperation[];
  operations: readonly BoundOperation[];
  service(): TestService;
  client(): Client;
}

/** Declares the tests of a provider's records that have custom fields. */
export function describeCustomFields({ provider, implemented, operations, service, client }: CustomFieldOptions): void {
  const { id } = provider.manifest;

  async function platform(method: string, path: string, body?: object) {
    const response = await fetch(`${service().url}/platform/v1/custom-fields${path}`, {
      method,
      headers: { authorization: `Bearer ${service().apiKey}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: any = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
    return answer;
  }

  describe.each(sourcesOf(provider))("%s has custom fields", (record, source) => {
    const title = `${id} ${record}`;
    const of = (kind: BoundOperation["kind"]) =>
      implemented.filter((operation) => operation.recordName === record && operation.kind === kind);
    const [list] = of("list");
    let pathParams: Record<string, string> = {};
    let offered: Offered[] = [];
    let declared: Declared[] = [];
    let records: any[] = [];

    const read = async (query = {}) => {
      const { body, status, text } = await client().call(list!, pathParams, { limit: 100, ...query });
      if (status !== 200) throw new Error(`${list!.id} answered ${status}: ${text}`);
      return body.response.data as any[];
    };

    /** A value that some record has, other than the given one. */
    const another = (name: string, value: unknown) =>
      records
        .map(({ custom }) => custom[name])
        .find((one) => one !== null && JSON.stringify(one) !== JSON.stringify(value));

    beforeAll(async () => {
      pathParams = await client().sampleParams(list!, operations);
      const answer = await client().call({ ...list!, route: `${list!.route}/fields` }, pathParams);
      if (answer.status !== 200) throw new Error(`${list!.id} fields answered ${answer.status}: ${answer.text}`);
      offered = answer.body.response.data;
      const own = offered.filter(({ custom }) => custom);
      declared = own.map((field, index) => ({ ...field, name: `field_${index}` }));
      for (const { name, type, path } of declared)
        await platform("POST", "", {
          record,
          name,
          type,
          paths: { [id]: path },
          connection_id: service().connections[id],
        });
      records = await read();
      return async () => {
        for (const one of await platform("GET", "")) await platform("DELETE", `/${one.id}`);
      };
    });

    it(`${title} offers custom fields, each with an example`, () => {
      expect(declared.length).toBeGreaterThan(1);
      for (const field of declared) expect([field.label, field.example], field.path).not.toContain(null);
      expect(new Set(offered.map(({ path }) => path)).size).toBe(offered.length);
    });

    it(`${title} has them in every record, with values of their types`, () => {
      const names = declared.map(({ name }) => name).sort();
      for (const { custom } of records) expect(Object.keys(custom).sort()).toEqual(names);
      for (const { name, type, example } of declared) {
        const values = records.map(({ custom }) => custom[name]);
        for (const value of values) expect([name, value, valueProblem(type, value)]).toEqual([name, value, undefined]);
        expect(
          values.some((value) => JSON.stringify(value) === JSON.stringify(example)),
          name,
        ).toBe(true);
        // A checkbox that is not ticked is false at many providers.
        expect(
          values.some((value) => value === null || value === false || value?.length === 0),
          `${name} is missing somewhere`,
        ).toBe(true);
      }
    });

    it(`${title} reads a field that the provider does not have as null, and says so`, async () => {
      const paths = { [id]: "/no/such_field" };
      const connection_id = service().connections[id];
      const made = await platform("POST", "", { record, name: "unknown", type: "string", paths, connection_id });
      const found = await read();
      const fields = await client().call({ ...list!, route: `${list!.route}/fields` }, pathParams);
      await platform("DELETE", `/${made.id}`);
      expect(found).toHaveLength(records.length);
      for (const { custom } of found) expect(custom.unknown).toBeNull();
      expect(fields.body.response.metadata.missing).toEqual(["unknown"]);
    });

    const [one] = of("one");
    if (one)
      it(`${title} has the same in ${one.id}`, async () => {
        const [parameter] = one.parameters.slice(-1);
        for (const listed of records.slice(0, 3)) {
          const params = { ...pathParams, [parameter!.name]: String(listed[parameter!.source.field]) };
          const { body } = await client().call(one, params);
          expect(body.response.data.custom).toEqual(listed.custom);
        }
      });

    const update = of("update")[0];
    const canWrite = source.write !== undefined || source.writesItself === true;
    if (update && canWrite)
      it.each([1, 2])(`${title} writes them with ${update.id}, and reads what was written (record %i)`, async (nth) => {
        const [parameter] = update.parameters.slice(-1);
        const target = records[nth]!;
        const params = { ...pathParams, [parameter!.name]: String(target[parameter!.source.field]) };
        const entries = declared.flatMap(({ name }) => {
          const value = another(name, target.custom[name]);
          return value === undefined ? [] : [[name, value] as const];
        });
        expect(entries.length).toBeGreaterThan(1);
        const custom = Object.fromEntries(entries);
        const answer = await client().call(update, params, {}, {}, { custom });
        expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
        expect(answer.body.response.data.custom).toMatchObject(custom);
        const again = (await read()).find(({ id: same }) => same === target.id);
        expect(again?.custom).toMatchObject(custom);
        // Null empties a field.
        const [first] = entries[0]!;
        const emptied = await client().call(update, params, {}, {}, { custom: { [first]: null } });
        expect([emptied.status, emptied.body.response?.data.custom[first]]).toEqual([200, null]);
      });

    const create = of("create")[0];
    if (create && canWrite)
      it(`${title} writes them with ${create.id}`, async () => {
        const sample = await client().sampleBody(create, operations);
        const entries = declared.map(({ name, example }) => [name, example] as const);
        const custom = Object.fromEntries(entries);
        const answer = await client().call(create, {}, {}, {}, { ...sample, custom });
        expect([answer.status, answer.body.response?.data.custom, answer.text.slice(0, 300)]).toEqual([
          200,
          custom,
          expect.any(String),
        ]);
      });

    const write = update ?? create;
    if (write)
      it(`${title} refuses custom fields that it cannot write, and names them`, async () => {
        const sample = write === create ? await client().sampleBody(write, operations) : {};
        const params = { ...pathParams };
        for (const { name, source: from } of write.parameters) params[name] ??= String(records[0][from.field]);
        const seen = await client().requests(async () => {
          for (const { name, type } of declared) {
            const { status, body } = await client().call(
              write,
              params,
              {},
              {},
              {
                ...sample,
                custom: { [name]: WRONG[type] },
              },
            );
            expect([status, body.errors[0].path]).toEqual([400, ["body", "custom", name]]);
          }
          const { status, body } = await client().call(write, params, {}, {}, { ...sample, custom: { nobody: 1 } });
          expect([status, body.errors[0].path]).toEqual([400, ["body", "custom", "nobody"]]);
        });
        expect(seen).toEqual([]);
      });
  });
}
