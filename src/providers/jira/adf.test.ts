import { describe, expect, test } from "vitest";
import { type AdfNode, adfToText } from "./adf.ts";

const text = (value: string, ...marks: NonNullable<AdfNode["marks"]>): AdfNode => ({
  type: "text",
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
const node = (type: string, ...content: AdfNode[]): AdfNode => ({ type, content });
const leaf = (type: string, attrs: Record<string, unknown>): AdfNode => ({ type, attrs: attrs as AdfNode["attrs"] });
const paragraph = (...content: AdfNode[]) => node("paragraph", ...content);
const item = (...content: AdfNode[]) => node("listItem", ...content);
const document = (...content: AdfNode[]) => ({ version: 1, ...node("doc", ...content) });
const read = (...content: AdfNode[]) => adfToText(document(...content));

test.each([
  null,
  undefined,
  "",
  "  \n",
  document(),
  document(paragraph()),
  { type: "doc", version: 1 } as AdfNode,
  document(leaf("media", { id: "1" })),
])("a document without text becomes null: %j", (given) => {
  expect(adfToText(given)).toBeNull();
});

test("a plain string is returned unchanged", () => {
  expect(adfToText("h1. Wiki markup")).toBe("h1. Wiki markup");
});

describe("inline nodes", () => {
  test("marks are dropped, except for the address of a link", () => {
    const strong = text("bold", { type: "strong" }, { type: "em" });
    const link = text("the guide", { type: "link", attrs: { href: "https://example.com/guide" } });
    const bare = text("https://example.com", { type: "link", attrs: { href: "https://example.com" } });
    const mail = text("a@example.com", { type: "link", attrs: { href: "mailto:a@example.com" } });
    expect(read(paragraph(text("See "), strong, text(", "), link, text(", "), bare, text(", "), mail))).toBe(
      "See bold, the guide (https://example.com/guide), https://example.com, a@example.com",
    );
  });

  test("mentions, emoji, dates, statuses and cards become text", () => {
    expect(
      read(
        paragraph(
          leaf("mention", { id: "5b10", text: "@Zoë Müller" }),
          text(" "),
          leaf("mention", { id: "5b11" }),
          text(" "),
          leaf("emoji", { shortName: ":family:", text: "👩‍👩‍👧" }),
          leaf("emoji", { shortName: ":custom:" }),
          text(" by "),
          leaf("date", { timestamp: "1582152559000" }),
          text(" "),
          leaf("status", { text: "In Prüfung", color: "yellow" }),
          text(" "),
          leaf("inlineCard", { url: "https://example.com/1" }),
        ),
      ),
    ).toBe("@Zoë Müller @5b11 👩‍👩‍👧:custom: by 2020-02-19 In Prüfung https://example.com/1");
  });

  test("an inline node without its attributes is left out", () => {
    const bare = ["mention", "emoji", "date", "status", "inlineCard", "placeholder", "text"].map((type) => ({ type }));
    expect(read(paragraph(text("a"), ...bare, text("b")))).toBe("ab");
  });

  test("a hard break becomes a newline", () => {
    expect(read(paragraph(text("one"), { type: "hardBreak" }, text("two")))).toBe("one\ntwo");
  });
});

describe("blocks", () => {
  test("paragraphs and headings are separated by a blank line, and empty ones are dropped", () => {
    const heading = { ...node("heading", text("見出し")), attrs: { level: 2 } };
    expect(read(heading, paragraph(text("one")), paragraph(), paragraph(text("two")))).toBe("見出し\n\none\n\ntwo");
  });

  test("a code block keeps its lines and spaces", () => {
    const code = { ...node("codeBlock", text("if (x) {\n  y();\n}")), attrs: { language: "js" } };
    expect(read(paragraph(text("Like this:")), code)).toBe("Like this:\n\nif (x) {\n  y();\n}");
  });

  test("quotes, rules, panels and expands become text", () => {
    const quote = node("blockquote", paragraph(text("one")), paragraph(text("two")));
    const panel = { ...node("panel", paragraph(text("Mind!"))), attrs: { panelType: "warning" } };
    const expand = { ...node("expand", paragraph(text("more"))), attrs: { title: "Details" } };
    expect(read(quote, { type: "rule" }, panel, expand)).toBe("> one\n> \n> two\n\n---\n\nMind!\n\nDetails\n\nmore");
  });

  test("a picture becomes its alternative text", () => {
    const picture = (attrs: object) => node("mediaSingle", leaf("media", { id: "1", type: "file", ...attrs }));
    expect(read(paragraph(text("a")), picture({ alt: "a chart" }), picture({}))).toBe("a\n\na chart");
  });

  test("each table row becomes one line, whatever its cells contain", () => {
    const cell = (...content: AdfNode[]) => node("tableCell", ...content);
    const rows = [
      node("tableRow", node("tableHeader", paragraph(text("Name"))), node("tableHeader", paragraph(text("Wert")))),
      node("tableRow", cell(paragraph(text("a"))), cell(paragraph(text("1")), paragraph(text("2")))),
      node("tableRow", cell(), cell(node("bulletList", item(paragraph(text("x"))), item(paragraph(text("y")))))),
    ];
    expect(read(node("table", ...rows))).toBe("Name | Wert\na | 1 2\n | - x - y");
  });
});

describe("lists", () => {
  test("bullet lists and numbered lists can be nested", () => {
    const inner = node("bulletList", item(paragraph(text("deeper"))), item(paragraph(text("still"))));
    const numbers = {
      ...node("orderedList", item(paragraph(text("nine"))), item(paragraph(text("ten")), inner)),
      attrs: { order: 9 },
    };
    expect(read(node("bulletList", item(paragraph(text("one")), numbers), item(paragraph(text("two")))))).toBe(
      "- one\n  9. nine\n  10. ten\n      - deeper\n      - still\n- two",
    );
  });

  test("a list item with several paragraphs stays one item", () => {
    const several = item(paragraph(text("one")), paragraph(text("more"), { type: "hardBreak" }, text("lines")));
    expect(read(node("bulletList", several))).toBe("- one\n  more\n  lines");
  });

  test("task lists show done and open tasks and can be nested", () => {
    const task = (state: string, value: string) => ({ ...node("taskItem", text(value)), attrs: { state } });
    const inner = node("taskList", task("TODO", "inner"));
    expect(read(node("taskList", task("DONE", "done"), inner, task("TODO", "open")))).toBe(
      "[x] done\n  [ ] inner\n[ ] open",
    );
  });
});

describe("unknown nodes", () => {
  test("an unknown node becomes its content, or else its text", () => {
    const unknown = node("futureBlock", paragraph(text("inside")), node("futureInner", text("and deeper")));
    expect(read(unknown, leaf("futureLeaf", { text: "word" }), leaf("futureLeaf", { text: 7 }), {})).toBe(
      "inside\n\nand deeper\n\nword",
    );
  });

  test("an unknown inline node does not break its line", () => {
    expect(read(paragraph(text("a "), leaf("futureInline", { text: "b" }), text(" c")))).toBe("a b c");
  });
});
