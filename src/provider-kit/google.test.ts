import { describe, expect, it } from "vitest";
import type { EmulatedRequest } from "../contracts/emulator.ts";
import { reply } from "../emulator-kit/emulator.ts";
import { googleFailureWithReason, googleFields, googlePage } from "../emulator-kit/google.ts";
import { googleFailed } from "./google.ts";

const answer = (status: number, reason: string) => ({
  status,
  headers: {},
  body: googleFailureWithReason(status, { reason }).body as object,
});

describe("googleFailed", () => {
  it("googleFailed takes a rate limit that is reported as 403 for 429, and no other 403", () => {
    expect(googleFailed(answer(403, "userRateLimitExceeded"))).toBe(429);
    expect(googleFailed(answer(403, "rateLimitExceeded"))).toBe(429);
    expect(googleFailed(answer(403, "dailyLimitExceeded"))).toBeUndefined();
    expect(googleFailed(answer(403, "insufficientPermissions"))).toBeUndefined();
    expect(googleFailed({ status: 403, headers: {}, body: null })).toBeUndefined();
  });
});

describe("googlePage", () => {
  const items = [...Array(10).keys()];
  const refusal = (parameter: string) => reply(400, parameter);
  const options = { size: "pageSize", defaultSize: 4, maxSize: 5, sameParameters: ["q"], shortPages: true, refusal };
  const read = (query: Record<string, string>) =>
    googlePage(items, { path: "/list", query: new URLSearchParams(query) } as EmulatedRequest, options);

  it("googlePage returns every item once, with short and empty pages before the last one", () => {
    const sizes: number[] = [];
    const seen: number[] = [];
    let pageToken: string | undefined;
    do {
      const found = read(pageToken ? { pageToken } : {});
      sizes.push(found.page.length);
      seen.push(...found.page);
      pageToken = found.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual(items);
    expect(sizes).toEqual([4, 0, 2, 2, 2]);
  });

  it("googlePage refuses a token of another search, one that is not a token, and a negative size", () => {
    const pageToken = read({ q: "a" }).nextPageToken!;
    const refused = (parameter: string) => expect.objectContaining({ reply: refusal(parameter) });
    expect(() => read({ q: "b", pageToken })).toThrow(refused("pageToken"));
    expect(() => read({ pageToken: "%%%" })).toThrow(refused("pageToken"));
    expect(() => read({ pageSize: "-1" })).toThrow(refused("pageSize"));
  });
});

describe("selectFields", () => {
  const body = { kind: "list", files: [{ id: "1", name: "a", owner: { email: "x", name: "y" } }] };

  it("selectFields keeps the fields that are asked for, also within a list", () => {
    expect(googleFields(body, "files(id,name)")).toEqual({ files: [{ id: "1", name: "a" }] });
    expect(googleFields(body, "kind,files/id")).toEqual({ kind: "list", files: [{ id: "1" }] });
  });

  it("selectFields keeps everything without a selection", () => {
    expect(googleFields(body, null)).toEqual(body);
    expect(googleFields(body, "*")).toEqual(body);
  });
});
