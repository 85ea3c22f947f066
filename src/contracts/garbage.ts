import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

interface Collection {
  type: "major" | "minor";
  execution?: "sync";
  flavor?: "last-resort";
}

let collect: ((collection: Collection) => void) | undefined;

/** Has V8 collect garbage now. Node hands its way to do so to new contexts alone once it runs. */
export function collectGarbage(collection: Collection): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
  }
  collect(collection);
}
