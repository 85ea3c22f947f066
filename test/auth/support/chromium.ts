import { existsSync } from "node:fs";
import packaged from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/**
 * Switches that would disable what the tests check; single-process mode, which ends with the first window; and the
 * emulated graphics card, which takes longer than drawing without one.
 */
const UNWANTED =
  /^--(disable-web-security|allow-running-insecure-content|headless|single-process|no-zygote|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/;

/**
 * A real browser: the one from the package, which is built for x64 only, or an installed one. If there is none, it warns
 * and returns undefined; with CI=true it throws.
 */
export async function launchChromium(): Promise<Browser | undefined> {
  const reasons: string[] = [];
  const attempt = async (name: string, executablePath: () => Promise<string>, args: string[]) => {
    try {
      return await chromium.launch({
        executablePath: await executablePath(),
        args: [...args, "--no-sandbox", "--disable-gpu"],
      });
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
      return undefined;
    }
  };
  if (process.arch === "x64") {
    const args = packaged.args.filter((argument) => !UNWANTED.test(argument));
    const browser = await attempt("@sparticuz/chromium", () => packaged.executablePath(), args);
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
