import type { TSchema } from "typebox";
import Type from "typebox";
import { categories } from "../../categories/index.ts";
import { type BoundOperation, type Category, isContainer } from "../../contracts/operation.ts";
import type { FieldSchema } from "./fields.ts";

export interface RecordSchema extends TSchema {
  title: string;
  properties: Record<string, FieldSchema>;
}

/** What the scaffold implements of a category. */
export interface Plan {
  category: Category;
  list: BoundOperation;
  record: RecordSchema;
  /** One record of the list, if the category has an operation for it. */
  one: BoundOperation | undefined;
  /** A write of such a record, or to one of them. */
  write: BoundOperation | undefined;
  /** Parameters of the list that only the provider can apply: the field that they choose by. */
  chosenBy: Record<string, { field: string; known: string }>;
}

/** Where the made-up API has what a parameter names: in `field` of the records, and in `known` of what exists. */
const CONTAINERS: Plan["chosenBy"] = {
  project_id: { field: "project_id", known: "project_id" },
  folder_id: { field: "parent_id", known: "id" },
};

/** Lists that can be read without knowing anything. */
const startingLists = ({ bound }: Category) =>
  bound.filter(
    ({ kind, parameters, query }) =>
      kind === "list" && parameters.length === 0 && Object.values(query).every((schema) => Type.IsOptional(schema)),
  );

/** The categories that a provider can start with. */
export const scaffoldCategories = (): string[] =>
  categories.filter((category) => startingLists(category).length > 0).map(({ id }) => id);

/** Providers do not map it. */
const withoutCustom = (record: RecordSchema): RecordSchema => {
  const { custom: _, ...properties } = record.properties;
  return { ...record, properties };
};

function writeFor({ bound }: Category, list: BoundOperation): BoundOperation | undefined {
  return bound.find(({ kind, parameters, record }) =>
    kind === "send"
      ? parameters.length === 1 && parameters[0]!.source.operation === list.name
      : kind === "create" && parameters.length === 0 && record === list.record,
  );
}

export function planOf(categoryId: string): Plan | undefined {
  const category = categories.find(({ id }) => id === categoryId);
  const lists = category ? startingLists(category) : [];
  const list = lists.find((one) => writeFor(category!, one)) ?? lists[0];
  if (!category || !list) return undefined;
  const containers = Object.keys(list.query).filter((name) => {
    const filter = list.filters?.[name];
    return name in CONTAINERS && (!filter || isContainer(filter));
  });
  return {
    category,
    list,
    record: withoutCustom(list.record as RecordSchema),
    one: category.bound.find(
      ({ kind, parameters }) =>
        kind === "one" && parameters.length === 1 && parameters[0]!.source.operation === list.name,
    ),
    write: writeFor(category, list),
    chosenBy: Object.fromEntries(containers.map((name) => [name, CONTAINERS[name]!])),
  };
}
