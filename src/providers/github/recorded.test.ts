// Maps responses that were recorded from api.github.com.
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { Issue, Release, Repository } from "../../categories/git.ts";
import { toRelease, toRepository } from "../../provider-kit/git-records.ts";
import implemented from "./git.ts";
import { toIssue } from "./records.ts";

interface Recording {
  method: string;
  path: string;
  status: number;
  response: any;
  headers: Record<string, string>;
}

const require = createRequire(import.meta.url);
const recordings = (scenario: string): Recording[] =>
  require(`@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`);

const ajv = new Ajv({ strict: false });
formats.default(ajv, ["date-time"]);
const expectValid = (schema: TSchema, record: unknown) =>
  expect(ajv.validate(schema, record), ajv.errorsText()).toBe(true);

test("a recorded list of issues is read to the end by its Link headers", () => {
  const pages = recordings("paginate-issues");
  const list = implemented.operations.listIssues as AnyList;
  const context = (cursor: unknown): AnyPageContext => ({
    input: { repo: "octokit-fixture-org/paginate-issues" },
    settings: {},
    writeKey: "",
    address: () => "",
    upstream: () => Promise.reject(),
    write: () => Promise.reject(),
    written: [],
    addsToBody: false,
    select: [],
    sleep: () => Promise.reject(),
    limit: 3,
    cursor,
    place: undefined,
  });
  let cursor: unknown;
  const numbers: number[] = [];
  for (const recorded of pages) {
    const request = list.request(context(cursor));
    const sent = new URLSearchParams(
      Object.entries(request.locked).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    );
    const expected = new URL(recorded.path, "https://api.github.com").searchParams;
    expect([...sent].sort()).toEqual([...expected].sort());
    const answer = { status: 200, headers: recorded.headers, body: recorded.response };
    const records = list.items(answer.body, context(cursor)).map((item) => list.record(item, context(cursor)));
    for (const record of records) expectValid(Issue, record);
    numbers.push(...records.map(({ number }) => number));
    cursor = list.next(answer, context(cursor));
  }
  expect(cursor).toBeNull();
  expect(numbers).toEqual([...Array(13).keys()].map((index) => 13 - index));
});

test("recorded issues from a search are mapped", () => {
  const [search] = recordings("search-issues");
  for (const item of search!.response.items) {
    const issue = toIssue(item);
    expectValid(Issue, issue);
    expect(issue).toMatchObject({ title: item.title, url: item.html_url, user: item.user.login, state: item.state });
  }
});

test("a recorded repository is mapped", () => {
  const [{ response }] = recordings("get-repository") as [Recording];
  expectValid(Repository, toRepository(response));
  expect(toRepository(response)).toMatchObject({
    name: "hello-world",
    full_name: "octokit-fixture-org/hello-world",
    is_private: false,
    default_branch: "master",
  });
});

test("a recorded issue is mapped with its recorded labels", () => {
  const [{ response: issue }, { response: labels }] = recordings("add-labels-to-issue") as [Recording, Recording];
  expectValid(Issue, toIssue({ ...issue, labels }));
  expect(toIssue({ ...issue, labels })).toMatchObject({ labels: ["Foo", "bAr", "baZ"], assignees: [] });
});

test("a recorded release is mapped", () => {
  const [{ response }] = recordings("release-assets") as [Recording];
  expectValid(Release, toRelease(response));
  expect(toRelease(response)).toMatchObject({ tag_name: "v1.0.0", prerelease: false });
});
