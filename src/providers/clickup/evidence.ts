import type { Evidence } from "../../contracts/evidence.ts";

const nullable = (violation: string) => ({ violation, reason: "null if there is none, in responses of the real API" });

export default {
  descriptions: [
    {
      file: "clickup-v2.openapi3.json",
      format: "openapi",
      prefix: { described: "/v2" },
      deviations: [
        nullable("/avatar must be string"),
        nullable("/profilePicture must be string"),
        nullable("/username must be string"),
        nullable("/text_content must be string"),
        nullable("/description must be string"),
        nullable("/date_closed must be string"),
        nullable("/due_date must be string"),
        nullable("/start_date must be string"),
        nullable("/parent must be string"),
        nullable("/points must be number"),
        nullable("/time_estimate must be number"),
        { violation: "/priority must be integer", reason: "an object with a name and a color, or null" },
        { violation: "/status/id is not described", reason: "sent in responses of the real API since 2023" },
        {
          violation: "reply 200/last_page is not described",
          reason: "sent by the real API; if it is missing, the next page is read",
        },
      ],
    },
  ],
} satisfies Evidence;
