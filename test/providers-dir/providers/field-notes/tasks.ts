import { defined, get, implement, list, one, pageNumber, path, tasks } from "plugboard/provider-kit";
import { type Note, toTask } from "./records.ts";
import { writes } from "./writes.ts";

export default implement(tasks, {
  listTasks: list({
    maxPageSize: 50,
    filters: ["project_id"],
    items: (body: Note[]) => body,
    next: pageNumber<Note[]>(1, (notes) => notes),
    request: ({ input, limit, cursor }) =>
      get("/notes", {}, { per_page: limit, page: cursor ?? 1, ...defined({ notebook: input.project_id }) }),
    record: toTask,
  }),
  getTask: one({ request: ({ input }) => get(path`/notes/${input.task_id}`), record: toTask }),
  ...writes,
});
