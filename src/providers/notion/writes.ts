import {
  byName,
  type CategoryImplementation,
  invalidInput,
  one,
  patch,
  path,
  post,
  type TaskFields,
  type tasks,
} from "../../provider-kit/index.ts";
import { customProperties } from "./custom-fields.ts";
import { type Layout, layoutOf, type NotionProperties } from "./layout.ts";
import { CHECKED, type NotionPage, readPage, readSource, toComment, toPlacedTask, UNCHECKED } from "./records.ts";
import { markdownToRichText } from "./to-rich-text.ts";

type Fields = Omit<TaskFields, "project_id">;

/** The value of a status or select property, or of a checkbox, for the name of a status or priority. */
function choice(field: string, name: string, property: NotionProperties[string]): object {
  if (property.type === "checkbox")
    return { checkbox: byName(field, name, [CHECKED, UNCHECKED], (known) => known) === CHECKED };
  const type = property.type === "status" ? "status" : "select";
  const found = byName(field, name, property[type]?.options ?? [], (option) => option.name);
  return { [type]: { name: found.name } };
}

/** A day if it is midnight, which is how a date without a time is read. */
const dateValue = (time: string) => {
  const iso = new Date(time).toISOString();
  return { date: { start: iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso } };
};

/** The properties of a page for the fields of a task that are given. */
function propertiesFrom(input: Fields, properties: NotionProperties): Record<string, object> {
  const layout = layoutOf(properties);
  const written: Record<string, object> = {};
  const set = (
    field: keyof Fields,
    name: Exclude<keyof Layout, "categories">,
    toValue: (text: string, property: NotionProperties[string]) => object,
  ) => {
    const given = input[field];
    if (given === undefined) return;
    const property = layout[name];
    if (property === undefined)
      throw invalidInput({
        path: ["body", field],
        message: "cannot be set: the data source has no property for it",
      });
    written[property] = toValue(given as string, properties[property]!);
  };

  set("title", "title", (title) => ({ title: [{ text: { content: title } }] }));
  set("description", "description", (text) => ({ rich_text: markdownToRichText(text) }));
  set("status", "status", (name, property) => choice("status", name, property));
  set("priority", "priority", (name, property) => choice("priority", name, property));
  set("assignee_id", "assignee", (id) => ({ people: [{ id }] }));
  set("labels", "labels", () => ({ multi_select: input.labels!.map((name) => ({ name })) }));
  set("due_at", "due", dateValue);
  set("parent_id", "parent", (id) => ({ relation: [{ id }] }));
  return written;
}

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    requires: ["project_id"],
    async load({ input: { project_id: source, ...fields }, upstream, write, written }) {
      const { properties: known } = await readSource(source, upstream);
      const parent = { type: "data_source_id", data_source_id: source };
      const properties = { ...propertiesFrom(fields, known), ...customProperties(written, known) };
      const { body: page } = await write<NotionPage>(post("/pages", { parent, properties }));
      return { page, layout: layoutOf(known) };
    },
    record: toPlacedTask,
    original: ({ page }) => page,
  }),

  updateTask: one({
    async load({ input: { task_id, project_id, ...fields }, upstream, write, written }) {
      const { page: before, properties: known } = await readPage(task_id, upstream);
      if (project_id !== undefined && project_id !== before.parent?.data_source_id)
        throw invalidInput({
          path: ["body", "project_id"],
          message: "cannot be changed: the properties of a page belong to its data source",
        });
      const properties = { ...propertiesFrom(fields, known), ...customProperties(written, known) };
      const { body: page } = await write<NotionPage>(patch(path`/pages/${task_id}`, { properties }));
      return { page, layout: layoutOf(known) };
    },
    record: toPlacedTask,
    original: ({ page }) => page,
  }),

  createComment: one({
    request: ({ input }) =>
      post("/comments", { parent: { page_id: input.task_id }, rich_text: markdownToRichText(input.text) }),
    record: toComment,
  }),
};
