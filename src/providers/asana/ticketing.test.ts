import { describe, expect, test } from "vitest";
import { type AsanaPlace, type AsanaTask, belongsTo, toTicket } from "./ticketing.ts";

const task: AsanaTask = {
  gid: "1204",
  name: "Grüße 👋",
  notes: "More",
  completed: false,
  created_at: "2026-04-28T15:33:15.438Z",
  modified_at: "2026-04-29T00:00:00.000Z",
  permalink_url: "https://app.asana.com/1/1201/project/1203/task/1204",
  projects: [{ gid: "1" }],
};

describe("toTicket", () => {
  test("a ticket's status is incomplete or completed", () => {
    expect(toTicket(task)).toEqual({
      id: "1204",
      title: "Grüße 👋",
      status: "incomplete",
      url: "https://app.asana.com/1/1201/project/1203/task/1204",
      description: "More",
      created_at: "2026-04-28T15:33:15.438Z",
      updated_at: "2026-04-29T00:00:00.000Z",
    });
    expect(toTicket({ ...task, completed: true }).status).toBe("completed");
  });

  test("a task without notes has no description, and one without a name has an empty title", () => {
    expect(toTicket({ ...task, notes: "", name: "" })).toMatchObject({ description: null, title: "" });
    expect(toTicket({ gid: "1204" })).toMatchObject({ url: "https://app.asana.com/0/0/1204", title: "" });
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
