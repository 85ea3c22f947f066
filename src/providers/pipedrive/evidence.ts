import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "pipedrive-v2.openapi3.yaml",
      format: "openapi",
      byHand: true,
      deviations: [
        {
          violation: "GET /persons reply 200/additional_data/next_cursor must be string",
          reason:
            "null on the last page, as the documentation says: https://pipedrive.readme.io/docs/core-api-concepts-pagination",
        },
        ...[
          "org_id must be integer",
          "picture_id must be integer",
          "first_name must be string",
          "last_name must be string",
        ].map((wrong) => ({
          violation: `GET /persons reply 200/data/*/${wrong}`,
          reason: "null if the person has none; the description never allows null",
        })),
      ],
    },
  ],
} satisfies Evidence;
