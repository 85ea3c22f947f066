import { describe, expect, it } from "vitest";
import type { EmulatedRequest } from "../contracts/emulator.ts";
import { failureWithReason, googlePage, selectFields } from "../emulator-kit/google.ts";
import { googleFailed } from "./google.ts";

const answer = (status: number, reason: string) => ({
  status,
  headers: {},
  body: failureWithReason(status, { reason }).body as object,
});

describe("googleFailed", () => {
  it("takes a rate limit that is reported as 403 for 429, and no other 403", () => {
    expect(googleFailed(answer(403, "userRateLimitExceeded"))).toBe(429);
    expect(googleFailed(answer(403, "rateLimitExceeded"))).toBe(429);
    expect(googleFailed(answer(403, "dailyLimitExceeded"))).toBeUndefined();
    expect(googleFailed(answer(403, "insufficientPermissions"))).toBeUndefined();
    expect(googleFailed({ status: 403, headers: {}, body: null })).toBeUndefined();
  });
});

describe("googlePage", () => {
  const items = [...Array(10).keys()];
  const options = { size: "pageSize", defaultSize: 4, maxSize: 5, sameParameters: ["q"], shortPages: true };
  const read = (query: Record<string, string>) =>
    googlePage(items, { path: "/list", query: new URLSearchParams(query) } as EmulatedRequest, options);

  it("returns every item once, with short and empty pages before the last one", () => {
    const sizes: number[] = [];
    const seen: number[] = [];
    let pageToken: string | undefined;
    do {
      const found = read(pageToken ? { pageToken } : {});
      if ("invalid" in found) throw new Error(found.invalid);
      sizes.push(found.page.length);
      seen.push(...found.page);
      pageToken = found.nextPageToken.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual(items);
    expect(sizes).toEqual([4, 0, 2, 2, 2]);
  });

  it("refuses a token of another search, one that is not a token, and a negative size", () => {
    const first = read({ q: "a" });
    const pageToken = "invalid" in first ? "" : first.nextPageToken.nextPageToken!;
    expect(read({ q: "b", pageToken })).toEqual({ invalid: "pageToken" });
    expect(read({ pageToken: "%%%" })).toEqual({ invalid: "pageToken" });
    expect(read({ pageSize: "-1" })).toEqual({ invalid: "pageSize" });
  });
});

describe("selectFields", () => {
  const body = { kind: "list", files: [{ id: "1", name: "a", owner: { email: "x", name: "y" } }] };

  it("keeps the fields that are asked for, also within a list", () => {
    expect(selectFields(body, "files(id,name)")).toEqual({ files: [{ id: "1", name: "a" }] });
    expect(selectFields(body, "kind,files/id")).toEqual({ kind: "list", files: [{ id: "1" }] });
  });

  it("keeps everything without a selection", () => {
    expect(selectFields(body, null)).toEqual(body);
    expect(selectFields(body, "*")).toEqual(body);
  });
});
