// README and docs: every link leads somewhere, and every file that the map of the repository names exists.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = globSync(["*.md", "docs/**/*.md", "sdk/*.md", "sdk-python/*.md"], { cwd: root });

/** The anchors that GitHub gives a page's headings. */
const anchors = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe.each(pages)("%s", (page) => {
  it(`${page} has no link to a file or heading that does not exist`, () => {
    // A regular expression may look like a link.
    const text = read(page).replaceAll(/`[^`\n]+`/g, "code");
    const broken = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, target, anchor]) => {
      const file = target ? join(dirname(page), target) : page;
      return !existsSync(join(root, file)) || (anchor !== undefined && !anchors(read(file)).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

it.each(["docs/architecture.md", "docs/adding-a-provider.md"])("%s names only files that exist", (page) => {
  const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|md|json|yaml))`/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(0);
  const missing = named.filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, "src", file)));
  expect(missing).toEqual([]);
});
