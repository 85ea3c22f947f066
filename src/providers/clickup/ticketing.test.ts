import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import clickup from "./manifest.ts";
import clickupTicketing, { type ClickUpPage, type ClickUpTask, toTicket } from "./ticketing.ts";

const manifest: Manifest = clickup;
const task: ClickUpTask = {
  id: "86c1",
  name: "Grüße 👋",
  text_content: "plain",
  description: "**marked**",
  status: { status: "in Prüfung" },
  date_created: "1777383195438",
  date_updated: "1777420800000",
  url: "https://app.clickup.com/t/86c1",
};

describe("toTicket", () => {
  test("times sent as milliseconds in a string become ISO 8601", () => {
    expect(toTicket(task)).toEqual({
      id: "86c1",
      title: "Grüße 👋",
      status: "in Prüfung",
      url: "https://app.clickup.com/t/86c1",
      description: "plain",
      created_at: "2026-04-28T13:33:15.438Z",
      updated_at: "2026-04-29T00:00:00.000Z",
    });
  });

  test("an empty description becomes null, and missing fields get a default", () => {
    expect(toTicket({ ...task, text_content: null }).description).toBe("**marked**");
    expect(toTicket({ ...task, text_content: "", description: "" }).description).toBeNull();
    const { date_updated: _, url: __, status: ___, ...bare } = task;
    expect(toTicket(bare)).toMatchObject({
      status: "",
      url: "https://app.clickup.com/t/86c1",
      updated_at: "2026-04-28T13:33:15.438Z",
    });
  });
});

test("the list ends when last_page is true or, without last_page, at an empty page", () => {
  const { next } = clickupTicketing.operations.listTickets as AnyList;
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
