import { describe, expect, test } from "vitest";
import { mrkdwnToMarkdown } from "./from-mrkdwn.ts";

describe("Slack's markup to Markdown", () => {
  test.each<[string, string, string | null]>([
    ["marks", "*b* _i_ ~s~ `c`", "**b** _i_ ~~s~~ `c`"],
    ["marks in marks", "*a _b ~c~_*", "**a _b ~~c~~_**"],
    ["marks next to punctuation", '("*a*"), _b_!', '("**a**"), _b_!'],
    ["signs that are no marks", "snake_case 2*3*4 a * b * c ~5 *a", "snake_case 2\\*3\\*4 a * b * c ~5 \\*a"],
    ["marks over two lines", "*a\nb*", "\\*a  \nb\\*"],
    ["marks with an invisible space", "un\u200b*believ*\u200bable", "un**believ**able"],
    ["marks in code", "`*a* <b> &amp; :tada:`", "`*a* <b> & :tada:`"],
    ["a link", "<https://a.example/x?a=1&amp;b=2|link> &amp; 5 &lt; 6", "[link](https://a.example/x?a=1&b=2) & 5 < 6"],
    ["doubled marks, which are text", "__init__ **a** ~~b~~", "\\_\\_init\\_\\_ \\*\\*a\\*\\* \\~\\~b\\~\\~"],
    ["a bold link", "*<https://a.example|a>*", "**[a](https://a.example)**"],
    ["an address", "see <https://a.example/b> now", "see <https://a.example/b> now"],
    ["an address with its own label", "<http://a.example|a.example>", "[a.example](http://a.example)"],
    ["a mail address", "<mailto:me@a.example|me@a.example> <mailto:me@a.example>", "<me@a.example> <me@a.example>"],
    ["a label with markup", "<https://a.example|*a* [b]>", "[\\*a\\* \\[b\\]](https://a.example)"],
    ["links of other kinds", "<javascript:alert(1)|a> <tel:+1555|555> <b|c>", "a 555 \\<b|c>"],
    ["marks of which the later ones count", "~$5, was ~$10~ now", "~$5, was ~~$10~~ now"],
    ["faces", "¯\\_(ツ)_/¯ (^_^) ( *_* )", "¯\\\\\\_(ツ)\\_/¯ (^\\_^) ( \\*\\_\\* )"],
    ["backticks that are no code", "``a`` ` ` `b`", "\\`\\`a\\`\\` \\` \\` `b`"],
    ["a mention with a name", "<@U0003|dizquierdo> commented", "@dizquierdo commented"],
    ["a mention without a name", "<@U0AH6N4H6MA> has joined", "@U0AH6N4H6MA has joined"],
    ["channels", "<#C1|general> <#C2> <#C3|>", "#general #C2 #C3"],
    ["a channel at the start", "<#C1|general>", "#general"],
    ["mentions of everyone", "<!here> <!channel> <!everyone|everyone>", "@here @channel @everyone"],
    ["a group", "<!subteam^S1|@oncall> <!subteam^S2>", "@oncall @S2"],
    [
      "dates",
      "<!date^1392734382^{date}^https://a.example|Feb 18> <!date^1392734382^{date}>",
      "Feb 18 2014-02-18T14:39:42.000Z",
    ],
    ["entities", "&amp;amp; &lt;b&gt; &copy;", "\\&amp; \\<b> \\&copy;"],
    ["emoji", ":tada: :+1: :wave::skin-tone-3: :party_parrot: :flag-de: a:b:c", "🎉 👍 👋🏼 :party_parrot: 🇩🇪 a:b:c"],
    [
      "emoji with underscores, in marks and next to them",
      ":white_check_mark: _:heart_eyes: so_ *a*:stuck_out_tongue: :my_own_emoji: _b_",
      "✅ _😍 so_ **a**😛 :my_own_emoji: _b_",
    ],
    [
      "times and addresses with colons",
      "at 10:30:45 <https://a.example:80/b|c>",
      "at 10:30:45 [c](https://a.example:80/b)",
    ],
    ["a quote", "&gt; a\n&gt; *b*\nc", "> a  \n> **b**\n\nc"],
    ["a quote in a quote", "&gt; a\n&gt; &gt; b", "> a\n>\n> > b"],
    ["a quote to the end", "a\n&gt;&gt;&gt; b\n\nc", "a\n\n> b\n>\n> c"],
    ["a code block", "a\n```\nif (a &lt; b) {\n  *c*\n}\n```\nd", "a\n\n```\nif (a < b) {\n  *c*\n}\n```\n\nd"],
    ["a code block in a line", "a ```b``` c", "a\n\n```\nb\n```\n\nc"],
    ["a code block that does not end", "```a\n*b*", "\\`\\`\\`a  \n**b**"],
    ["a list", "• a\n• *b*\nc", "- a\n- **b**\n\nc"],
    ["nested lists", "1. a\n    ◦ b\n        ▪ c\n2. d", "1. a\n   - b\n     - c\n2. d"],
    ["third-level bullets", "• a\n    ◦ b\n        ▪︎ c\n        ▪︎ d", "- a\n  - b\n    - c\n    - d"],
    ["a bulleted and a numbered list", "• a\n01. b\n02. c", "- a\n\n1. b\n2. c"],
    ["numbers that do not go on", "1. a\n1. b\n5. c", "1. a\n\n1\\. b\n\n5. c"],
    ["tasks", "• ☑ a\n• ☐ b", "- [x] a\n- [ ] b"],
    ["line breaks", "a\r\nb\n\n\nc", "a  \nb\n\nc"],
    ["text that looks like Markdown", "# a\n[b](c)\n| d |\n--- ", "\\# a  \n[b\\](c)  \n| d |  \n\\---"],
    ["right-to-left text", "*שלום* <https://a.example|עולם>", "**שלום** [עולם](https://a.example)"],
    ["angle brackets that are not closed", "<@U1 <https://a.example", "<@U1 \\<https://a.example"],
    ["only a bracket", "<>", "<>"],
  ])("Slack's markup with %s becomes Markdown", (_, mrkdwn, expected) => {
    expect(mrkdwnToMarkdown(mrkdwn)).toBe(expected);
  });

  test("ids get the names that the caller knows, and names in the text go first", () => {
    const names = {
      userName: (id: string) => ({ U1: "Jane" })[id],
      channelName: (id: string) => ({ C1: "general" })[id],
    };
    expect(mrkdwnToMarkdown("<@U1> <@U2> <@U1|joe> <#C1> <#C2>", names)).toBe("@Jane @U2 @joe #general #C2");
  });

  test.each([null, undefined, "", " \n "])("blank markup is null: %j", (blank) => {
    expect(mrkdwnToMarkdown(blank)).toBeNull();
  });
});
