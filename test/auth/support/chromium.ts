import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import packaged from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

const MAX_WAIT_SECONDS = 60;

/**
 * Switches that would disable what the tests check; single-process mode, which ends with the first window; and the
 * emulated graphics card, which takes longer than drawing without one.
 */
const UNWANTED =
  /^--(disable-web-security|allow-running-insecure-content|headless|single-process|no-zygote|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/;

/** Unpacks the browser to the disk, once for all runs, also where the tests' own temporary files are in memory. */
async function unpackChromium(): Promise<string> {
  const { TMPDIR } = process.env;
  delete process.env.TMPDIR;
  try {
    return await packaged.executablePath();
  } finally {
    if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
  }
}

/**
 * A real browser: the one from the package, which is built for x64 only, or an installed one. If there is none, it warns
 * and returns undefined; with CI=true it throws.
 */
export async function launchChromium(): Promise<Browser | undefined> {
  const reasons: string[] = [];
  const attempt = async (name: string, executablePath: () => Promise<string>, args: string[]) => {
    for (let left = MAX_WAIT_SECONDS; ; left--)
      try {
        return await chromium.launch({
          executablePath: await executablePath(),
          args: [...args, "--no-sandbox", "--disable-gpu"],
        });
      } catch (error) {
        const { message } = error as Error;
        // Another process is unpacking it.
        if (message.includes("ETXTBSY") && left > 0) {
          await setTimeout(1_000);
          continue;
        }
        reasons.push(`${name}: ${message.split("\n")[0]}`);
        return undefined;
      }
  };
  if (process.arch === "x64") {
    const args = packaged.args.filter((argument) => !UNWANTED.test(argument));
    const browser = await attempt("@sparticuz/chromium", unpackChromium, args);
    if (browser) return browser;
  } else reasons.push(`@sparticuz/chromium is for x64 only, this is ${process.arch}`);
  for (const path of [process.env.CHROMIUM, ...INSTALLED]) {
    if (!path || !existsSync(path)) continue;
    const browser = await attempt(path, async () => path, []);
    if (browser) return browser;
  }
  const reason = `${reasons.join("; ")}; none of ${INSTALLED.join(", ")} works. Install Chromium, or set CHROMIUM to its path`;
  if (process.env.CI === "true") throw new Error(`Tests in a browser cannot run: ${reason}`);
  console.warn(`Tests in a browser are skipped: ${reason}`);
  return undefined;
}
