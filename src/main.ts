import { runCommandLine } from "./commands/run.ts";

void runCommandLine(process.argv.slice(2)).then((code) => {
  if (code !== 0) process.exit(code);
});
