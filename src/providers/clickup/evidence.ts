import type { Evidence } from "../../provider-kit/index.ts";

const nullable = (violation: string) => ({ violation, reason: "null if there is none, in responses of the real API" });

const TEAM_TASKS = "#/paths/~1v2~1team~1%7Bteam_Id%7D~1task/get/responses/200/content/application~1json/schema";
const FOLDERS = "#/paths/~1v2~1space~1%7Bspace_id%7D~1folder/get/responses/200/content/application~1json/schema";
const LISTS = "#/paths/~1v2~1space~1%7Bspace_id%7D~1list/get/responses/200/content/application~1json/schema";

const folderField = (name: string) => ({ $ref: `${FOLDERS}/properties/folders/properties/${name}` });
const FOLDER_FIELDS = ["id", "name", "orderindex", "override_statuses", "hidden", "space", "task_count"];
const folder = {
  type: "object",
  required: [...FOLDER_FIELDS, "lists"],
  properties: {
    ...Object.fromEntries(FOLDER_FIELDS.map((name) => [name, folderField(name)])),
    lists: { $ref: `${LISTS}/properties/lists` },
  },
};

export default {
  descriptions: [
    {
      file: "clickup-v2.openapi3.json",
      format: "openapi",
      prefix: { described: "/v2" },
      replies: {
        // Described with texts for users, tags and lists. The real API sends the same objects as everywhere else.
        "GET /v2/task/{task_id} 200": { $ref: `${TEAM_TASKS}/properties/tasks/items` },
        "PUT /v2/task/{task_id} 200": { $ref: `${TEAM_TASKS}/properties/tasks/items` },
        "POST /v2/list/{list_id}/task 200": { $ref: `${TEAM_TASKS}/properties/tasks/items` },
        "GET /v2/list/{list_id}/task 200": { $ref: TEAM_TASKS },
        "GET /v2/space/{space_id}/folder 200": {
          type: "object",
          required: ["folders"],
          properties: { folders: { type: "array", items: folder } },
        },
      },
      deviations: [
        nullable("/avatar must be string"),
        nullable("/profilePicture must be string"),
        nullable("/username must be string"),
        nullable("/text_content must be string"),
        nullable("/markdown_description must be string"),
        nullable("/lists/*/content must be string"),
        nullable("/assignee must be object"),
        nullable("/assigned_by must be object"),
        nullable("/description must be string"),
        nullable("/date_closed must be string"),
        nullable("/due_date must be string"),
        nullable("/start_date must be string"),
        nullable("/parent must be string"),
        nullable("/points must be number"),
        nullable("/time_estimate must be number"),
        {
          violation: "/custom_fields/*/value is not described",
          reason:
            "described for a single task; absent if the field is empty: https://developer.clickup.com/docs/customfields",
        },
        { violation: "/priority must be integer", reason: "an object with a name and a color, or null" },
        { violation: "/status/id is not described", reason: "sent in responses of the real API since 2023" },
        { violation: "/statuses/*/id is not described", reason: "sent in responses of the real API since 2023" },
        nullable("/list*/status must"),
        nullable("/list*/priority must"),
        { violation: "/user/timezone is not described", reason: "spelled `timezeone` there, except in the example" },
        {
          violation: "/comment/*/* is not described",
          reason: "the formats of a comment's pieces: https://developer.clickup.com/docs/comment-formatting",
        },
        {
          violation: "comment body must have required property 'comment_text'",
          reason: "only for plain text: https://developer.clickup.com/docs/comment-formatting",
        },
        {
          violation: "comment body/comment is not described",
          reason: "the same in pieces with formats: https://developer.clickup.com/docs/comment-formatting",
        },
        {
          violation: "reply 200/last_page is not described",
          reason: "sent by the real API; if it is missing, the next page is read",
        },
      ],
    },
  ],
  others: [
    {
      source: "comments in public repositories",
      what: "recorded answers, read by hand: mentions, files, tables and the short form of lists",
    },
    { source: "users in public repositories", what: "recorded users, read by hand: the account" },
  ],
} satisfies Evidence;
