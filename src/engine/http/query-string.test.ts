import { expect, it } from "vitest";
import { queryString } from "./query-string.ts";

it("parameters are written in order, lists are repeated, and null and undefined are left out", () => {
  expect(queryString({ a: "1", none: null, gone: undefined, list: ["x", 2], flag: false, zero: 0 })).toBe(
    "?a=1&list=x&list=2&flag=false&zero=0",
  );
  expect(queryString({})).toBe("");
  expect(queryString({ gone: undefined })).toBe("");
});

it("names and values are encoded, so that none can add a parameter", () => {
  expect(queryString({ q: "a&b=c#d", "x&y": "1", plus: "1+1", space: "a b", umlaut: "ü" })).toBe(
    "?q=a%26b%3Dc%23d&x%26y=1&plus=1%2B1&space=a+b&umlaut=%C3%BC",
  );
});

it("an object is written as JSON", () => {
  expect(queryString({ filter: { a: 1 } as never })).toBe("?filter=%7B%22a%22%3A1%7D");
});

it("the last parameters win over those before", () => {
  expect(queryString({ key: "forged", a: "1" }, { key: "secret" })).toBe("?key=secret&a=1");
});
