import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "dropbox-files.stone",
      parts: ["dropbox-users.stone", "dropbox-auth.stone", "dropbox-common.stone", "dropbox-users_common.stone"],
      format: "stone",
    },
  ],
} satisfies Evidence;
