import type { Evidence } from "../../provider-kit/index.ts";

/** Lists are described with compact records. The fields that `opt_fields` adds are described for a single record. */
const pageOf = (schema: string) => ({
  type: "object",
  required: ["data"],
  properties: {
    data: { type: "array", items: { $ref: `#/components/schemas/${schema}` } },
    next_page: { $ref: "#/components/schemas/NextPage" },
  },
});

const nullable = (violation: string, when: string) => ({
  violation,
  reason: `${when}, which the description allows in only one of the two parts of the schema, if at all`,
});

export default {
  descriptions: [
    {
      file: "asana.openapi3.yaml",
      format: "openapi",
      replies: {
        "GET /tasks 200": pageOf("TaskResponse"),
        "GET /projects 200": pageOf("ProjectResponse"),
        "GET /tasks/{task_gid}/stories 200": pageOf("StoryResponse"),
      },
      deviations: [
        nullable("/assignee must be object", "null for an unassigned task"),
        nullable("/parent must be object", "null for a task that is not a subtask"),
        nullable("/enum_value must be object", "null for an empty custom field"),
        {
          violation: "body/data/custom_fields/* must be string",
          reason:
            "a number, an object or a list as well, as the text of the description says: https://developers.asana.com/docs/custom-fields-guide",
        },
        nullable("/created_by must be object", "null for a story that Asana itself wrote"),
      ],
    },
  ],
  others: [
    { source: "answers of /users/me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
