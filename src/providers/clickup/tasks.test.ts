import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { commentToMarkdown } from "./comment-text.ts";
import clickup from "./manifest.ts";
import { type ClickUpTask, toComment, toTask } from "./records.ts";
import { type ClickUpPage, operations } from "./tasks.ts";

const manifest: Manifest = clickup;
const task: ClickUpTask = {
  id: "86c1",
  name: "Grüße 👋",
  text_content: "plain",
  markdown_description: "**marked**\r\n",
  status: { status: "in Prüfung", type: "custom" },
  date_created: "1777383195438",
  date_updated: "1777420800000",
  date_closed: null,
  date_done: null,
  due_date: "1777420800000",
  assignees: [{ id: 184, username: "Zoë" }, { id: 183 }],
  tags: [{ name: "grün" }],
  priority: { priority: "high" },
  parent: "86c0",
  list: { id: "9012" },
  url: "https://app.clickup.com/t/86c1",
};

describe("toTask", () => {
  test("times sent as milliseconds in a string become ISO 8601, and IDs become strings", () => {
    expect(toTask(task)).toEqual({
      id: "86c1",
      title: "Grüße 👋",
      description: "**marked**",
      status: "in Prüfung",
      status_category: "in_progress",
      project_id: "9012",
      assignee: { id: "184", name: "Zoë" },
      priority: "high",
      labels: ["grün"],
      due_at: "2026-04-29T00:00:00.000Z",
      parent_id: "86c0",
      url: "https://app.clickup.com/t/86c1",
      created_at: "2026-04-28T13:33:15.438Z",
      updated_at: "2026-04-29T00:00:00.000Z",
      completed_at: null,
    });
  });

  test.each([
    ["open", "todo"],
    ["unstarted", "todo"],
    ["custom", "in_progress"],
    ["done", "done"],
    ["closed", "done"],
    ["new to us", "todo"],
    [undefined, "todo"],
  ])("a status of type %s means %s", (type, category) => {
    const status = { status: "x", ...(type === undefined ? {} : { type }) };
    expect(toTask({ ...task, status }).status_category).toBe(category);
  });

  test("a closed task whose status has an unknown type is done, at the time it was closed", () => {
    const closed = { ...task, status: { status: "x" }, date_closed: "1777420800000" };
    expect(toTask(closed)).toMatchObject({ status_category: "done", completed_at: "2026-04-29T00:00:00.000Z" });
  });

  test("without Markdown the plain text is escaped, and an empty description becomes null", () => {
    const { markdown_description: _, ...plain } = task;
    expect(toTask({ ...plain, text_content: "*plain*" }).description).toBe("\\*plain\\*");
    expect(toTask({ ...task, text_content: "", markdown_description: "" }).description).toBeNull();
  });

  test("a task of which only the name is known gets null, an empty list or a default for everything else", () => {
    expect(toTask({ id: "86c1", name: "", date_created: "1777383195438" })).toEqual({
      ...toTask(task),
      title: "",
      description: null,
      status: "",
      status_category: "todo",
      project_id: null,
      assignee: null,
      priority: null,
      labels: [],
      due_at: null,
      parent_id: null,
      updated_at: "2026-04-28T13:33:15.438Z",
    });
  });
});

