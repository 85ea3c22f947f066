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
  ["explorer", "Explorer", "/explorer"],
  ["requests", "Requests", "/requests"],
  ["events", "Events", "/events"],
  ["subscriptions", "Subscriptions", "/subscriptions"],
  ["webhooks", "Webhooks", "/webhooks"],
  ["keys", "API keys", "/keys"],
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
  /** Of a form that has a problem, for screen readers. */
  hasProblem?: boolean;
}

export interface Frame {
  workspace: string;
  /** The form that ends the session. */
  signOut: Html;
  /** That a form was carried out. */
  done: string | undefined;
  sandbox: boolean;
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

const navigation = (current: Section | undefined, sandbox: boolean): Html => html`<nav aria-label="Main"><ul>
${sections.map(
  ([id, label, path]) =>
    (id !== "sandbox" || sandbox) &&
    html`<li><a href="${BASE}${path}"${id === current && html` aria-current="page"`}>${icon(id)}${label}</a></li>`,
)}
<li><a href="/docs/guides">${icon("guides")}Guides</a></li>
<li><a href="/docs">${icon("reference")}API reference</a></li>
</ul></nav>`;

/** A page with the navigation, for somebody who is signed in. */
export const framedPage = (page: DashboardPage, { workspace, signOut, done, sandbox }: Frame): string =>
  toText(html`<!doctype html>
<html lang="en">
${head(page.hasProblem ? `Error: ${page.title}` : page.title)}
<body>
<a class="skip" href="#main">Skip to the content</a>
<div class="frame">
<header class="side">
<a class="brand" href="${BASE}">${logo}Plugboard</a>
<p class="workspace"><span>Workspace </span>${workspace}</p>
${navigation(page.section, sandbox)}
<div class="side-end">${signOut}</div>
<small class="version">Version ${VERSION}</small>
</header>
<main id="main" tabindex="-1">
${done && html`<div class="notice good" role="status">${done}</div>`}
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
