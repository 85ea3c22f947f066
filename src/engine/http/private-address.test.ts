// Addresses are only classified here: none of them is ever dialed.
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import { isPrivateAddress } from "./private-address.ts";

it.each([
  ["IPv4-compatible", "::127.0.0.1"],
  ["IPv4-compatible", "::8.8.8.8"],
  ["IPv4-mapped", "::ffff:127.0.0.1"],
  ["IPv4-mapped, in hexadecimal", "::ffff:7f00:1"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local NAT64", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:7f00:1::"],
  ["site-local", "fec0::1"],
  ["documentation", "3fff::1"],
  ["documentation", "2001:db8::1"],
  ["segment routing", "5f00::1"],
  ["unassigned", "4000::1"],
  ["unassigned", "::2"],
  ["loopback", "::1"],
  ["loopback, written out", "0:0:0:0:0:0:0:1"],
  ["link-local with a zone", "fe80::1%eth0"],
])("an IPv6 address is refused outside of the global range: %s %s", (_, address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each([
  ["most clouds", "169.254.169.254"],
  ["AWS containers", "169.254.170.2"],
  ["AWS", "fd00:ec2::254"],
  ["Google Cloud", "fd20:ce::254"],
  ["Alibaba Cloud", "100.100.100.200"],
  ["Oracle Cloud", "192.0.0.192"],
  ["Azure", "168.63.129.16"],
])("the metadata service of %s is refused: %s", (_, address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it("public addresses next to the refused ones are allowed", () => {
  for (const address of [
    "8.8.8.8",
    "168.63.129.15",
    "168.63.129.17",
    "9.255.255.255",
    "11.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2a00:1450:4001::",
    "3ffe:ffff::1",
    "3fff:1000::1",
  ])
    expect(isPrivateAddress(address), address).toBe(false);
});

it("what is not an address is refused", () => {
  for (const text of ["", "localhost", "127.1", "0x7f000001", "1.2.3.4.5", "::g"])
    expect(isPrivateAddress(text), text).toBe(true);
});

/** What ipaddr.js calls an ordinary address, and we refuse on purpose. */
const ownRefusals = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address instanceof ipaddr.IPv4
    ? address.toString() === "168.63.129.16"
    : !address.match(ipaddr.IPv6.parseCIDR("2000::/3"));

const isRefused = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.range() !== "unicast" || ownRefusals(address);

/** The first and the last address of a range, and their neighbors outside. */
function edgesOf([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): (ipaddr.IPv4 | ipaddr.IPv6)[] {
  const bytes = network.toByteArray();
  const length = BigInt(bytes.length * 8);
  const first = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const last = first + (1n << (length - BigInt(bits))) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value < 1n << length)
    .map((value) =>
      ipaddr.fromByteArray(bytes.map((_, index) => Number((value >> (length - 8n * BigInt(index + 1))) & 0xffn))),
    );
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
/** Every range that ipaddr.js knows; it has one range or a list of them for each name. */
const specialRanges = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
  Object.values(
    (kind.prototype as unknown as { SpecialRanges: Record<string, Range | Range[]> }).SpecialRanges,
  ).flatMap((ranges) => (Array.isArray(ranges[0]) ? (ranges as Range[]) : [ranges as Range])),
);

it("every special range of ipaddr.js is refused from its first to its last address, and no neighbor is", () => {
  expect(specialRanges.length).toBeGreaterThan(35);
  for (const address of specialRanges.flatMap(edgesOf))
    expect(isPrivateAddress(address.toString()), address.toString()).toBe(isRefused(address));
});

it("any address is refused if ipaddr.js has a special range for it, and only then", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    // Inside the global range, of which random bytes hit an eighth.
    fc.uint8Array({ minLength: 16, maxLength: 16 }).map((given) => given.with(0, 0x20 | (given[0]! & 0x1f))),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      const address = ipaddr.fromByteArray([...given]);
      expect(isPrivateAddress(address.toString()), address.toString()).toBe(isRefused(address));
    }),
    { numRuns: 2_000 },
  );
});
