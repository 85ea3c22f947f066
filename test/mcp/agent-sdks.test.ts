// Agent SDKs other than the protocol's own: the programs of docs/mcp-clients.md, as they are written there, without any
// traffic to other machines.
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { onlyThisMachine, openPrograms } from "../docs/support/programs.ts";
import { startService, type TestService } from "../support/service.ts";
import { readText, startUpstream } from "../support/upstream.ts";

const programs = openPrograms("mcp-clients.md");

let service: TestService;
let repositories: string[];
beforeAll(async () => {
  service = await startService();
  const response = await fetch(`${service.url}/unified/v1/git/repos?limit=2`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.github! },
  });
  repositories = ((await response.json()) as any).response.data.map(({ full_name }: any) => full_name);
  expect(repositories).toHaveLength(2);
});
afterEach(programs.end);
afterAll(async () => {
  await service?.close();
  programs.remove();
});

const run = (program: string, env: Record<string, string> = {}) =>
  programs.run(process.execPath, [program], {
    ...onlyThisMachine,
    PLUGBOARD_URL: service.url,
    MCP_KEY: `${service.apiKey}.${service.connections.github}`,
    ...env,
  });

it("Vercel's AI SDK lists the tools of a connection and calls one", async () => {
  const lines = (await run("ai-sdk.mjs")).split("\n");
  expect(lines).toContain("git_list_issues");
  expect(lines.slice(-2)).toEqual(repositories);
});

it("OpenAI's Agents SDK gives the tools of a connection to a model, and calls what the model chooses", async () => {
  const offered: string[] = [];
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  // A model that calls one tool, and then answers with its result.
  const model = await startUpstream(async (request, response) => {
    const { tools, input } = JSON.parse(await readText(request));
    offered.push(...tools.map(({ name }: any) => name));
    const called = [input].flat().find(({ type }: any) => type === "function_call_output");
    const text = called && JSON.stringify(called.output);
    const call = { type: "function_call", call_id: "call_1", name: "git_list_repositories", arguments: '{"limit":2}' };
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
    const output = [{ id: "item_1", status: "completed", ...(called ? message : call) }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "resp_1", object: "response", model: "fake", output, usage }));
  });
  onTestFinished(() => model.close());
  const answer = await run("openai-agents.mjs", {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "sk-made-up",
    OPENAI_AGENTS_DISABLE_TRACING: "1",
  });
  expect(offered).toContain("git_list_issues");
  for (const name of repositories) expect(answer).toContain(name);
});
