import type { Role } from "../../../contracts/access.ts";
import { type Html, html, toText } from "../../../runtime/html.ts";
import { VERSION } from "../../../runtime/version.ts";
import { assetUrl } from "../assets.ts";
import { BASE } from "../base.ts";
import { icon, logo } from "./icons.ts";

/** The entries of the navigation, in order. */
const sections = [
  ["overview", "Overview", ""],
  ["connections", "Connections", "/connections"],
  ["integrations", "Integrations", "/integrations"],
  ["custom-fields", "Custom fields", "/custom-fields"],
  ["explorer", "Explorer", "/explorer"],
  ["requests", "Requests", "/requests"],
  ["events", "Events", "/events"],
  ["subscriptions", "Subscriptions", "/subscriptions"],
  ["webhooks", "Webhooks", "/webhooks"],
  ["mcp", "MCP", "/mcp"],
  ["keys", "API keys", "/keys"],
  ["tool-packs", "Tool packs", "/tool-packs"],
  ["audit", "Audit log", "/audit"],
  ["settings", "Settings", "/settings"],
  ["sandbox", "Sandbox", "/sandbox"],
] as const;

export type Section = (typeof sections)[number][0];

/** One page of the dashboard. */
export interface DashboardPage {
  title: string;
  section: Section | undefined;
  content: Html;
  /** Default: 200. */
  status?: number;
  /** An image of another host that the page shows. */
  imageUrl?: string | null;
  /** Whether a field is checked while somebody types. */
  hasLiveCheck?: boolean;
  /** Of a form that has a problem, for screen readers. */
  hasProblem?: boolean;
}

export interface Frame {
  workspace: string;
  /** The form that changes the workspace, for somebody who has several. */
  switchForm: Html | false | undefined;
  /** Who is signed in, and as what. */
  who: string;
  role: Role | undefined;
  /** The form that ends the session. */
  signOut: Html | false;
  /** That a form was carried out. */
  done: string | undefined;
  /** Sections whose page they may not open are left out, and so is the sandbox's if there is none. */
  mayOpen(path: string): boolean;
}

const head = (title: string): Html => html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Plugboard</title>
<link rel="icon" href="${assetUrl("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl("style.css")}">
<script src="${assetUrl("dashboard.js")}" defer></script>
</head>`;

const navigation = (current: Section | undefined, mayOpen: Frame["mayOpen"]): Html => html`<nav aria-label="Main"><ul>
${sections.map(
  ([id, label, path]) =>
    mayOpen(path) &&
    html`<li><a href="${BASE}${path}"${id === current && html` aria-current="page"`}>${icon(id)}${label}</a></li>`,
)}
<li><a href="/docs/guides">${icon("guides")}Guides</a></li>
<li><a href="/docs">${icon("reference")}API reference</a></li>
</ul></nav>`;

/** A page with the navigation, for somebody who is signed in. */
export const framedPage = (page: DashboardPage, frame: Frame): string =>
  toText(html`<!doctype html>
<html lang="en">
${head(page.hasProblem ? `Error: ${page.title}` : page.title)}
<body>
<a class="skip" href="#main">Skip to the content</a>
<div class="frame">
<header class="side">
<a class="brand" href="${BASE}">${logo}Plugboard</a>
${frame.switchForm || html`<p class="workspace"><span>Workspace </span>${frame.workspace}</p>`}
${navigation(page.section, frame.mayOpen)}
<div class="side-end"><p class="who"><span class="hidden-text">Signed in: </span><span class="anywhere">${frame.who}</span><small>${frame.role}</small></p>${frame.signOut}</div>
<small class="version">Version ${VERSION}</small>
</header>
<main id="main" tabindex="-1">
${frame.done && html`<div class="notice good" role="status">${frame.done}</div>`}
${page.content}
</main>
</div>
</body>
</html>
`);

/** A page without the navigation. */
export const plainPage = ({ title, content, hasProblem }: Omit<DashboardPage, "section">): string =>
  toText(html`<!doctype html>
<html lang="en">
${head(hasProblem ? `Error: ${title}` : title)}
<body class="alone">
<main id="main" tabindex="-1">
<p class="brand">${logo}Plugboard</p>
${content}
</main>
</body>
</html>
`);
