import { describe, expect, it } from "vitest";
import { defined, orNull } from "./optional.ts";

describe("orNull", () => {
  it.each([[""], [" \n\t"], [null], [undefined]])("the text %j counts as none", (text) => {
    expect(orNull(text)).toBeNull();
  });

  it("a text is returned without the space around it", () => {
    expect(orNull(" Ada Lovelace\n")).toBe("Ada Lovelace");
  });

  it("of several texts the first that is not blank is returned", () => {
    expect(orNull(undefined, " ", "ada", "lovelace")).toBe("ada");
  });
});

describe("defined", () => {
  it("only fields that are undefined are dropped", () => {
    const fields = defined({ text: "", count: 0, flag: false, nothing: null, missing: undefined });
    expect(Object.keys(fields)).toEqual(["text", "count", "flag", "nothing"]);
  });
});
