import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { providers } from "../providers/registry.gen.ts";
import { readCatalogue } from "./catalogue.ts";
import { checkDocument } from "./read.ts";
import type { ProviderDocument } from "./schema.ts";

const folder = new URL("../catalogue/", import.meta.url).pathname;
const files = globSync("*.json", { cwd: folder });
const read = (file: string) => JSON.parse(readFileSync(folder + file, "utf8")) as ProviderDocument;

describe("the catalogue", () => {
  it("the catalogue has every file, in the order of their ids", () => {
    const ids = readCatalogue().map(({ manifest }) => manifest.id);
    expect(ids).toEqual(files.map((file) => basename(file, ".json")).sort());
    expect(ids.length).toBeGreaterThan(0);
  });

  it.each(files)("src/catalogue/%s is a valid document, with its file's name", async (file) => {
    expect(await checkDocument(read(file))).toEqual([]);
    expect(read(file).id).toBe(basename(file, ".json"));
  });

  it.each(files)("src/catalogue/%s is confirmed by two sources, or by a page of the provider", (file) => {
    const { sources = [], docs_url } = read(file);
    const isPage = (source: string) => source.startsWith("https://");
    expect(new URL(docs_url).protocol).toBe("https:");
    expect(sources.some(isPage) || new Set(sources).size >= 2).toBe(true);
  });

  it.each(files)("src/catalogue/%s talks to its provider by https only, and says what it is about", (file) => {
    const { addresses, categories = [] } = read(file);
    for (const address of Object.values(addresses)) expect(address).toMatch(/^https:/);
    expect(categories.length).toBeGreaterThan(0);
  });

  it("no file has the id of a provider with operations", () => {
    const builtIn = new Set(providers.map(({ manifest }) => manifest.id));
    expect(files.map((file) => basename(file, ".json")).filter((id) => builtIn.has(id))).toEqual([]);
  });
});
