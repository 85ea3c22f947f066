import { describe, expect, it } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import { failureWithReason } from "../../emulator-kit/google.ts";
import implemented from "./calendar.ts";
import manifest from "./manifest.ts";

const listEvents = implemented.operations.listEvents as AnyList;

describe("the calendar that events are listed from", () => {
  const places = (input: object, upstream: () => unknown) =>
    listEvents.places!({ input, upstream } as unknown as AnyPageContext);
  const failWith = (reason: string) => {
    const { status, body } = failureWithReason(403, { reason });
    return () => Promise.reject(new ProviderFailure(status, {}, Buffer.from(JSON.stringify(body))));
  };

  it("is the main one by its full id", async () => {
    const upstream = () => Promise.resolve({ body: { id: "ada@example.com" } });
    expect(await places({}, upstream)).toEqual([{ id: "ada@example.com" }]);
    expect(await places({ calendar_id: "primary" }, upstream)).toEqual([{ id: "ada@example.com" }]);
  });

  it("is the main one by its alias if the connection's scopes do not allow to read the list of calendars", async () => {
    expect(await places({}, failWith("insufficientPermissions"))).toEqual([{ id: "primary" }]);
    await expect(places({}, failWith("forbidden"))).rejects.toThrow(ProviderFailure);
  });

  it("needs no call if the client names it", async () => {
    expect(await places({ calendar_id: "x" }, () => expect.unreachable())).toEqual([{ id: "x" }]);
  });
});

it("a rate limit that Google reports as 403 is one for the engine as well", () => {
  const { body } = failureWithReason(403, { reason: "userRateLimitExceeded" });
  expect(manifest.failed({ status: 403, headers: {}, body: body as object })).toBe(429);
});
