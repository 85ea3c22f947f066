import { readdirSync, readFileSync } from "node:fs";
import type { Provider } from "../contracts/provider.ts";
import { toProvider } from "./read.ts";

const FOLDER = new URL("../catalogue/", import.meta.url);

let read: readonly Provider[] | undefined;

/**
 * The providers of `src/catalogue`, in the order of their ids. The documents are not checked here: a test does that. All
 * of them are read one by one, which takes 2 ms longer than reading a single file would.
 */
export function readCatalogue(): readonly Provider[] {
  read ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => toProvider(JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")), "catalogue"));
  return read;
}