describe("comments", () => {
  const line = (attributes: object) => ({ text: "\n", attributes });

  test("formats of words and of lines become Markdown", () => {
    const pieces = [
      { text: "@Zoë", type: "tag" },
      { text: " see " },
      { text: "this", attributes: { link: "https://example.com/?a=1&b=2" } },
      { text: " *now*\n" },
      { text: "one" },
      line({ list: { list: "bullet" } }),
      { text: "two", attributes: { bold: true } },
      line({ list: { list: "bullet" } }),
      { text: "a < b" },
      line({ "code-block": { "code-block": "plain" } }),
      { text: "  c" },
      line({ "code-block": { "code-block": "plain" } }),
      { text: "quoted" },
      line({ blockquote: {} }),
    ];
    expect(commentToMarkdown(pieces)).toBe(
      [
        "@Zoë see [this](https://example.com/?a=1&b=2) \\*now\\*",
        "- one\n- **two**",
        "```\na < b\n  c\n```",
        "> quoted",
      ].join("\n\n"),
    );
  });

  test("mentions, tags, files, tables and the short form of lists become Markdown, and a piece without text is none", () => {
    const bullet = (indent?: number) => line({ list: "bullet", "block-id": "b1", ...(indent ? { indent } : {}) });
    const pieces = [
      { text: null },
      { type: "tag", user: { id: 7, username: "Zoë" } },
      { text: " PR: " },
      { type: "link_mention", link_mention: { url: "https://example.com/pull/8" }, text: "" },
      { text: " for " },
      { type: "task_mention", task_mention: { task_id: "86d0ubdn3" }, text: "Fix *it*" },
      { text: " " },
      { type: "emoticon", emoticon: { code: "1f60a" }, text: "U0001F60A" },
      line({ "block-id": "b0" }),
      { text: "one" },
      bullet(),
      { text: "two" },
      bullet(1),
      { text: "three" },
      bullet(2),
      { text: "four" },
      bullet(),
      { text: "x = 1" },
      line({ "code-block": "plain" }),
      { type: "image", text: "a.png", image: { title: "a.png", url: "https://example.com/a.png" } },
      { type: "attachment", text: "b.pdf", attachment: { name: "b.pdf", url: "https://example.com/b.pdf" } },
      {
        type: "table-embed",
        "table-embed": {
          rows: [{}, {}],
          columns: [{}, {}],
          cells: { "1:1": { content: [{ insert: "Key" }] }, "2:2": { content: [{ insert: "v" }] } },
        },
      },
    ];
    expect(commentToMarkdown(pieces)).toBe(
      [
        "@Zoë PR: <https://example.com/pull/8> for [Fix \\*it\\*](https://app.clickup.com/t/86d0ubdn3) 😊",
        "- one\n  - two\n    - three\n- four",
        "```\nx = 1\n```",
        "![a.png](https://example.com/a.png)",
        "[b.pdf](https://example.com/b.pdf)",
        "| Key |  |\n| --- | --- |\n|  | v |",
      ].join("\n\n"),
    );
  });

  test("a comment without pieces has its plain text, and one without any text has null", () => {
    const comment = { id: "1", date: "1777420800000", user: { id: 185, username: null, email: "a@example.com" } };
    expect(toComment({ ...comment, comment_text: "*plain*\r\n" })).toEqual({
      id: "1",
      text: "\\*plain\\*",
      author: { id: "185", name: "a@example.com" },
      created_at: "2026-04-29T00:00:00.000Z",
    });
    expect(toComment({ ...comment, comment: [{ text: "" }], comment_text: "" }).text).toBeNull();
  });
});

test("the list ends when last_page is true or, without last_page, at an empty page", () => {
  const { next } = operations.listTasks as AnyList;
  const nextOf = (body: ClickUpPage, cursor?: number) =>
    next({ status: 200, headers: {}, body }, { cursor } as AnyPageContext);
  expect(nextOf({ tasks: [task], last_page: false })).toBe(1);
  expect(nextOf({ tasks: [], last_page: false }, 4)).toBe(5);
  expect(nextOf({ tasks: [task], last_page: true }, 4)).toBeNull();
  expect(nextOf({ tasks: [task] }, 4)).toBe(5);
  expect(nextOf({ tasks: [] }, 4)).toBeNull();
});

test("a personal token is sent as it is, an OAuth token as Bearer", () => {
  const sent = (auth: "api_key" | "oauth2") => manifest.authorization!({ token: "made-up" }, auth).headers;
  expect(sent("api_key")).toEqual({ authorization: "made-up" });
  expect(sent("oauth2")).toEqual({ authorization: "Bearer made-up" });
});

test("a 429 is retried after the reset time, a Unix timestamp in seconds", () => {
  const wait = (status: number, headers: Record<string, string>) =>
    manifest.retryAfter!({ status, headers, body: null });
  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
  expect(wait(429, { "x-ratelimit-reset": inSeconds(100) })).toBeGreaterThan(90);
  expect(wait(429, { "x-ratelimit-reset": inSeconds(-9) })).toBe(0);
  expect(wait(429, {})).toBeUndefined();
  expect(wait(200, { "x-ratelimit-reset": inSeconds(100) })).toBeUndefined();
});

test("a workspace that was not granted is a 404 by each of its codes, and a token that was revoked stays a 401", () => {
  const failed = (number: number, status = 401) =>
    manifest.failed!({ status, headers: {}, body: { ECODE: `OAUTH_${String(number).padStart(3, "0")}` } });
  const notGranted = [...Array(100).keys()].filter((number) => failed(number) === 404);
  expect(notGranted).toEqual([23, 26, 27, ...Array.from({ length: 17 }, (_, index) => 29 + index)]);
  for (const revoked of [19, 21, 25, 77]) expect(failed(revoked)).toBeUndefined();
  expect(failed(27, 400)).toBeUndefined();
  expect(manifest.failed!({ status: 401, headers: {}, body: null })).toBeUndefined();
});
