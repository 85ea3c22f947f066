// The protocol's own conformance suite against the authorization server that MCP clients sign in at.
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { consentAt, decide, newClient } from "../../mcp-sign-in/support.ts";
import { freePort } from "../../support/postgres.ts";
import { startService } from "../../support/service.ts";
import { startConformance } from "./command.ts";

it("the authorization server passes the conformance suite", async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const port = String(await freePort());
  const { id, resource } = await newClient(service, { redirectUri: `http://127.0.0.1:${port}/callback` });
  const options = ["--url", `${service.url}/auth/oauth`, "--client-id", id, "--resource", resource, "--port", port];
  const suite = startConformance("authorization", ...options);
  const ended = once(suite, "close");
  let output = "";
  suite.stdout.on("data", (data) => {
    output += data;
  });

  await expect.poll(() => output).toContain("Callback server started");
  const [address] = /^http:\S+\/authorize\?\S+$/m.exec(output)!;
  const { browser, page } = await consentAt(service, address);
  await browser.open((await decide(browser, page)).location!);

  // A check that is skipped, or only a warning, would be missing here.
  expect([...(await ended), output.slice(output.indexOf("=== SUMMARY")).trim().split("\n")]).toEqual([
    0,
    null,
    [
      "=== SUMMARY ===",
      "✓ authorization-server-metadata-endpoint: 2 passed, 0 failed",
      "✓ authorization-code-grant: 1 passed, 0 failed",
      "",
      "Total: 3 passed, 0 failed",
    ],
  ]);
});
