import { expect, it } from "vitest";
import { refuseAddress } from "./refuse-address.ts";

const hosts: Record<string, string[]> = {
  "public.example": ["93.184.216.34"],
  "inside.example": ["10.0.0.7"],
  "both.example": ["93.184.216.34", "10.0.0.7"],
};
const resolve = async (host: string, { all }: { all: boolean }) => {
  const addresses = hosts[host];
  if (!addresses) throw new Error("ENOTFOUND");
  return addresses.slice(0, all ? undefined : 1).map((address) => ({ address, family: 4 }));
};
const own = ["10.0.0.0/8"];
const refused = (address: string, rules: Partial<Parameters<typeof refuseAddress>[1]> = {}) =>
  refuseAddress(address, { allowPrivate: false, resolve: resolve as never, ...rules });

it("only http and https addresses without a user, a fragment or an unwanted query are called", async () => {
  expect(await refused("https://public.example/path")).toBeUndefined();
  expect(await refused("ftp://public.example")).toMatch("http or https");
  expect(await refused("public.example")).toMatch("http or https");
  for (const user of ["ada", ":secret"]) expect(await refused(`https://${user}@public.example`)).toMatch("user name");
  expect(await refused("https://public.example/?a=1")).toMatch("a query or a fragment");
  expect(await refused("https://public.example/?a=1", { query: true })).toBeUndefined();
  expect(await refused("https://public.example/#a", { query: true })).toBe("Must not have a fragment");
});

it("private addresses are refused unless they are allowed, also behind a name", async () => {
  for (const host of ["10.0.0.7", "[::1]", "inside.example", "both.example"]) {
    expect(await refused(`https://${host}`)).toMatch("Must not be a private address");
    expect(await refused(`https://${host}`, { allowPrivate: true })).toBeUndefined();
  }
  expect(await refused("https://inside.example", { allowPrivate: own })).toBeUndefined();
  expect(await refused("https://127.0.0.1", { allowPrivate: own })).toMatch("Must not be a private address");
});

it("a name that does not resolve, or that a proxy resolves, is not refused", async () => {
  expect(await refused("https://nowhere.example")).toBeUndefined();
  expect(await refused("https://inside.example", { unresolved: true })).toBeUndefined();
});

it("where https is required, only an address of the own network is called without it", async () => {
  const https = { https: true, allowPrivate: own };
  expect(await refused("https://public.example", https)).toBeUndefined();
  expect(await refused("http://inside.example", https)).toBeUndefined();
  expect(await refused("http://public.example", { allowPrivate: own })).toBeUndefined();
  for (const host of ["public.example", "both.example", "127.0.0.1", "nowhere.example"])
    expect([host, await refused(`http://${host}`, https)]).toEqual([host, "Must be an https address"]);
  expect(await refused("http://inside.example", { https: true })).toBe("Must be an https address");
  expect(await refused("http://public.example", { https: true, allowPrivate: true })).toBeUndefined();
});

it("a name is not looked up if its address is refused anyway", async () => {
  const asked: string[] = [];
  const recording = async (host: string) => {
    asked.push(host);
    return [];
  };
  expect(await refused("http://public.example", { https: true, resolve: recording as never })).toMatch("https");
  expect(asked).toEqual([]);
});
