import { expect, it } from "vitest";
import { basicAuth, readBasicAuth } from "./basic-auth.ts";

it("what is written is read back, also with a colon in the password and text beyond ASCII", () => {
  for (const [username, password] of [
    ["user", "pass"],
    ["user", "pass:word"],
    ["", ""],
    ["müller", "grün"],
  ] as const)
    expect(readBasicAuth(basicAuth(username, password))).toEqual({ username, password });
});

it("the scheme is case-insensitive", () => {
  expect(readBasicAuth(`bAsIc ${Buffer.from("a:b").toString("base64")}`)).toEqual({ username: "a", password: "b" });
});

it.each([undefined, "", "Basic", "Basic ", "Bearer abc", `Basic ${Buffer.from("no colon").toString("base64")}`])(
  "%s is no Basic authentication",
  (header) => {
    expect(readBasicAuth(header)).toBeUndefined();
  },
);
