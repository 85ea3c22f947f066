// Markdown for the generated pages.
const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
export const table = (head: string[], rows: string[][]) =>
  [row(head), row(head.map(() => "-")), ...rows.map(row)].join("\n");

export const code = (text: string) => `\`${text}\``;

/** For a cell of a table. */
export const cell = (text: string) => text.replaceAll("|", "\\|");

/** `/v1/git/repos/:repo/issues` as `/v1/git/repos/{repo}/issues`. */
export const templatePath = (route: string) => route.replace(/:(\w+)/g, "{$1}");
