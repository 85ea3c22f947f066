// The recipes of an SDK's README: code that begins with the set-up, and what it prints.
import { readFileSync } from "node:fs";

export interface Recipe {
  title: string;
  code: string;
  /** What it prints, with ellipses for anything. */
  shown: string | undefined;
}

const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code]) => code!);

export function readRecipes(file: string, language: string): Recipe[] {
  const readme = readFileSync(file, "utf8");
  const setUp = blocksOf(readme.split("## Recipes")[0]!, language)[0]!;
  return readme
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      title: section.split("\n")[0]!,
      code: `${setUp}\n${blocksOf(section, language)[0]}`,
      shown: blocksOf(section, "text")[0],
    }));
}
