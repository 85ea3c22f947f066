import type { tasks } from "../../categories/tasks.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { InputOf } from "../../contracts/operation.ts";
import { byName } from "../../provider-kit/write.ts";
import { type Layout, layoutOf, type NotionProperties } from "./layout.ts";
import { markdownToRichText } from "./to-rich-text.ts";

type TaskChange = Omit<InputOf<typeof tasks.operations.updateTask>, "task_id" | "project_id">;

export const CHECKED = "Checked";
export const UNCHECKED = "Unchecked";

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
export function propertiesFrom(input: TaskChange, properties: NotionProperties): Record<string, object> {
  const layout = layoutOf(properties);
  const written: Record<string, object> = {};
  const set = (
    field: keyof TaskChange,
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
