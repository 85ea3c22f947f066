// npm run bench:telemetry [-- --surface Unified]: the CPU time of a call without OpenTelemetry, with it, and with a tenth
// of the traces.
import { parseArgs } from "node:util";
import { serve } from "./processes.ts";
import { compareVariants } from "./variants.ts";

const { surface } = parseArgs({ options: { surface: { type: "string" } } }).values;

async function main(): Promise<void> {
  const collector = await serve("collector.ts");
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`, OTEL_BSP_MAX_QUEUE_SIZE: "100000" };
  const sampled = { ...env, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" };
  await compareVariants([{ name: "off" }, { name: "on", env }, { name: "a tenth of the traces", env: sampled }], {
    surfaces: (["Unified", "Proxy"] as const).filter((name) => !surface || name === surface),
    size: "1kB",
    instances: 2,
    rounds: 16,
    calls: 15_000,
  });
}

await main();
process.exit();
