import { describe, expect, test } from "vitest";
import { htmlToMarkdown } from "./from-html.ts";

const lines = (...text: string[]) => text.join("\n");

describe("HTML to Markdown", () => {
  test.each<[string, string, string | null]>([
    ["a paragraph", "<p>reply</p>", "reply"],
    ["text without tags", "Hello from a test", "Hello from a test"],
    ["paragraphs", "<p>a</p><p>b</p>\n<div>c</div>d", "a\n\nb\n\nc\n\nd"],
    [
      "marks",
      "<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <s>e</s> <del>f</del> <u>g</u>",
      "**a** **b** _c_ _d_ ~~e~~ ~~f~~ g",
    ],
    ["marks in marks", "<b>a <i>b <s>c</s></i></b>", "**a _b ~~c~~_**"],
    ["a mark around spaces", "a<b> b </b>c", "a **b** c"],
    ["the same mark twice", "<b>a <b>b</b> c</b>", "**a b c**"],
    ["marks that overlap", "<b>a <i>b</b> c</i>", "**a _b_** c"],
    ["marks over paragraphs", "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"],
    ["code", "<code>a * b &lt; c</code> <tt>`</tt>", "`a * b < c` `` ` ``"],
    [
      "a code block",
      '<pre><code class="language-ts">if (a &lt; b) {\n  c();\n}\n</code></pre>',
      "```ts\nif (a < b) {\n  c();\n}\n```",
    ],
    ["a code block with a fence in it", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"],
    ["a code block of Teams", '<codeblock class="Csharp"><code>a<br>  b</code></codeblock>', "```csharp\na\n  b\n```"],
    ["a link", '<a href="https://a.example/?a=1&amp;b=2">a <b>b</b></a>', "[a **b**](https://a.example/?a=1&b=2)"],
    ["an address as a link", '<a href="https://a.example/b">https://a.example/b</a>', "<https://a.example/b>"],
    ["a mail address", '<a href="mailto:me@a.example">me@a.example</a>', "<me@a.example>"],
    ["a link to a script", '<a href="javascript:alert(1)">a</a> <a href="/b">b</a> <a>c</a>', "a b c"],
    ["an address with brackets", '<a href="https://a.example/(b) c">a</a>', "[a](<https://a.example/(b)%20c>)"],
    ["headings", "<h1>a</h1><h3>b<br>c</h3><h6>d #</h6>", "# a\n\n### b c\n\n###### d \\#"],
    ["line breaks", "a<br>b<br/>c<br><br>d", "a  \nb  \nc\n\nd"],
    ["white space", "  a \n\t b&nbsp;&nbsp;c  ", "a b c"],
    ["a rule", "a<hr>b", "a\n\n---\n\nb"],
    ["a quote", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"],
    ["a list", "<ul><li>a</li><li><p>b</p></li></ul>", "- a\n- b"],
    [
      "nested lists",
      "<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li>d</li></ul>",
      "- a\n  1. b\n     - c\n- d",
    ],
    ["a list that is not inside an item", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"],
    ["a numbered list", '<ol start="9"><li>a<li>b</ol>', "9. a\n10. b"],
    ["a list that starts with 0", '<ol start="0"><li>a<li>b</ol>', "0. a\n1. b"],
    [
      "lists without a number that Markdown has",
      '<ol start="-2"><li>a</ol>b<ol start="x"><li>c</ol>',
      "1. a\n\nb\n\n1. c",
    ],
    ["paragraphs in a list", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"],
    ["two lists in a row", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"],
    ["code in a list", "<ul><li>a<pre>b\n c</pre></li></ul>", "- a\n\n  ```\n  b\n   c\n  ```"],
    [
      "a task list",
      '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
      "- [x] a\n- [ ] b",
    ],
    ["an item that only looks like a task", "<ul><li>[x] a</li></ul>", "- \\[x] a"],
    [
      "a table",
      "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1 | 2</td><td><b>3</b><br>4</td></tr><tr><td>5</td></tr></tbody></table>",
      lines("| A | B |", "| --- | --- |", "| 1 \\| 2 | **3** 4 |", "| 5 |  |"),
    ],
    [
      "a table with lists",
      "<table><tr><td>a</td><td><ul><li>b</li><li>c</li></ul></td></tr><tr><td>d</td></tr></table>",
      "| a | • b • c |\n| --- | --- |\n| d |  |",
    ],
    ["a table of one row, which is a layout", "<table><tr><td>a</td><td>b<br>c</td></tr></table>", "a\n\nb  \nc"],
    [
      "cells over several columns and rows",
      '<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td rowspan="2">c</td><td>d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr></table>',
      "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |",
    ],
    ["a pixel that counts readers", 'a<img src="https://a.example/b.gif" width="1" height="1" alt="">', "a"],
    [
      "a signature of Thunderbird",
      '<p>a</p><pre class="moz-signature" cols="72">-- \nb\n\nc</pre>',
      "a\n\n\\--  \nb\n\nc",
    ],
    [
      "a list of Word",
      `<p class="MsoListParagraph" style="text-indent:-18pt;mso-list:l0 level1 lfo1"><![if !supportLists]><span style="mso-list:Ignore">1.<span>&nbsp;</span></span><![endif]>a<o:p></o:p></p><p style="mso-list:l0 level2 lfo1"><span style='mso-list:Ignore'>·</span>b</p><p style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">2.</span>c</p><p>d</p><p style="mso-list:l1 level1 lfo2"><span style="mso-list:Ignore">·</span>e</p>`,
      "1. a\n   - b\n2. c\n\nd\n\n- e",
    ],
    ["invisible characters", "Donau&shy;dampf&#8203;schiff&#65279;", "Donaudampfschiff"],
    [
      "a table for layout",
      "<table><tr><td><table><tr><td>a</td></tr></table></td><td><h1>b</h1></td></tr></table>",
      "a\n\n# b",
    ],
    ["an image", '<img src="https://a.example/b.png" alt="c [d]">', "![c \\[d\\]](https://a.example/b.png)"],
    [
      "an image inside a link",
      '<a href="https://a.example"><img src="https://a.example/b.png" alt="c"></a>',
      "[![c](https://a.example/b.png)](https://a.example)",
    ],
    ["an image in the mail itself", '<img src="cid:1" alt="logo"><img src="data:image/png;base64,AA">', "logo"],
    [
      "an image of an emoji",
      '<img alt="😀" src="https://a.example/1.png" itemtype="http://schema.skype.com/Emoji">',
      "😀",
    ],
    [
      "an emoji of Teams",
      '<p>I am looking&nbsp;<emoji id="1f440_eyes" alt="👀" title="Eyes"></emoji>...</p>',
      "I am looking 👀...",
    ],
    ["a mention of Teams", 'Hello World <at id="0">Jane Smith</at>, hi', "Hello World @Jane Smith, hi"],
    [
      "a mention of Asana",
      '<body><a href="https://app.asana.com/0/1" data-asana-gid="1" data-asana-type="user">@Jane</a> and <a data-asana-gid="2" data-asana-type="user">Joe</a></body>',
      "@Jane and @Joe",
    ],
    ["an empty mention of Asana", '<body><a data-asana-gid="1" data-asana-type="user"/> made it</body>', "@1 made it"],
    [
      "a task of Asana",
      '<body><a href="https://app.asana.com/0/0/1" data-asana-gid="1" data-asana-type="task">Task</a></body>',
      "[Task](https://app.asana.com/0/0/1)",
    ],
    [
      "line ends in a document of Asana",
      "<body>a\nb\n\n<strong>c</strong>\n<ul><li>d</li></ul></body>",
      "a  \nb\n\n**c**\n\n- d",
    ],
    [
      "a mention of monday",
      'hi <a class="user_mention_editor router" href="https://a.monday.com/users/8-ana" data-mention-type="User" data-mention-id="8">@Ana Lima</a>!',
      "hi @Ana Lima!",
    ],
    [
      "hidden text",
      '<div style="color:#fff; DISPLAY : none !important">preheader</div><p>a<span style="visibility:hidden">b</span></p><p hidden>c</p><div style="max-height:0px;overflow:hidden">d</div><p style="max-height:0.5em;overflow:hidden;list-style-display:none">e</p>',
      "a\n\ne",
    ],
    [
      "an emoji of a team",
      'a <customemoji id="dGVz" alt="parrot" source="https://a.example"></customemoji> b',
      "a :parrot: b",
    ],
    ["an attachment of Teams", '<attachment id="1727881360458"></attachment>', null],
    ["an empty element", "<p>&nbsp;</p><div><br></div>", null],
    [
      "scripts, styles and comments",
      "<style>a{}</style><script>b()</script><!-- c --><head><title>d</title></head>e<template>f</template>",
      "e",
    ],
    ["entities", "&lt;b&gt; &amp;amp; &copy; &#128512; &nope; &quot;", '\\<b> \\&amp; © 😀 \\&nope; "'],
    [
      "text that looks like Markdown",
      "<p># a</p><p>- b *c* _d_ `e` [f](g)</p><p>1. h</p>",
      "\\# a\n\n\\- b \\*c\\* \\_d\\_ \\`e\\` [f\\](g)\n\n1\\. h",
    ],
    ["right-to-left text", '<p dir="rtl">שלום <b>עולם</b></p>', "שלום **עולם**"],
    ["unclosed tags", "<div><b>a <i>b<ul><li>c", "**a _b_**\n\n- **_c_**"],
    ["a tag that does not end", "a <b", "a"],
    ["end tags without a start", "a</b></div></p>b</li>", "a\n\nb"],
    ["items without a list and cells without a table", "<li>a</li><td>b</td>", "a\n\nb"],
    ["a ruby, a label and a button", "<label>a</label> <button>b</button> <span>c</span>", "a b c"],
  ])("HTML with %s becomes Markdown", (_, html, expected) => {
    expect(htmlToMarkdown(html)).toBe(expected);
  });

  test("a mention without a text gets the name that is known for its id, or else the id", () => {
    const html = '<at id="0"></at> <at id="1"></at>';
    expect(htmlToMarkdown(html, { mentions: (id) => (id === "0" ? "Jane" : undefined) })).toBe("@Jane @1");
  });

  test("line ends count if the caller says so", () => {
    expect(htmlToMarkdown("a\nb")).toBe("a b");
    expect(htmlToMarkdown("a\nb", { keepsLineEnds: true })).toBe("a  \nb");
    expect(htmlToMarkdown("<body>a\nb</body>", { keepsLineEnds: false })).toBe("a b");
  });

  test.each([null, undefined, "", " \n "])("blank HTML is null: %j", (blank) => {
    expect(htmlToMarkdown(blank)).toBeNull();
  });

  test("lists are nested 16 levels deep and no deeper", () => {
    const markdown = htmlToMarkdown(`${"<ul><li>a".repeat(40)}`)!;
    expect(markdown.split("\n").filter((line) => line.includes("- "))).toHaveLength(16);
    expect(markdown.match(/a/g)).toHaveLength(40);
  });
});
