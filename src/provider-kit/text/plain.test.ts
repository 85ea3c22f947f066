import fc from "fast-check";
import { Parser } from "htmlparser2";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { awkwardTexts } from "../../emulator-kit/data.ts";
import { plainToMarkdown, toText } from "./plain.ts";

/** The text that a reader of rendered Markdown sees, and the elements that are in it. */
function render(markdown: string): { text: string; elements: string[] } {
  let text = "";
  const elements = new Set<string>();
  const parser = new Parser({
    onopentag(name) {
      elements.add(name);
      if (name === "br") text += "\n";
    },
    ontext: (part) => {
      text += part;
    },
  });
  parser.end(marked.parse(markdown, { async: false }));
  return { text: visible(text), elements: [...elements].filter((name) => !["p", "br", "a"].includes(name)) };
}

const visible = (text: string) => text.replace(/\s+/g, " ").trim();

const markup = fc.constantFrom(
  ..."\\ ` * _ { } [ ] ( ) < > # + - . ! | ~ & : = / ? @ ' \" \n \r\n \t 1 a b é 字 א 🎉".split(" "),
  ..." ;  ;\n;\n\n;**;__;~~;```;~~~;---;===;- ;* ;1. ;2) ;# ;> ;[x] ;](;![;[a]: ;<b>;</b>;<!--;&amp;;&copy;;&#35;;| a |;|-|-|;https://a.example/_b_;www.a.example/*;me@a.example;ftp://;    ;\\\n;word".split(
    ";",
  ),
);
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: markup }, fc.string({ maxLength: 4 })), { maxLength: 24 })
  .map((parts) => parts.join(""));

describe("plain text", () => {
  test.each([
    ["marks", "*a* _b_ `c` ~~d~~ **e**", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\*\\*e\\*\\*"],
    ["what only looks like marks", "snake_case 2 * 3 ~5 a & b 1 < 2 [x] C:\\Users (a)!", null],
    ["a heading", "# a\n#b", "\\# a  \n#b"],
    ["lists", "- a\n+ b\n* c\n1. d\n2) e\n-f 3.5", "\\- a  \n\\+ b  \n\\* c  \n1\\. d  \n2\\) e  \n-f 3.5"],
    ["a quote", "> a\n>b", "\\> a  \n\\>b"],
    ["underlines", "a\n===\nb\n---\n***", "a  \n\\===  \nb  \n\\---  \n\\***"],
    ["a table", "|a|b|\n|-|-|", "|a|b|  \n|\\-|-|"],
    ["a link", "[a](b) [a]: b ![c](d)", "[a\\](b) [a\\]: b ![c\\](d)"],
    ["HTML", "<b> a < b </b> <!-- c -->", "\\<b> a < b \\</b> \\<!-- c -->"],
    ["entities", "&amp; &#35; &nope AT&T", "\\&amp; \\&#35; &nope AT&T"],
    ["a fence", "```\na\n```", "\\`\\`\\`  \na  \n\\`\\`\\`"],
    ["an indented line", "    a\n    b", "a  \n    b"],
    ["an address with marks", "see https://a.example/_b_*c*.", "see <https://a.example/_b_*c>\\*."],
    ["an address without marks", "see https://a.example/b_c?d=1&e=2.", "see <https://a.example/b_c?d=1&e=2>."],
    ["an address that ends with a bracket", "see https://a.example/b_(c).", "see <https://a.example/b_(c)>."],
    ["an address in brackets", "(see https://a.example/b_c)", "(see <https://a.example/b_c>)"],
    [
      "an address that ends with a bracket, in brackets",
      "(see https://a.example/b_(c)).",
      "(see <https://a.example/b_(c)>).",
    ],
    ["line ends", "a\r\nb\rc  \n", "a  \nb  \nc"],
    ["right-to-left text", "שלום *עולם*", "שלום \\*עולם\\*"],
  ])("plain text with %s stays what it is as Markdown", (_, plain, expected) => {
    expect(plainToMarkdown(plain)).toBe(expected ?? plain);
    expect(render(plainToMarkdown(plain)!).text).toBe(visible(plain));
  });

  test.each([null, undefined, "", " \n\t"])("blank text is null: %j", (blank) => {
    expect(plainToMarkdown(blank)).toBeNull();
    expect(toText(blank)).toBeNull();
  });

  test.each(awkwardTexts.map((awkward) => [awkward]))("rendering gives back an awkward text: %j", (awkward) => {
    expect(render(plainToMarkdown(awkward) ?? "").text).toBe(visible(awkward));
  });

  test("rendering gives back any text", () => {
    fc.assert(
      fc.property(text, (plain) => {
        const markdown = plainToMarkdown(plain) ?? "";
        expect(render(markdown), markdown).toEqual({ text: visible(plain.replaceAll("\0", "\ufffd")), elements: [] });
      }),
      { numRuns: 2000, seed: 14 },
    );
  });

  test("a line is written alone as it is before another paragraph", () => {
    const line = fc.string({
      unit: fc.constantFrom(..."ab1 .-#>|=:/w()@+\"'é日".split(""), "www.", "://", "*"),
      minLength: 1,
    });
    fc.assert(
      fc.property(line, (plain) => {
        const alone = plainToMarkdown(plain);
        const before = plainToMarkdown(`${plain}\n\nend`);
        expect(`${alone ?? ""}end`).toBe(before?.replace("\n\n", ""));
      }),
      { numRuns: 2000, seed: 14 },
    );
  });
});

test.each([
  ["a\r\nb\rc", "a\nb\nc"],
  ["  **a**  \n\n", "  **a**"],
])("Markdown keeps everything but its line ends and the space at its end: %j", (markdown, expected) => {
  expect(toText(markdown)).toBe(expected);
});
