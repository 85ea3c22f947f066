import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "asana.openapi3.yaml",
      format: "openapi",
      replies: {
        // The list is described with compact tasks. The fields that `opt_fields` adds are described for a single task.
        "GET /tasks 200": {
          type: "object",
          required: ["data"],
          properties: {
            data: { type: "array", items: { $ref: "#/components/schemas/TaskResponse" } },
            next_page: { $ref: "#/components/schemas/NextPage" },
          },
        },
      },
      deviations: [
        {
          violation: "GET /tasks reply 200/data/*/assignee must be object",
          reason:
            "null for an unassigned task, which the description allows in only one of the two parts of the schema",
        },
      ],
    },
  ],
} satisfies Evidence;
