// `plugboard apply` against a service in this process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { apply } from "../../../src/commands/apply/index.ts";
import { createStrictPlatform } from "../../support/platform.ts";
import type { TestService } from "../../support/service.ts";

export interface Applied {
  code: number;
  out: string;
  err: string;
}

/** A workspace of its own, and a folder with files. */
export async function newApplier(service: TestService, name: string) {
  const key = await service.createWorkspace(name);
  const folder = mkdtempSync(join(tmpdir(), "plugboard-apply-"));
  return {
    key,
    folder,
    platform: createStrictPlatform(service, key),
    write(path: string, text: string): string {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    /** Runs the command; `file` is the content of plugboard.yaml. */
    async apply(
      file: string | undefined,
      args: string[] = [],
      { env = {}, ask }: { env?: Record<string, string>; ask?: (question: string) => Promise<string> } = {},
    ): Promise<Applied> {
      const given = file === undefined ? [] : ["-f", this.write("plugboard.yaml", file)];
      const output = { out: "", err: "" };
      const code = await apply([...given, ...args], {
        env: { PLUGBOARD_URL: service.url, PLUGBOARD_API_KEY: key, ...env },
        print: (text) => {
          output.out += `${text}\n`;
        },
        printError: (text) => {
          output.err += `${text.replaceAll(join(folder, "plugboard.yaml"), "plugboard.yaml")}\n`;
        },
        ask,
      });
      return { code, ...output };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Applier = Awaited<ReturnType<typeof newApplier>>;
