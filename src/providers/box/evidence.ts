import type { Evidence } from "../../provider-kit/index.ts";

const description = { file: "box.openapi3.json", format: "openapi" } as const;

export default {
  descriptions: [description, { ...description, address: "upload" }],
  others: [
    {
      source: "https://developer.box.com/reference/post-files-content",
      what: "the parts of an upload's body, compared by hand: the contract suite does not read them",
    },
    { source: "answers of /users/me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
