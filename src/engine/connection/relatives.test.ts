import { expect, it } from "vitest";
import { testManifest } from "../../../test/support/engine-parts.ts";
import type { Provider } from "../../contracts/provider.ts";
import { relativesOf } from "./relatives.ts";

const provider = (id: string, scopes: string[], login: string | null = "acme"): Provider => ({
  manifest: { ...testManifest, id, auth: { oauth2: { scopes, ...(login !== null && { login }) } as never } },
  categories: [],
});
const mail = provider("mail", ["user", "mail"]);
const files = provider("files", ["user", "files"]);
const calendar = provider("calendar", ["user", "calendar"]);
const all = [mail, files, calendar, provider("elsewhere", ["files"], "other")];

it("a connection reaches the providers of its login whose own scope the integration requests", () => {
  const reached = (scopes: string[] | null, from = mail, type: "oauth2" | "api_key" = "oauth2") =>
    relativesOf(from, { type, scopes }, all);
  expect(reached(["user", "mail", "files"])).toEqual([files]);
  expect(reached(["user", "mail", "files", "calendar"])).toEqual([files, calendar]);
  // A scope that several of them have says nothing.
  expect(reached(["user", "mail"])).toEqual([]);
  expect(reached(null)).toEqual([]);
  expect(reached(["files"], mail, "api_key")).toEqual([]);
  expect(reached(["files"], provider("alone", ["files"], null))).toEqual([]);
});
