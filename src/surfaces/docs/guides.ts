import { readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { Marked, Renderer, type Tokens } from "marked";
import { type Html, html, toText, trusted } from "../../runtime/html.ts";
import { bar, HEADERS } from "./page.ts";

const PATH = "/docs/guides";
const FOLDER = new URL("../../../docs/", import.meta.url);
const IMAGE_TYPES: Record<string, string> = { svg: "image/svg+xml", png: "image/png" };

/** The guides in the order of the menu. The pages of the providers are linked from their list. */
export const guideGroups = [
  [
    "Use it",
    [
      ...["quickstarts", "connecting", "unified", "custom-fields", "proxy", "any-api", "mcp", "mcp-clients"],
      ...["events", "sandbox", "dashboard", "access"],
    ],
  ],
  ["Look it up", ["coverage", "catalogue", "providers/README"]],
  [
    "Run it",
    [
      ...["configuration", "configuration-as-code", "running", "backup", "moving", "upgrading", "telemetry"],
      ...["threat-model", "performance", "performance-details"],
    ],
  ],
  [
    "Work on it",
    ["architecture", "adding-a-provider", "adding-an-operation", "contract-suite", "releasing", "decisions"],
  ],
] as const;

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The Markdown files of the folder `docs` as web pages, so that they can be read where the service runs. */
export function guides(app: FastifyInstance, { dashboard }: { dashboard: boolean }): void {
  let files: Set<string> | undefined;
  const readFile = (name: string): Buffer | undefined => {
    files ??= new Set(readdirSync(FOLDER, { recursive: true, encoding: "utf8" }));
    return files.has(name) ? readFileSync(new URL(name, FOLDER)) : undefined;
  };
  const pages = new Map<string, string>();
  const headers = { ...HEADERS, "content-security-policy": policy };

  app.get(PATH, (_, reply) => reply.redirect(`${PATH}/${guideGroups[0][1][0]}`, 302));

  app.get(`${PATH}/*`, (request, reply) => {
    const { "*": name } = request.params as { "*": string };
    const type = IMAGE_TYPES[name.split(".").at(-1)!];
    const content = readFile(type ? name : `${name}.md`);
    if (!content) return reply.callNotFound();
    if (type) return reply.type(type).headers(headers).send(content);
    const page = pages.get(name) ?? guidePage(name, content.toString(), dashboard, titles(readFile));
    pages.set(name, page);
    return reply.type("text/html; charset=utf-8").headers(headers).send(page);
  });
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? "";

const titles = (readFile: (name: string) => Buffer | undefined) =>
  guideGroups.map(
    ([group, names]) => [group, names.map((name) => [name, titleOf(String(readFile(`${name}.md`)))] as const)] as const,
  );

const menu = (current: string, groups: ReturnType<typeof titles>): Html =>
  html`<nav class="menu" aria-label="Guides">${groups.map(
    ([group, entries]) =>
      html`<h2>${group}</h2><ul>${entries.map(
        ([name, title]) =>
          html`<li><a href="${PATH}/${name}"${name === current && html` aria-current="page"`}>${title}</a></li>`,
      )}</ul>`,
  )}</nav>`;

const guidePage = (name: string, markdown: string, dashboard: boolean, groups: ReturnType<typeof titles>): string =>
  toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titleOf(markdown)} · Plugboard</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${bar("guides", dashboard)}
<div class="guide">
${menu(name, groups)}
<main id="main" tabindex="-1">${trusted(toHtml(name, markdown))}</main>
</div>
</body>
</html>
`);

/** The Markdown of a file of our own. Its links lead to the other guides; one to a file that is no guide is only text. */
function toHtml(name: string, markdown: string): string {
  const anchors = new Map<string, number>();
  /** As GitHub makes them, since the guides link to them. */
  const anchorOf = (heading: string) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const count = anchors.get(anchor) ?? 0;
    anchors.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
  const resolve = (href: string) => {
    const base = new URL(`${PATH}/${name}`, "http://guides.invalid");
    const url = new URL(href, base);
    if (url.host !== base.host) return href;
    return url.pathname.startsWith(`${PATH}/`) ? url.pathname.replace(/\.md$/, "") + url.hash : undefined;
  };
  const renderer: Partial<Renderer> = {
    heading(this: Renderer, { tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link(this: Renderer, { href, tokens }: Tokens.Link) {
      const target = resolve(href);
      const text = trusted(this.parser.parseInline(tokens));
      return toText(target === undefined ? text : html`<a href="${target}">${text}</a>`);
    },
    image: ({ href, text }: Tokens.Image) => toText(html`<img src="${resolve(href)}" alt="${text}">`),
    code: ({ text }: Tokens.Code) =>
      toText(html`<pre tabindex="0" role="group" aria-label="Code"><code>${text}</code></pre>\n`),
    table(this: Renderer, token: Tokens.Table) {
      const table = trusted(Renderer.prototype.table.call(this, token));
      return toText(html`<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`);
    },
    /** An empty cell is no header of anything. */
    tablecell(this: Renderer, token: Tokens.TableCell) {
      return Renderer.prototype.tablecell.call(this, { ...token, header: token.header && token.text !== "" });
    },
    /** Comments are for those who edit the file. */
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith("<!--") ? "" : toText(html`${text}`)),
  };
  return new Marked({ renderer }).parse(markdown, { async: false });
}
