import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import { richTextToMarkdown } from "./rich-text.ts";
import { markdownToRichText } from "./to-rich-text.ts";

describe("Markdown as rich text", () => {
  test("formats and links are kept, and lists and headings become lines", () => {
    expect(
      markdownToRichText("# Plan\n\nCheck **_all_** `a*b`:\n\n- [x] [dates](https://example.com/)\n- ~~no~~"),
    ).toEqual([
      { text: { content: "Plan" }, annotations: { bold: true } },
      { text: { content: "\n\nCheck " } },
      { text: { content: "all" }, annotations: { bold: true, italic: true } },
      { text: { content: " " } },
      { text: { content: "a*b" }, annotations: { code: true } },
      { text: { content: ":\n\n• ☑ " } },
      { text: { content: "dates", link: { url: "https://example.com/" } } },
      { text: { content: "\n• " } },
      { text: { content: "no" }, annotations: { strikethrough: true } },
    ]);
  });

  test("a list that starts with 0 keeps its numbers", () => {
    const pieces = markdownToRichText("0. a\n1. b").map(({ text }) => text.content);
    expect(pieces.join("")).toBe("0. a\n1. b");
  });

  test("a long text is divided into pieces that Notion accepts, between characters", () => {
    const markdown = `${"a".repeat(1999)}${"👩".repeat(1500)}`;
    const pieces = markdownToRichText(markdown).map(({ text }) => text.content);
    expect(pieces.join("")).toBe(markdown);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(2000);
      expect(piece.isWellFormed()).toBe(true);
    }
  });

  test("a text of many lines is one piece, and one with more changes of format than Notion takes has none", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    expect(markdownToRichText(lines.join("\n"))).toEqual([{ text: { content: lines.join("\n") } }]);
    const items = lines.map((line) => `- **${line}** [x](https://example.com)`).join("\n");
    const pieces = markdownToRichText(items);
    expect(pieces.length).toBeLessThanOrEqual(100);
    expect(pieces.map(({ text }) => text.content).join("")).toContain("- line 199 x (https://example.com)");
  });

  test.each(["one\n\ntwo", "a **b** _c_ ~~d~~ `e`", "[guide](https://example.com/a_b)", "not \\*this\\* & \\<b>"])(
    "%j is the same after it was written and read",
    (markdown) => {
      const pieces = markdownToRichText(markdown).map(({ text, annotations = {} }) => ({
        plain_text: text.content,
        href: text.link?.url ?? null,
        annotations,
      }));
      expect(richTextToMarkdown(pieces)).toBe(markdown);
    },
  );
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === `tasks.${id}`)!;
  let service: TestService;
  let client: Client;
  let projects: Record<string, any>[];
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "notion")!);
    projects = await client.walk(operation("listProjects"), {}, [100]);
  });
  afterAll(() => service?.close());

  const create = (body: object) => client.call(operation("createTask"), {}, {}, {}, body);
  const update = (task_id: string, body: object) => client.call(operation("updateTask"), { task_id }, {}, {}, body);
  const read = async (task_id: string) => (await client.call(operation("getTask"), { task_id })).body.response.data;
  const tasksOf = (project_id: string) => client.walk(operation("listTasks"), {}, [100], { project_id });

  test("a task is created with every field, and is in the list afterwards", async () => {
    const [launch] = projects as [Record<string, any>];
    const [parent] = await tasksOf(launch.id);
    const { body } = await create({
      title: "Prüfung 👋",
      project_id: launch.id,
      description: "Check *all* [items](https://example.com/)",
      status: "in PROGRESS",
      priority: "high",
      assignee_id: parent.assignee.id,
      labels: ["bug", "neu"],
      due_at: "2026-03-01T12:30:00+02:00",
      parent_id: parent.id,
    });
    const task = body.response.data;
    expect(task).toMatchObject({
      title: "Prüfung 👋",
      description: "Check _all_ [items](https://example.com/)",
      status: "In progress",
      status_category: "in_progress",
      priority: "High",
      project_id: launch.id,
      assignee: parent.assignee,
      labels: ["bug", "neu"],
      due_at: "2026-03-01T10:30:00.000Z",
      parent_id: parent.id,
    });
    expect(await read(task.id)).toEqual(task);
    expect((await tasksOf(launch.id)).at(-1)).toEqual(task);
  });

  test("a change leaves everything else as it is, and midnight is a day without a time", async () => {
    const project_id = projects[0]!.id;
    const { body } = await create({ title: "Alt", description: "Text", labels: ["bug"], project_id });
    const { updated_at: _, ...before } = body.response.data;
    const change = { title: "Neu", status: "Done", due_at: "2026-03-01T00:00:00Z", project_id };
    const exchanges = await client.exchanges(async () => {
      const { body: changed } = await update(before.id, change);
      expect(changed.response.data).toMatchObject({
        ...before,
        title: "Neu",
        status: "Done",
        status_category: "done",
        due_at: "2026-03-01T00:00:00.000Z",
      });
    });
    expect(exchanges.at(-1)!.request.body.properties["Due date"]).toEqual({ date: { start: "2026-03-01" } });
  });

  test("a select and a checkbox take a status as well", async () => {
    const staged = (await create({ title: "x", project_id: projects[1]!.id, status: "idee" })).body.response.data;
    expect(staged).toMatchObject({ status: "Idee", status_category: "todo" });
    const checked = (await create({ title: "x", project_id: projects[2]!.id, status: "checked" })).body.response.data;
    expect(checked).toMatchObject({ status: "Checked", status_category: "done" });
    expect((await update(checked.id, { status: "Unchecked" })).body.response.data.status_category).toBe("todo");
  });

  test("an unknown status or priority lists the valid ones, and nothing is written", async () => {
    const project_id = projects[0]!.id;
    const before = await tasksOf(project_id);
    for (const [field, valid] of [
      ["status", '"Not started", "In progress", "In Prüfung 🔎", "Done"'],
      ["priority", '"High", "Niedrig"'],
    ] as const) {
      const answers = [
        await create({ title: "x", project_id, [field]: "Nope" }),
        await update(before[0].id, { [field]: "Nope" }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.errors[0].path]).toEqual([400, ["body", field]]);
        expect(body.errors[0].detail).toContain(valid);
      }
    }
    expect(await tasksOf(project_id)).toEqual(before);
  });

  test("a missing project, a move and a field without a property are refused by name", async () => {
    const missing = (await create({ title: "x" })).body.errors[0];
    expect(missing.path).toEqual(["body", "project_id"]);
    expect(missing.detail).toContain("GET /v1/tasks/projects");
    const [task] = await tasksOf(projects[2]!.id);
    expect((await update(task.id, { project_id: projects[0]!.id })).body.errors[0].path).toEqual([
      "body",
      "project_id",
    ]);
    for (const [field, value] of [
      ["description", "x"],
      ["labels", ["x"]],
      ["due_at", "2026-03-01T00:00:00Z"],
    ] as const)
      expect((await update(task.id, { [field]: value })).body.errors[0].path).toEqual(["body", field]);
  });

  test("an unknown data source or page is Notion's own error", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await create({ title: "x", project_id: unknown })).body.code).toBe("object_not_found");
    expect((await update(unknown, { title: "x" })).body.code).toBe("object_not_found");
  });

  test("a comment is written by the bot, and is the last of the list", async () => {
    const [{ id: task_id }] = (await tasksOf(projects[0]!.id)) as [Record<string, any>];
    const text = "Done, see [the report](https://example.com/report) ✅";
    const { body } = await client.call(operation("createComment"), { task_id }, {}, {}, { text });
    expect(body.response.data).toMatchObject({ text, author: { name: "Plugboard" } });
    expect((await client.walk(operation("listComments"), { task_id }, [100])).at(-1)).toEqual(body.response.data);
  });
});
