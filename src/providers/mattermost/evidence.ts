import type { Evidence } from "../../provider-kit/index.ts";

const model = (name: string) => `https://github.com/mattermost/mattermost/blob/master/server/public/model/${name}.go`;

export default {
  descriptions: [
    {
      file: "mattermost-users.yaml",
      parts: ["mattermost-channels.yaml", "mattermost-posts.yaml", "mattermost-definitions.yaml"],
      format: "openapi",
      prefix: { described: "/api/v4" },
      deviations: [
        { violation: "/is_bot is not described", reason: `missing there: ${model("user")}` },
        { violation: "/reply_count is not described", reason: `missing there: ${model("post")}` },
        { violation: "/detailed_error is not described", reason: `missing there: ${model("utils")}` },
      ],
    },
  ],
} satisfies Evidence;
