import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "google-chat.discovery.json",
      format: "discovery",
      prefix: { described: "/v1" },
      deviations: [
        {
          violation: "GET /v1/userinfo is not described",
          reason:
            "belongs to OpenID Connect: https://developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation",
        },
        {
          violation: "GET /v1/people:listDirectoryPeople is not described",
          reason:
            "belongs to the People API, which has its own description: https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople",
        },
      ],
    },
  ],
} satisfies Evidence;
