// The name, the logo and the color of an application on the pages of the connect flow.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, pageOf } from "./support/agent.ts";
import { type Application, agree, createApplication, validValues } from "./support/application.ts";
import { launchChromium } from "./support/chromium.ts";
import { createSession } from "./support/session.ts";
import { ledger, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const browser = await launchChromium();
const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="teal"/></svg>`;

const loaded: { referer: string | undefined; cookie: string | undefined }[] = [];
const images = createServer(({ headers }, response) => {
  loaded.push({ referer: headers.referer, cookie: headers.cookie });
  response.setHeader("content-type", "image/svg+xml");
  response.end(LOGO);
});

let service: TestService;
let application: Application;
let logoUrl: string;

beforeAll(async () => {
  images.listen(0, "127.0.0.1");
  await once(images, "listening");
  logoUrl = `http://127.0.0.1:${(images.address() as AddressInfo).port}/logo.svg?size=40`;
  service = await startService({ catalogue: toyCatalogue });
  application = await createApplication(service, ledger, "basic");
});
afterAll(async () => {
  await browser?.close();
  await service.close();
  images.closeAllConnections();
  images.close();
});

describe("the brand of a workspace", () => {
  const change = (fields: object) => createPlatform(service, application.apiKey)("PATCH", "/v1/workspace", fields);

  it("the brand of a workspace is empty at first, can be set, and can be removed", async () => {
    const own = await createApplication(service, ledger, "basic");
    expect(await own.platform("GET", "/workspace")).toMatchObject({ logo_url: null, accent_color: null });
    const brand = { logo_url: "https://cdn.example.com/logo.svg", accent_color: "#A1B2C3" };
    expect(await own.platform("PATCH", "/workspace", brand)).toMatchObject(brand);
    expect(await own.platform("GET", "/workspace")).toMatchObject(brand);
    await own.platform("PATCH", "/workspace", { logo_url: null });
    expect(await own.platform("GET", "/workspace")).toMatchObject({ logo_url: null, accent_color: "#A1B2C3" });
  });

  it.each([
    "http://cdn.example.com/logo.svg",
    "//cdn.example.com/logo.svg",
    "/logo.svg",
    "javascript:alert(1)",
    "data:image/svg+xml,<svg/>",
    "https://user:password@cdn.example.com/logo.svg",
    "https://cdn.example.com/a b.svg",
    "http://127.0.0.1.evil.example/logo.svg",
    "",
    5,
  ])("%s is refused as a logo", async (logo_url) => {
    const { status, body } = await change({ logo_url });
    expect([status, Object.keys(body.errors)]).toEqual([400, ["logo_url"]]);
  });

  it.each(["red", "1f5fbf", "#1f5", "#1f5fbg", "#1f5fbf0", "#1f5fbf;", "", 5])(
    "%s is refused as a color",
    async (accent_color) => {
      const { status, body } = await change({ accent_color });
      expect([status, Object.keys(body.errors)]).toEqual([400, ["accent_color"]]);
    },
  );

  it("the brand is on every page of the flow, and the policy allows exactly the logo's origin", async () => {
    await application.platform("PATCH", "/workspace", { logo_url: logoUrl, accent_color: "#ffcc00" });
    const { url } = await createSession(application);
    const agent = createAgent(service.url);
    const end = await agree(agent, url, validValues(ledger, "basic", toySettings.ledger));
    const pages = [
      await createAgent(service.url).open(application.authorizeUrl()),
      await createAgent(service.url).open((await createSession(application)).url),
      end,
    ].map(pageOf);
    for (const { text, headers } of pages) {
      expect(text).toContain(`<img class="logo" src="${logoUrl}" alt="">`);
      expect(text).toContain(`href="/auth/theme.css?accent=ffcc00"`);
      expect(headers.get("content-security-policy")).toMatch(
        new RegExp(`^default-src 'none'; .*; img-src ${new URL(logoUrl).origin}$`),
      );
    }
  });

  it("the style sheet of a color contains nothing else that was asked for", async () => {
    const ask = async (query: string) => {
      const response = await fetch(`${service.url}/auth/theme.css${query}`);
      return { status: response.status, text: await response.text() };
    };
    expect(await ask("?accent=FFCC00")).toEqual({ status: 200, text: expect.stringContaining("--button: #FFCC00;") });
    for (const query of [
      "",
      "?accent=",
      "?accent=fff",
      "?accent=ffcc00}*{display:none",
      "?accent=ffcc00&accent=000000",
    ])
      expect((await ask(query)).status).toBe(404);
  });

  it.runIf(browser)("the brand is shown by a browser, and readable in every color, in light and in dark", async () => {
    const context = await browser!.newContext();
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => void errors.push(message.text()));
    loaded.length = 0;
    for (const accent of ["#ffffff", "#000000", "#808080", "#1a212b"]) {
      await application.platform("PATCH", "/workspace", { logo_url: logoUrl, accent_color: accent });
      await page.goto((await createSession(application)).url);
      expect(await page.evaluate("document.querySelector('.logo').naturalWidth")).toBe(120);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(axe);
        const { violations } = await page.evaluate<any>("axe.run()");
        expect(violations.map(({ id, nodes }: any) => [accent, id, nodes.map((node: any) => node.html)])).toEqual([]);
      }
    }
    expect(errors).toEqual([]);
    // The browser tells the logo's server neither the link nor anything else.
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter(({ referer }) => referer !== undefined)).toEqual([]);
  });
});
