import {
  type Context,
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  get,
  path,
  pointerTo,
  type Upstream,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { projectPlaces, readLists, readTeams } from "./places.ts";

// Only the fields that are read.
interface Option {
  id: string;
  /** Labels have a label, and the options of a dropdown a name. */
  name?: string;
  label?: string;
  orderindex?: number;
}
export interface ClickUpField {
  id: string;
  name: string;
  type: string;
  type_config?: { options?: Option[] } | null;
  /** Only in a task, and only if there is one. */
  value?: unknown;
}

/** https://developer.clickup.com/docs/customfields */
const TYPES: Record<string, DescribedField["type"]> = {
  text: "string",
  short_text: "string",
  url: "string",
  email: "string",
  phone: "string",
  drop_down: "string",
  labels: "strings",
  number: "number",
  currency: "number",
  emoji: "number",
  checkbox: "boolean",
  date: "date",
  users: "strings",
  tasks: "strings",
};

const nameOf = ({ id, name, label = name }: Option) => label ?? id;

function toField({ id, name, type, type_config }: ClickUpField): DescribedField {
  const { options } = type_config ?? {};
  return {
    path: pointerTo("custom_fields", id),
    label: name,
    type: TYPES[type] ?? null,
    custom: true,
    kind: type,
    ...(options && { choices: options.map((option) => ({ id: option.id, label: nameOf(option) })) }),
  };
}

const optionNamed = (options: readonly Option[], id: unknown) => {
  const found = options.find((option) => option.id === id);
  return found ? nameOf(found) : null;
};

/** A dropdown has the position of its option, labels have the IDs of theirs. */
function valueIn({ type, type_config, value }: ClickUpField): unknown {
  const options = type_config?.options ?? [];
  if (type === "drop_down") {
    const chosenOption = options.find(({ orderindex }) => orderindex === value);
    return chosenOption ? nameOf(chosenOption) : optionNamed(options, value);
  }
  if (!Array.isArray(value)) return value;
  if (type === "labels") return value.map((id) => optionNamed(options, id));
  if (type === "users")
    return value.map(({ id, username, email }: { id: number; username?: string | null; email?: string | null }) =>
      String(username || email || id),
    );
  return value;
}

interface ClickUpValue {
  value: unknown;
  value_options?: { time: boolean };
}

/** https://developer.clickup.com/reference/setcustomfieldvalue */
function toValue(field: WrittenField): ClickUpValue {
  const { value, described } = field;
  if (value === null) return { value };
  switch (described?.kind) {
    case "drop_down":
      return { value: chosen(field, String(value)).id };
    case "labels":
      return { value: [value].flat().map((name) => chosen(field, String(name)).id) };
    case "date":
      return { value: Date.parse(String(value)), value_options: { time: String(value).length > 10 } };
    case "users":
    case "tasks":
      throw customProblem(field, "cannot be written: at ClickUp, people and tasks are added and removed one by one");
    default:
      return { value };
  }
}

/** What is written, by the ID of the field. `known` are the fields of the list or the task, with their options. */
export function customValues(
  written: readonly WrittenField[],
  known: readonly ClickUpField[],
): [string, ClickUpValue][] {
  const described = new Map(known.map((field) => [pointerTo("custom_fields", field.id), toField(field)]));
  const values = writeTo(written, ["custom_fields"], (field) => {
    if (!described.has(field.path))
      throw customProblem(field, "cannot be set: the list of the task has no such field at ClickUp");
    return toValue({ ...field, described: described.get(field.path) });
  });
  return Object.entries(values) as [string, ClickUpValue][];
}

interface Fields {
  fields: ClickUpField[];
}

/** All fields that the tasks of a list have, also those of its folder, its space and its workspace. */
export const fieldsOfList = async (list: string, upstream: Upstream): Promise<ClickUpField[]> =>
  (await upstream<Fields>(get(path`/list/${list}/field`))).body.fields;

/** A workspace may have thousands of lists, and allows 100 calls in a minute. */
const MAX_LISTS = 20;

async function someLists(context: Context): Promise<string[]> {
  const found: string[] = [];
  for (const place of await projectPlaces(context)) {
    if (found.length >= MAX_LISTS) break;
    found.push(...(await readLists(place, context.upstream)));
  }
  return found.slice(0, MAX_LISTS);
}

/** The fields of workspaces, and of some of their lists. A task has those of its list. */
export const customFields: CustomFieldSource = {
  named: { "/custom_fields": { key: "id", value: valueIn } },
  async describe(context) {
    const found = new Map<string, DescribedField>();
    const add = (fields: ClickUpField[]) => {
      for (const field of fields) found.set(field.id, toField(field));
    };
    const { upstream } = context;
    for (const { id } of await readTeams(upstream))
      add((await upstream<Fields>(get(path`/team/${id}/field`))).body.fields);
    for (const list of await someLists(context)) add(await fieldsOfList(list, upstream));
    return [...found.values()];
  },
  writesItself: true,
};
