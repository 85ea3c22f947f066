// Agent SDKs other than the protocol's own: what they list and call is what the official clients get.
import { createMCPClient } from "@ai-sdk/mcp";
import { expect, it, onTestFinished } from "vitest";
import { startService } from "../support/service.ts";
import { oneCredential } from "./support.ts";

it("Vercel's AI SDK lists the tools of a connection and calls one", async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const url = `${service.url}/unified/v1/mcp`;
  const client = await createMCPClient({ transport: { type: "http", url, headers: oneCredential(service, "github") } });
  onTestFinished(() => client.close());
  const tools = await client.tools();
  expect(Object.keys(tools)).toContain("git_list_issues");
  const options = { toolCallId: "1", messages: [], context: undefined };
  const result = (await tools.git_list_repositories!.execute({ limit: 2 }, options as never)) as any;
  expect(result.structuredContent.response.data).toHaveLength(2);
});
