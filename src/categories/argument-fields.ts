/**
 * The field of the record that an argument is about, if its name is not that of a field. Null if it is about no field in
 * particular. A tool pack that hides the field takes the argument too.
 */
export const argumentFields: Readonly<Record<string, string | null>> = {
  assignee_id: "assignee",
  updated_since: "updated_at",
  starts_after: "start_date",
  starts_before: "start_date",
  folder_id: "parent_id",
  query: null,
  branch: null,
  text: null,
  thread_id: null,
  provider: null,
};
