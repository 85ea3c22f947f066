import Type, { type Static } from "typebox";
import { category, create, list, one, update } from "./define.ts";
import { assigneeId, fullText, projectId, statusCategory } from "./filters.ts";
import {
  Body,
  Given,
  GivenList,
  GivenText,
  GivenTime,
  NullablePerson,
  NullableText,
  NullableTimestamp,
  OneOf,
  Shape,
  Text,
  TextList,
  Timestamp,
} from "./schema.ts";
import { Project } from "./ticketing.ts";

const STATUS_CATEGORIES = ["todo", "in_progress", "done"] as const;

export const Task = Shape("Task", {
  id: Text(),
  title: Text(),
  description: NullableText("In Markdown"),
  status: Text("The status, as the provider names it"),
  status_category: OneOf(STATUS_CATEGORIES, "What the status means"),
  project_id: NullableText("Project, list, board or team that the task is in; the first if it is in several"),
  assignee: NullablePerson("The first if there are several"),
  priority: NullableText("The priority, as the provider names it"),
  labels: TextList("Names of the labels or tags"),
  due_at: NullableTimestamp("Midnight UTC if the provider only has a date"),
  parent_id: NullableText("ID of the task that this one is part of"),
  url: Text(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  completed_at: NullableTimestamp(),
});
export type Task = Static<typeof Task>;

export const TaskComment = Shape("TaskComment", {
  id: Text(),
  text: NullableText("The comment, in Markdown"),
  author: NullablePerson(),
  created_at: NullableTimestamp(),
});
export type TaskComment = Static<typeof TaskComment>;

const fields = {
  description: Type.Optional(GivenText("In Markdown")),
  status: Type.Optional(Given(255, "The name of a status, as tasks of the same project have it")),
  assignee_id: Type.Optional(Given(255, "ID of a user: `assignee.id` of other tasks has it")),
  priority: Type.Optional(Given(255, "The priority, as the provider names it")),
  labels: Type.Optional(GivenList("Names of labels or tags: exactly these")),
  due_at: Type.Optional(GivenTime("Only the day counts at providers that have no time")),
  parent_id: Type.Optional(Given(255, "ID of the task that this one is part of")),
};

const NewTask = Body({
  title: Given(255, "One line"),
  project_id: Type.Optional(
    Given(255, "An `id` from the list of projects. Required by providers whose tasks are always in a project"),
  ),
  ...fields,
});

const TaskChange = Body(
  {
    title: Type.Optional(Given(255, "One line")),
    project_id: Type.Optional(Given(255, "An `id` from the list of projects: moves the task")),
    ...fields,
  },
  { minProperties: 1 },
);
/** What can be written of a task. */
export type TaskFields = Static<typeof TaskChange>;

const NewComment = Body({ text: GivenText("The comment, in Markdown") });

export const tasks = category(
  "tasks",
  "Tasks",
  {
    task_id: {
      description: "ID of the task, as returned by the list of tasks",
      source: { operation: "listTasks", field: "id" },
    },
    project_id: {
      description: "ID of the project, as returned by the list of projects",
      source: { operation: "listProjects", field: "id" },
    },
  },
  {
    listTasks: list("/tasks", Task, "List tasks", {
      filters: {
        project_id: projectId,
        status_category: statusCategory(STATUS_CATEGORIES),
        assignee_id: assigneeId,
        query: fullText,
      },
    }),
    getTask: one("/tasks/:task_id", Task, "Get a task"),
    listProjects: list("/projects", Project, "List projects"),
    listComments: list("/tasks/:task_id/comments", TaskComment, "List a task's comments"),
    createTask: create("/tasks", NewTask, Task, "Create a task", {
      sample: { title: "Check the invoice of Café Zoë", description: "Check *all* items:\n\n- dates\n- amounts" },
    }),
    updateTask: update("/tasks/:task_id", TaskChange, Task, "Change a task", {
      sample: { title: "Check both invoices of Café Zoë" },
      description: "Fields that are left out stay as they are.",
    }),
    createComment: create("/tasks/:task_id/comments", NewComment, TaskComment, "Comment on a task", {
      sample: { text: "Done, see [the report](https://example.com/report) ✅" },
    }),
  },
);
