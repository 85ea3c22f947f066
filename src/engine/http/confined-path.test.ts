import fc from "fast-check";
import { expect, it } from "vitest";
import { Fault } from "../../contracts/fault.ts";
import { confine } from "./confined-path.ts";

const passes = (path: string) => {
  try {
    confine(path);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return false;
  }
};

/** Building blocks of path tricks. */
const piece = fc.constantFrom(
  ...["/", "\\", ".", "..", ";", "%2e", "%2E", "%2f", "%5c", "%25", "%252e", "%00", "%0a", "%c0%ae", "%ef%bc%8e"],
  ...["@", ":", "?", "#", " ", "a", "evil", "//", "%", "%u002e", "é", "host:80", "http:"],
);

it("no accepted path leads outside the base address by the URL standard, at any layer of encoding", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = `/${pieces.join("")}`;
      if (!passes(path)) return;
      let layer = path;
      for (let layers = 0; layers < 6; layers++) {
        const { origin, pathname } = new URL(`http://provider.example/base${layer}`);
        expect(origin).toBe("http://provider.example");
        expect(`${pathname}/`.startsWith("/base/")).toBe(true);
        // Without the base, as a server that strips it would resolve it.
        expect(new URL(layer, "http://provider.example").host).toBe("provider.example");
        try {
          layer = decodeURIComponent(layer);
        } catch {
          break;
        }
        if (layer.includes("?") || layer.includes("#")) break;
      }
    }),
    { numRuns: 5_000 },
  );
});

it("every path of plain and correctly encoded segments is accepted", () => {
  const segment = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = `/${segments.join("/")}`;
      const harmless = segments.every((one) => {
        const text = decodeURIComponent(one).normalize("NFKC");
        return !/[./\\%;]/.test(text) && ![...text].some((sign) => sign < " " || sign === "\x7f");
      });
      if (harmless) expect(passes(path)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it("long paths are accepted or refused by the same rules as short ones", () => {
  expect(
    ["/a".repeat(10_000), "/%61".repeat(5_000), `/${".".repeat(20_000)}`, "/;".repeat(10_000)].map(passes),
  ).toEqual(["/a/a", "/%61/%61", "/....", "/;/;"].map(passes));
  expect(["/a/..".repeat(5_000), `${"/a".repeat(10_000)}/%2e%2e`].map(passes)).toEqual([false, false]);
});

it("`..` that mixed layers of encoding hide behind a stray percent sign is refused", () => {
  for (const path of ["/%2E%252e/%25", "/.%252e/%25", "/a/%252e%2e/%25zz", "/%252e%252e/%25%25", "/%c0%ae%c0%ae/x"])
    expect([path, passes(path)]).toEqual([path, false]);
});

it("a path may be encoded three times, and not four", () => {
  expect(["/%252561", "/%25252561"].map(passes)).toEqual([true, false]);
});
