import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    { file: "google-drive.discovery.json", format: "discovery" },
    { file: "google-drive.discovery.json", format: "discovery", address: "upload" },
  ],
  others: [{ source: "answers of /about in public repositories", what: "recorded answers, read by hand: the account" }],
} satisfies Evidence;
