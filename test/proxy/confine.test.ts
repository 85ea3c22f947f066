import fc from "fast-check";
import { expect, it } from "vitest";
import { Fault } from "../../src/contracts/fault.ts";
import { confine } from "../../src/engine/index.ts";

const passes = (path: string) => {
  try {
    confine(path);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return false;
  }
};

/** Pieces of which tricks are made. */
const piece = fc.constantFrom(
  ...["/", "\\", ".", "..", ";", "%2e", "%2E", "%2f", "%5c", "%25", "%252e", "%00", "%0a", "%c0%ae", "%ef%bc%8e"],
  ...["@", ":", "?", "#", " ", "a", "evil", "//", "%", "%u002e", "é", "host:80", "http:"],
);

it("lets nothing through that the URL standard reads as leading elsewhere, encoded or not", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = `/${pieces.join("")}`;
      if (!passes(path)) return;
      let layer = path;
      for (let layers = 0; layers < 6; layers++) {
        const { origin, pathname } = new URL(`http://provider.example/base${layer}`);
        expect(origin).toBe("http://provider.example");
        expect(`${pathname}/`.startsWith("/base/")).toBe(true);
        // Alone, as by a server that lost the base.
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

it("lets every path of plain and well encoded segments through", () => {
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

it("takes no time over long paths", () => {
  for (const path of ["/a".repeat(10_000), "/%61".repeat(5_000), `/${".".repeat(20_000)}`, "/;".repeat(10_000)])
    passes(path);
});
