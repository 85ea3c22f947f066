// The upstream's response bodies: lists of repositories shaped like a real provider's, in three sizes.
import { repository, user } from "../src/providers/github/sandbox/data.ts";

export const sizes = ["1kB", "30kB", "300kB"] as const;
export type Size = (typeof sizes)[number];

/** How many records a body of each size contains. */
const records: Record<Size, number> = { "1kB": 1, "30kB": 10, "300kB": 100 };

const owner = user("acme", 1);

/** About 3 kB each: every field except half of the links, which make up most of a real repository. */
function wide(index: number) {
  const entries = Object.entries(repository(owner, `project-${index}`, index));
  const links = entries.filter(([name]) => name.endsWith("_url") && name !== "html_url");
  const dropped = new Set(links.filter((_, at) => at % 2 === 0).map(([name]) => name));
  return Object.fromEntries(entries.filter(([name]) => !dropped.has(name)));
}

function narrow(index: number) {
  const { id, name, full_name, description, html_url, created_at, updated_at, pushed_at, size, language } = repository(
    owner,
    `project-${index}`,
    index,
  );
  const { login, avatar_url, url, type } = owner;
  return {
    id,
    name,
    full_name,
    description,
    html_url,
    created_at,
    updated_at,
    pushed_at,
    size,
    language,
    owner: { login, avatar_url, url, type },
    topics: ["integration", "unified", "typescript", "self-hosted", "benchmark"],
    visibility: "private",
    default_branch: "main",
    permissions: { admin: true, maintain: true, push: true, triage: true, pull: true },
    license: { key: "mit", name: "MIT License", spdx_id: "MIT", url: "https://api.github.com/licenses/mit" },
  };
}

export const body = (size: Size): Buffer =>
  Buffer.from(
    JSON.stringify(Array.from({ length: records[size] }, (_, index) => (size === "1kB" ? narrow(index) : wide(index)))),
  );
