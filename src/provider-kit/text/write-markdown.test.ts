import fc from "fast-check";
import { Parser } from "htmlparser2";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { type Block, CODE, DEL, DocumentBuilder, EM, type Span, STRONG } from "./document.ts";
import { writeMarkdown } from "./write-markdown.ts";

const MARKS: Record<string, number> = { strong: STRONG, em: EM, del: DEL, code: CODE };

interface Character {
  character: string;
  marks: number;
  href: string | undefined;
}

/** The visible characters of rendered Markdown with their marks, without space. */
function render(markdown: string): { characters: Character[]; elements: string[] } {
  const characters: Character[] = [];
  const elements: string[] = [];
  const open: [name: string, href: string | undefined][] = [];
  const parser = new Parser({
    onopentag(name, { href, alt, src }) {
      elements.push(name);
      open.push([name, href]);
      if (name === "img") characters.push({ character: `${alt} ${src}`, marks: 0, href: undefined });
    },
    onclosetag: () => void open.pop(),
    ontext(text) {
      const marks = open.reduce((all, [name]) => all | (MARKS[name] ?? 0), 0);
      const href = open.findLast(([name]) => name === "a")?.[1];
      for (const character of text.replace(/\s/g, "")) characters.push({ character, marks, href });
    },
  });
  parser.end(marked.parse(markdown, { async: false }));
  return { characters, elements };
}

const charactersOf = (spans: Span[]): Character[] =>
  spans.flatMap(({ text, marks, href }) =>
    [...text.replace(/\s/g, "")].map((character) => ({ character, marks, href })),
  );

const paragraph = (...spans: (string | [text: string, marks: number, href?: string])[]): Block => ({
  type: "paragraph",
  spans: spans.map((span) => {
    if (typeof span === "string") return { text: span, marks: 0 };
    const [text, marks, href] = span;
    return href === undefined ? { text, marks } : { text, marks, href };
  }),
});

const fragment = fc.constantFrom(
  ...'a;b c;é;字;「字」;(a);!;.;,;*;_;~;**;`;``;[;];[x];](;<;<b>;&amp;;\\;|;#;- ;1. ;> ; ;  ;\n;\n# ;🎉;"q";https://a.example/_b;www.a.example;snake_case;~5'.split(
    ";",
  ),
);
const spanText = fc.array(fragment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const span: fc.Arbitrary<Span> = fc
  .record({
    text: spanText,
    marks: fc.oneof(
      fc.constant(0),
      fc.constantFrom(STRONG, EM, DEL, CODE, STRONG | EM, EM | DEL, STRONG | CODE, STRONG | EM | DEL),
    ),
    href: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      fc.constantFrom("https://a.example/(x)?a=1&b=2", "https://b.example/_c_*d*"),
    ),
  })
  .map(({ href, ...rest }) => (href === undefined ? rest : { ...rest, href }));

describe("Markdown of spans", () => {
  test.each([
    ["all marks", [["a", STRONG], " ", ["b", EM], " ", ["c", DEL], " ", ["d", CODE]], "**a** _b_ ~~c~~ `d`"],
    [
      "marks in marks",
      [
        ["a ", STRONG],
        ["b", STRONG | EM],
        [" c", STRONG],
      ],
      "**a _b_ c**",
    ],
    [
      "marks that overlap",
      [
        ["a ", STRONG],
        ["b", STRONG | EM],
        [" c", EM],
      ],
      "**a _b_** _c_",
    ],
    ["a mark around space", ["a", [" b ", STRONG], "c"], "a **b** c"],
    ["marks inside a word", ["un", ["believ", EM], "able"], "un*believ*able"],
    ["a mark between punctuation and a letter", [["「字」", STRONG], "は"], "**「字**」は"],
    ["a mark on space only", ["a", [" ", STRONG], "b"], "a b"],
    ["code with backticks", [["a`b`", CODE]], "`` a`b` ``"],
    ["a bold link", [["a", STRONG, "https://a.example"]], "**[a](https://a.example)**"],
    [
      "a link with a bold word",
      [
        ["a ", 0, "https://a.example"],
        ["b", STRONG, "https://a.example"],
      ],
      "[a **b**](https://a.example)",
    ],
    [
      "an address as its own label",
      ["see ", ["https://a.example/b", 0, "https://a.example/b"], " now"],
      "see <https://a.example/b> now",
    ],
    ["an address before a full stop", [["https://a.example", 0, "https://a.example"], "."], "<https://a.example>."],
    ["a link after an exclamation mark", ["a!", ["b", 0, "https://a.example"]], "a\\![b](https://a.example)"],
    ["brackets in a label", [["[a]", 0, "https://a.example"]], "[\\[a\\]](https://a.example)"],
    ["a link to a script", [["a", 0, "javascript:alert(1)"]], "a"],
    ["a link without a label", ["a", [" ", 0, "https://a.example"], "b"], "a b"],
  ] as [string, (string | [string, number, string?])[], string][])(
    "spans become Markdown: %s",
    (_, spans, expected) => {
      expect(writeMarkdown([paragraph(...spans)])).toBe(expected);
    },
  );

  test("a table with a short row is filled up, and one that would mostly be filled up is written as its words", () => {
    const cell = [paragraph("a")];
    const row = (count: number) => Array.from({ length: count }, () => cell);
    expect(writeMarkdown([{ type: "table", rows: [row(2), row(1)] }])).toBe("| a | a |\n| --- | --- |\n| a |  |");
    const rows = [row(500), ...Array.from({ length: 500 }, () => row(1))];
    expect(writeMarkdown([{ type: "table", rows }])).toBe(Array(1000).fill("a").join("\n\n"));
  });

  test("a paragraph of over 1,000 parts is written as its words", () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index): [string, number] => (index % 2 ? [" b ", 0] : ["a", STRONG]));
    expect(writeMarkdown([paragraph(...parts(999))])).toBe(`${"**a** b ".repeat(499)}**a**`);
    expect(writeMarkdown([paragraph(...parts(1001))])).toBe(`${"a b ".repeat(500)}a`);
  });

  test("rendering gives back the text of any spans, and never adds a mark", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), (spans) => {
        const document = new DocumentBuilder();
        for (const item of spans) document.add(item);
        const markdown = writeMarkdown(document.end()) ?? "";
        const expected = charactersOf(spans);
        const { characters } = render(markdown);
        expect(characters.map(({ character }) => character).join(""), markdown).toBe(
          expected.map(({ character }) => character).join(""),
        );
        for (const [index, { marks }] of characters.entries())
          expect(marks & ~expected[index]!.marks, markdown).toBe(0);
      }),
      { numRuns: 1000, seed: 14 },
    );
  });
});
