import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "dropbox-files.stone",
      parts: ["dropbox-users.stone", "dropbox-auth.stone", "dropbox-common.stone", "dropbox-users_common.stone"],
      format: "stone",
    },
  ],
  others: [
    {
      source: "answers of /users/get_current_account in public repositories",
      what: "recorded answers, read by hand: the account",
    },
  ],
} satisfies Evidence;
