import { expect, test } from "vitest";
import type { Manifest } from "../../contracts/manifest.ts";
import zendesk from "./manifest.ts";

const manifest: Manifest = zendesk;

test.each(["agent@example.com", "agent@example.com/token"])(
  "an API token of %s is marked by a single /token suffix",
  (username) => {
    const { headers } = manifest.authorization!({ username, password: "made-up" }, "basic");
    expect(Buffer.from(headers!.authorization!.replace("Basic ", ""), "base64").toString()).toBe(
      "agent@example.com/token:made-up",
    );
  },
);
