import { expect, it } from "vitest";
import { Fault, type FaultKind, ProviderFailure } from "../../contracts/fault.ts";
import { NotConnected, withUserMessages } from "./not-connected.ts";
import { GrantRefused } from "./token-answer.ts";

const shown = async (error: unknown) => {
  const thrown = await withUserMessages("Acme", ["made-up-secret"], async () => {
    throw error;
  }).catch((reason: unknown) => reason);
  return thrown instanceof NotConnected ? [thrown.error, thrown.message] : thrown;
};
const answered = (status: number, body: string) => shown(new ProviderFailure(status, {}, Buffer.from(body)));
const fault = (kind: FaultKind) => shown(new Fault(kind, "the reason"));

it("a refusal is shown with the provider's reason, without secrets", async () => {
  expect(await shown(new GrantRefused("invalid_grant", "the code was used"))).toEqual([
    "access_denied",
    expect.stringMatching(/^Acme refused: /),
  ]);
  expect(await answered(403, '{"message":"made-up-secret lacks a scope"}')).toEqual([
    "access_denied",
    "Acme refused: *** lacks a scope",
  ]);
  expect(await answered(400, "No such user")).toEqual(["access_denied", "Acme refused: No such user"]);
  for (const nothing of ["<html>Oops</html>", "", "{}"])
    expect(await answered(404, nothing)).toEqual(["access_denied", "Acme refused with status 404"]);
});

it("a provider that is busy or cannot be reached is temporarily unavailable", async () => {
  const unavailable = ["temporarily_unavailable", "Acme is temporarily unavailable. Please try again."];
  for (const status of [429, 500, 503]) expect(await answered(status, "wait")).toEqual(unavailable);
  for (const kind of ["upstream_timeout", "upstream_unreachable", "overloaded"] as const)
    expect(await fault(kind)).toEqual(unavailable);
});

it("what is wrong with the set-up is named", async () => {
  expect(await fault("refresh_unavailable")).toEqual(["server_error", "The reason"]);
  for (const kind of ["upstream_forbidden", "upstream_malformed"] as const)
    expect(await fault(kind)).toEqual(["server_error", "Acme could not be called: the reason"]);
});

it("what is not about the provider is thrown as it is, and a result is returned", async () => {
  for (const error of [new TypeError("a mistake"), new Fault("store_unavailable", "no database")])
    expect(await shown(error)).toBe(error);
  expect(await withUserMessages("Acme", [], async () => "fine")).toBe("fine");
});
