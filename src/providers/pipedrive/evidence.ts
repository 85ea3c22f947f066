import type { Evidence } from "../../provider-kit/index.ts";

/** Fields that are null if there is no value, which the description of version 2 allows for few of them. */
const NULLABLE = {
  "/persons": ["org_id", "first_name", "last_name"],
  "/organizations": ["address"],
  "/deals": ["org_id", "expected_close_date"],
};

export default {
  descriptions: [
    {
      file: "pipedrive-v2.openapi3.yaml",
      format: "openapi",
      deviations: [
        {
          violation: "reply 200/additional_data/next_cursor must be string",
          reason:
            "null on the last page, as the documentation says: https://pipedrive.readme.io/docs/core-api-concepts-pagination",
        },
        {
          violation: "GET /organizations reply 200/data/*/website is not described",
          reason:
            "added later: https://github.com/pipedrive/client-nodejs/blob/master/CHANGELOG.md, OrganizationItem of version 33",
        },
        ...NULLABLE["/persons"].map((field) => ({
          violation: `/persons* reply 200/data/${field} must be`,
          reason: "null if there is none; the description does not mark it as nullable",
        })),
        ...Object.entries(NULLABLE).flatMap(([path, fields]) =>
          fields.map((field) => ({
            violation: `GET ${path} reply 200/data/*/${field} must be`,
            reason: "null if there is none; the description does not mark it as nullable",
          })),
        ),
      ],
    },
    {
      file: "pipedrive-v1.openapi3.yaml",
      format: "openapi",
      address: "v1",
      deviations: [
        {
          violation: "reply 401/error_info is not described",
          reason: "the key of every error: https://pipedrive.readme.io/docs/core-api-concepts-responses",
        },
      ],
    },
  ],
  others: [
    {
      source: 'Pipedrive\'s page "Getting user data", and users in public repositories',
      what: "an example and recorded users, read by hand: the account",
    },
  ],
} satisfies Evidence;
