import type { OfferedTool } from "./account-tools.ts";
import { defineTools } from "./tools.ts";

/** From this number on, a model gets a search instead of the list: it would have to read all of it. */
export const MAX_LISTED_TOOLS = 40;
const MAX_FOUND = 8;

export const searchToolsTool = {
  name: "search_tools",
  title: "Search tools",
  description:
    "Finds tools by what they do, such as `create an issue`. Returns their names, descriptions and arguments for call_tool.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "What you want to do, in a few words" },
      account: { type: "string", description: "Only tools of this account, from list_accounts" },
    },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

export const callToolTool = {
  name: "call_tool",
  title: "Call a tool",
  description: "Calls a tool that search_tools has found.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "The tool's name" },
      arguments: {
        type: "object",
        description: "Its arguments, as its `inputSchema` says",
        additionalProperties: true,
      },
    },
    required: ["name", "arguments"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

/** Without the endings in which singular and plural differ: `company` and `companies`, `branch` and `branches`. */
const stem = (word: string) => word.replace(/(?<=...)(ies|y|s*e?s?)$/, "");
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const stemsOf = (text: string) => new Set(wordsOf(text).map(stem));

/** Words that say nothing about a tool, besides those of one or two letters. */
const STOP_WORDS = "all and are find for from get look not search show that the they what which with".split(" ");
const isTelling = (word: string) => word.length > 2 && !STOP_WORDS.includes(word);

/** The tools that match best, the best first. A word in the name counts more than one in the description. */
export function searchTools(offered: readonly OfferedTool[], query: string, account: string | undefined) {
  const wanted = new Set(wordsOf(query).filter(isTelling).map(stem));
  const usable = offered.filter(({ users }) => account === undefined || users.some((user) => user.account === account));
  return defineTools(usable)
    .map(({ name, title, description, inputSchema }) => {
      const inName = stemsOf(`${name} ${title}`.replaceAll("_", " "));
      const inText = stemsOf(String(description));
      const score = [...wanted].reduce((sum, word) => sum + (inName.has(word) ? 3 : inText.has(word) ? 1 : 0), 0);
      return { score, found: { name, description, inputSchema } };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ found }) => found);
}
