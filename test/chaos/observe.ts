// Loaded into every Plugboard process of the chaos suite. It adds the process's name to calls to providers, so that a
// provider knows who requested a token, and collects garbage on SIGUSR2, so that memory can be compared.
import { subscribe } from "node:diagnostics_channel";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const name = process.env.CHAOS_PROCESS ?? "";

subscribe("undici:request:create", (message) => {
  const { request } = message as { request: { addHeader(name: string, value: string): void } };
  request.addHeader("x-chaos-process", name);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: object) => void;
process.on("SIGUSR2", () => collect({ type: "major", execution: "sync", flavor: "last-resort" }));
