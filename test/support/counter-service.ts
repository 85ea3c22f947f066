// The service with the counter provider, in a process of its own: prints where it is and how to call it.

import { counterCatalogue } from "./counter-provider.ts";
import { startService } from "./service.ts";

const service = await startService({
  env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "warn" },
  catalogue: counterCatalogue(Number(process.argv[2])),
});
const { url, apiKey, connections } = service;
console.log(JSON.stringify({ url, apiKey, connectionId: connections.counter }));
