// Issues and comments that are written through the Unified API, and read back through it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

const operation = (name: string) => operations.find(({ id }) => id === `git.${name}`)!;
const writing = providers.filter(({ categories }) => categories.some(({ operations: own }) => own.createIssue));

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

const markdown = "Grüße 👋\n\n- **one**\n- `two`\n\n> quoted\n\n[link](https://example.com/?a=1&b=2)";

describe.each(writing.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  let client: Client;
  let repo: string;
  beforeAll(async () => {
    client = createClient(service, provider);
    ({ repo } = (await client.sampleParams(operation("createIssue"), operations)) as { repo: string });
  });

  /** Values that issues of this repository have already. */
  async function known(field: "labels" | "assignees"): Promise<string> {
    const { data } = (await client.call(operation("listIssues"), { repo }, { limit: 100 })).body.response;
    return data.flatMap((issue: any) => issue[field])[0];
  }

  it(`an issue written to ${id} with every field is read back with the same meaning`, async () => {
    const body = {
      title: "Größe & <b>",
      description: markdown,
      labels: [await known("labels")],
      assignees: [await known("assignees")],
    };
    const created = await client.call(operation("createIssue"), { repo }, {}, {}, body);
    expect([created.status, created.text]).toEqual([200, expect.any(String)]);
    const { data } = created.body.response;
    expect(data).toMatchObject({ ...body, state: "open", closed_at: null });
    const listed = (await client.call(operation("listIssues"), { repo }, { limit: 1 })).body.response.data;
    expect(listed).toEqual([data]);
  });

  it(`an issue with only a title can be written to ${id}`, async () => {
    const { status, body } = await client.call(operation("createIssue"), { repo }, {}, {}, { title: "Only this" });
    expect([status, body.response.data]).toMatchObject([
      200,
      { title: "Only this", description: null, labels: [], assignees: [] },
    ]);
  });

  it(`a comment written to ${id} is the last one of its issue`, async () => {
    const issue = (await client.call(operation("createIssue"), { repo }, {}, {}, { title: "To comment on" })).body;
    const params = { repo, number: String(issue.response.data.number) };
    for (const text of [markdown, "second"]) {
      const { status, body } = await client.call(operation("createIssueComment"), params, {}, {}, { text });
      expect([status, body.response.data.text]).toEqual([200, text]);
    }
    const { data } = (await client.call(operation("listIssueComments"), params)).body.response;
    expect(data.map(({ text }: any) => text)).toEqual([markdown, "second"]);
  });

  it(`a comment on an unknown issue gets ${provider.manifest.name}'s own error`, async () => {
    const params = { repo, number: "999999" };
    const { status, headers } = await client.call(operation("createIssueComment"), params, {}, {}, { text: "x" });
    expect([status, headers.get("svc-error-source")]).toEqual([404, "provider"]);
  });

  it(`an unknown assignee or label of an issue is refused by ${id} or Plugboard, and nothing is written`, async () => {
    const title = `Refused ${crypto.randomUUID()}`;
    const { status } = await client.call(
      operation("createIssue"),
      { repo },
      {},
      {},
      { title, assignees: ["nobody-at-all"] },
    );
    expect([400, 422]).toContain(status);
    const { data } = (await client.call(operation("listIssues"), { repo }, { limit: 1 })).body.response;
    expect(data[0].title).not.toBe(title);
  });
});

it("Gitea lists the names of labels that exist if one does not", async () => {
  const gitea = createClient(service, providers.find(({ manifest }) => manifest.id === "gitea")!);
  const { repo } = (await gitea.sampleParams(operation("createIssue"), operations)) as { repo: string };
  const { status, body } = await gitea.call(
    operation("createIssue"),
    { repo },
    {},
    {},
    { title: "x", labels: ["bgu"] },
  );
  expect([status, body.errors[0].path]).toEqual([400, ["body", "labels"]]);
  expect(body.errors[0].detail).toContain('"bug"');
});
