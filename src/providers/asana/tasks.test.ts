import { describe, expect, test } from "vitest";
import type { Upstream, UpstreamRequest } from "../../contracts/upstream.ts";
import { type AsanaTask, toComment, toTask } from "./records.ts";
import { type AsanaPlace, belongsTo, places } from "./tasks.ts";

const task: AsanaTask = {
  gid: "1204",
  name: "Grüße 👋",
  html_notes: "<body>More</body>",
  completed: false,
  completed_at: null,
  created_at: "2026-04-28T15:33:15.438Z",
  modified_at: "2026-04-29T00:00:00.000Z",
  due_on: "2026-05-01",
  due_at: null,
  permalink_url: "https://app.asana.com/1/1201/project/1203/task/1204",
  projects: [{ gid: "1" }, { gid: "2" }],
  assignee: { gid: "1202", name: "Zoë" },
  tags: [{ name: "grün" }, { name: "" }],
  parent: { gid: "1203" },
};

describe("toTask", () => {
  test("a task has its first project, its due date at midnight and the names of its tags", () => {
    expect(toTask(task)).toEqual({
      id: "1204",
      title: "Grüße 👋",
      description: "More",
      status: "incomplete",
      status_category: "todo",
      project_id: "1",
      assignee: { id: "1202", name: "Zoë" },
      priority: null,
      labels: ["grün"],
      due_at: "2026-05-01T00:00:00.000Z",
      parent_id: "1203",
      url: "https://app.asana.com/1/1201/project/1203/task/1204",
      created_at: "2026-04-28T15:33:15.438Z",
      updated_at: "2026-04-29T00:00:00.000Z",
      completed_at: null,
    });
  });

  test("a completed task is done, and a due time wins over the due date", () => {
    const done = { ...task, completed: true, completed_at: "2026-04-30T00:00:00.000Z", due_at: "2026-05-01T22:30:00Z" };
    expect(toTask(done)).toMatchObject({
      status: "completed",
      status_category: "done",
      completed_at: "2026-04-30T00:00:00.000Z",
      due_at: "2026-05-01T22:30:00.000Z",
    });
  });

  test("a task of which only the ID is known gets null, an empty list or a default for everything else", () => {
    expect(toTask({ gid: "1204", html_notes: "<body></body>" })).toMatchObject({
      title: "",
      description: null,
      project_id: null,
      assignee: null,
      labels: [],
      due_at: null,
      parent_id: null,
      url: "https://app.asana.com/0/0/1204",
    });
  });

  test("rich text becomes Markdown: line ends are kept, and a mention is not a link", () => {
    const mention = '<a href="https://app.asana.com/0/5/list" data-asana-type="user" data-asana-gid="7">@Tim</a>';
    const html_notes = `<body><strong>Now</strong> ${mention}\r\nsee <a href="https://a.example/?b&amp;c">this</a><ul><li>a &amp; *b*</li></ul></body>`;
    const lines = toTask({ ...task, html_notes }).description!.split("\n");
    expect(lines[0]).toMatch(/^\*\*Now\*\* @Tim/);
    expect(lines[1]).toBe("see [this](https://a.example/?b&c)");
    expect(lines.at(-1)).toBe("- a & \\*b\\*");
  });
});

test("a comment without text or author has null instead", () => {
  expect(toComment({ gid: "9", html_text: "<body></body>", created_by: null })).toEqual({
    id: "9",
    text: null,
    author: null,
    created_at: null,
  });
});

describe("places", () => {
  const read = async (input: object, answer: (request: UpstreamRequest) => object) => {
    const requests: UpstreamRequest[] = [];
    const upstream = (async (request: UpstreamRequest) => {
      requests.push(request);
      return { status: 200, headers: {}, body: answer(request) };
    }) as Upstream;
    const unused = { write: upstream, written: [], addsToBody: false, select: [], settings: {}, writeKey: "" };
    const context = { ...unused, input, upstream, sleep: async () => {}, address: () => "" };
    return { found: await places(context), requests };
  };

  test("with a project only that project is read, without any further call", async () => {
    const { found, requests } = await read({ project_id: "7" }, () => ({}));
    expect(found).toEqual([{ id: "7", where: { project: "7" }, projects: new Set(["7"]) }]);
    expect(requests).toEqual([]);
  });

  test("at most 1,000 projects are read, and the user's own tasks of every workspace", async () => {
    let project = 0;
    const { found, requests } = await read({}, ({ path }) =>
      path === "/workspaces"
        ? { data: [{ gid: "w1" }, { gid: "w2" }], next_page: null }
        : { data: Array.from({ length: 100 }, () => ({ gid: `p${project++}` })), next_page: { offset: "more" } },
    );
    expect(requests).toHaveLength(11);
    expect(found).toHaveLength(1_002);
    expect(found.slice(-2).map(({ id }) => id)).toEqual(["w1:me", "w2:me"]);
    expect(found[0]!.projects.size).toBe(1_000);
  });
});

describe("belongsTo", () => {
  const projects = new Set(["1", "2"]);
  const project = (id: string): AsanaPlace => ({ id, projects, where: { project: id } });
  const mine: AsanaPlace = { id: "9:me", projects, where: { workspace: "9", assignee: "me" } };
  const places = (...gids: string[]) =>
    [project("1"), project("2"), mine]
      .filter((place) => belongsTo(place, { ...task, projects: gids.map((gid) => ({ gid })) }))
      .map(({ id }) => id);

  test.each([
    [["1"], ["1"]],
    [["2", "1"], ["2"]],
    [["1", "2"], ["1"]],
    // A project that the user cannot see is not read: the next one counts.
    [["private", "2", "1"], ["2"]],
    [["private"], ["9:me"]],
    [[], ["9:me"]],
  ])("a task in the projects %j is listed only in %j", (gids, expected) => {
    expect(places(...gids)).toEqual(expected);
  });
});
