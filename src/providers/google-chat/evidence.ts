import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "google-chat.discovery.json",
      format: "discovery",
      prefix: { described: "/v1" },
      deviations: [
        {
          violation: "GET /v1/people:listDirectoryPeople is not described",
          reason:
            "the People API's, which has a description of its own: https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople",
        },
      ],
    },
  ],
} satisfies Evidence;
