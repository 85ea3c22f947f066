import { expect, test } from "vitest";
import { linkHeader, linkQuery, pageWithin } from "./paging.ts";

const linked = (link: string) => linkHeader({ headers: { link } });

test("only the query of a link is kept", () => {
  expect(linkQuery("https://elsewhere.example/path?page=2&q=a%2Bb+c&empty=")).toEqual({
    page: "2",
    q: "a+b c",
    empty: "",
  });
  expect(linkQuery("?page=2")).toEqual({ page: "2" });
});

test("a parameter that is repeated keeps all its values, in order", () => {
  expect(linkQuery("/pulls?state=OPEN&page=2&state=MERGED&iids[]=1&iids[]=2")).toEqual({
    state: ["OPEN", "MERGED"],
    page: "2",
    "iids[]": ["1", "2"],
  });
});

test("without a link, or without a query in it, there is no next page", () => {
  for (const link of [undefined, null, "", "https://example.com/path"]) expect(linkQuery(link)).toBeNull();
});

test("the next link is found among the other links of a Link header", () => {
  expect(linked('<https://x.example/a?page=1>; rel="prev", <https://x.example/a?page=3>; rel="next"')).toEqual({
    page: "3",
  });
  expect(linked('<https://x.example/a?page=3&names=a,b>; rel="next",<https://x.example/a?page=9>; rel="last"')).toEqual(
    {
      page: "3",
      names: "a,b",
    },
  );
  expect(linked('<https://x.example/a?page=1>; rel="first"')).toBeNull();
});

test.each([
  [1_000, 9, 100, "10"],
  [1_000, 10, 100, null],
  [1_000, 32, 30, "33"],
  [1_000, 33, 30, null],
])("of %i items that are returned at most, page %i of %i is followed by %j", (maxItems, page, limit, expected) => {
  expect(pageWithin(maxItems, page, limit)).toBe(expected);
});
