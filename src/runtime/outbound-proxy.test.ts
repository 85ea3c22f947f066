import { expect, it } from "vitest";
import { isAddressRange } from "./address-list.ts";
import { createExceptions } from "./outbound-proxy.ts";

const cases: [entries: string, url: string, isDirect: boolean][] = [
  ["", "https://example.com", false],
  ["", "http://localhost:1", true],
  ["", "http://api.localhost", true],
  ["", "http://127.8.8.8", true],
  ["", "http://[::1]:1", true],
  ["example.com", "https://example.com", true],
  ["example.com", "https://api.example.com", true],
  ["example.com", "https://badexample.com", false],
  [".example.com", "https://api.example.com", true],
  ["*.example.com", "https://api.EXAMPLE.com.", true],
  ["example.com:8443", "https://example.com:8443", true],
  ["example.com:8443", "https://example.com", false],
  ["example.com:443", "https://example.com", true],
  ["*", "https://example.com", true],
  ["10.0.0.0/8", "https://10.1.2.3", true],
  ["10.0.0.0/8", "https://11.1.2.3", false],
  ["10.1.2.3", "https://10.1.2.3:8443", true],
  ["fd00::/8", "https://[fd00::1]", true],
  ["[fd00::1]:8443", "https://[fd00::1]:8443", true],
];
it.each(cases)("NO_PROXY=%s and %s: called directly is %s", (entries, url, isDirect) => {
  const { protocol, hostname, port } = new URL(url);
  expect(createExceptions(entries.split(",").filter(Boolean))({ protocol, hostname, port })).toBe(isDirect);
});

it("an address range is an address with up to as many bits as it has", () => {
  for (const range of ["10.0.0.0/8", "10.0.0.1", "fd00::/8", "::1/128", "0.0.0.0/0"])
    expect([range, isAddressRange(range)]).toEqual([range, true]);
  for (const range of ["10.0.0.0/33", "fd00::/129", "10.0.0/8", "example.com", "", "10.0.0.0/8/8", "10.0.0.0/-1"])
    expect([range, isAddressRange(range)]).toEqual([range, false]);
});
