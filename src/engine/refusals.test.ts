import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NewAuditEntry } from "../contracts/audit.ts";
import { createRefusals } from "./refusals.ts";

const append = vi.fn();
const warn = vi.fn();
const entry = (id: string) => ({ workspace_id: "ws_1", actor: { kind: "key", id, name: null } }) as NewAuditEntry;

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => vi.useRealTimers());

it("60 refusals of an actor are written within a minute, and the last one says that there are more", async () => {
  const refused = createRefusals({ audit: { append } } as never, { warn });
  for (let count = 0; count < 61; count++) await refused(entry("key_1"));
  expect(append).toHaveBeenCalledTimes(60);
  expect(append.mock.calls[58]![0]).toMatchObject({ outcome: "refused", changes: null });
  expect(append.mock.calls[59]![0].changes).toEqual(["further attempts in this minute are not listed"]);
  await refused(entry("key_2"));
  vi.setSystemTime(60_000);
  await refused(entry("key_1"));
  expect(append).toHaveBeenCalledTimes(62);
  expect(warn).not.toHaveBeenCalled();
});

it("a refusal that cannot be written is in the log, and changes nothing else", async () => {
  const err = new Error("unavailable");
  append.mockRejectedValue(err);
  await createRefusals({ audit: { append } } as never, { warn })(entry("key_1"));
  expect(warn).toHaveBeenCalledExactlyOnceWith("could not write a refused attempt to the audit log", { err });
});
