import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    { file: "google-drive.discovery.json", format: "discovery" },
    { file: "google-drive.discovery.json", format: "discovery", address: "upload" },
  ],
} satisfies Evidence;
