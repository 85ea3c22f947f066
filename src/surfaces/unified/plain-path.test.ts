import { expect, it } from "vitest";
import type { BoundOperation } from "../../contracts/operation.ts";
import { createPlainRoutes } from "./plain-path.ts";

const find = createPlainRoutes(
  "/unified",
  ["/v1/git/repos", "/v1/git/repos/:repo/issues", "/v1/git/repos/:repo/issues/:number/comments"].map((route) => ({
    operation: { route } as BoundOperation,
    found: route,
  })),
);

it.each([
  ["/unified/v1/git/repos", "/v1/git/repos", {}, {}],
  ["/unified/v1/git/repos?", "/v1/git/repos", {}, {}],
  ["/unified/v1/git/repos?limit=5&after=a_B-9.~", "/v1/git/repos", {}, { limit: "5", after: "a_B-9.~" }],
  ["/unified/v1/git/repos?after=", "/v1/git/repos", {}, { after: "" }],
  ["/unified/v1/git/repos/a.b/issues", "/v1/git/repos/:repo/issues", { repo: "a.b" }, {}],
  [
    "/unified/v1/git/repos/a/issues/7/comments?limit=1",
    "/v1/git/repos/:repo/issues/:number/comments",
    { repo: "a", number: "7" },
    { limit: "1" },
  ],
])("%s is found", (url, found, params, query) => {
  expect(find(url)).toEqual({ found, params, query });
});

it.each([
  "/unified/v1/git/repos/",
  "/unified/v1/git/Repos",
  "/unified/v1/git/repos/a%2Fb/issues",
  "/unified/v1/git/repos/a+b/issues",
  "/unified/v1/git/repos//issues",
  "/unified/v1/git/repos/a/pulls",
  "/unified/v1/git/repos#limit=5",
  "/unified/v1/git/repos?limit=5&limit=6",
  "/unified/v1/git/repos?limit=%35",
  "/unified/v1/git/repos?after=a+b",
  "/unified/v1/git/repos?limit",
  "/unified/v1/git/repos?a=b=c",
  "/unified/v1/git/repos?&limit=5",
  "/unified/v1/git/repos?__proto__=1",
  "/unified/v1/git/repos?params={}",
  "http://127.0.0.1/unified/v1/git/repos",
])("%s is left to Fastify", (url) => {
  expect(find(url)).toBeUndefined();
});
