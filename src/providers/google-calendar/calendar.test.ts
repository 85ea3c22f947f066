import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import { googleFailureWithReason } from "../../emulator-kit/google.ts";
import implemented from "./calendar.ts";
import manifest from "./manifest.ts";

const listEvents = implemented.operations.listEvents as AnyList;

describe("the calendar that events are listed from", () => {
  const places = (input: object, upstream: () => unknown) =>
    listEvents.places!({ input, upstream } as unknown as AnyPageContext);
  const failWith = (reason: string) => {
    const { status, body } = googleFailureWithReason(403, { reason });
    return () => Promise.reject(new ProviderFailure(status, {}, Buffer.from(JSON.stringify(body))));
  };

  test("events are listed from the main calendar by its full id", async () => {
    const upstream = () => Promise.resolve({ body: { id: "ada@example.com" } });
    expect(await places({}, upstream)).toEqual([{ id: "ada@example.com" }]);
    expect(await places({ calendar_id: "primary" }, upstream)).toEqual([{ id: "ada@example.com" }]);
  });

  test("events are listed from the main calendar by its alias if the scopes do not allow reading the list of calendars", async () => {
    expect(await places({}, failWith("insufficientPermissions"))).toEqual([{ id: "primary" }]);
    await expect(places({}, failWith("forbidden"))).rejects.toThrow(ProviderFailure);
  });

  test("a calendar that the client names needs no call to find it", async () => {
    expect(await places({ calendar_id: "x" }, () => expect.unreachable())).toEqual([{ id: "x" }]);
  });
});

test("a rate limit that Google reports as 403 is one for the engine as well", () => {
  const { body } = googleFailureWithReason(403, { reason: "userRateLimitExceeded" });
  expect(manifest.failed({ status: 403, headers: {}, body: body as object })).toBe(429);
});
