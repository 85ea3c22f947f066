import {
  type CategoryImplementation,
  isoTime,
  markdownToHtml,
  one,
  post,
  refuseFields,
  type tasks,
} from "plugboard/provider-kit";
import manifest from "./manifest.ts";
import { toTask } from "./records.ts";

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    request({ input: { title, description, project_id, due_at, ...others } }) {
      refuseFields(others, ["status", "assignee_id", "priority", "labels", "parent_id"], manifest);
      return post("/notes", {
        headline: title,
        text_html: description && markdownToHtml(description),
        notebook: project_id && Number(project_id),
        due: isoTime(due_at) ?? undefined,
      });
    },
    record: toTask,
  }),
};
