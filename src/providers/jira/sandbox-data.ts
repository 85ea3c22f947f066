// Shapes as the real API sends them:
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";
import type { AdfNode } from "./adf.ts";

export const CLOUD_ID = "1324a887-45db-4bf4-8e99-ef0ff456d421";
export const SITE = "sandbox";
export const SITE_URL = `https://${SITE}.atlassian.net`;
export const SCOPES = ["read:jira-work", "read:jira-user"];
const COUNT = 310;

const user = (accountId: string, displayName: string, active = true) => ({
  self: `${SITE_URL}/rest/api/3/user?accountId=${accountId}`,
  accountId,
  accountType: "atlassian",
  avatarUrls: Object.fromEntries(
    ["48x48", "24x24", "16x16", "32x32"].map((size) => [size, `https://avatar.example.com/${accountId}/${size}.png`]),
  ),
  displayName,
  active,
  timeZone: "Europe/Berlin",
});

export const me = {
  ...user("5b10a2844c20165700ede21g", "Sandbox"),
  emailAddress: "sandbox@example.com",
  locale: "en_GB",
  groups: { size: 1, items: [] },
  applicationRoles: { size: 1, items: [] },
  expand: "groups,applicationRoles",
};
const PEOPLE = [
  user("5b10ac8d82e05b22cc7d4ef5", "Zoë Müller"),
  user("60e5a86a471e61006a4c51fd", "山田 太郎"),
  user("70121:d3a3a2a7-9a7e-4c1e-8f5e-0d4c6f1f2f63", "Former user", false),
];

const STATUSES = [
  { id: "10000", name: "To Do", category: { id: 2, key: "new", colorName: "blue-gray", name: "To Do" } },
  {
    id: "10001",
    name: "In Prüfung",
    category: { id: 4, key: "indeterminate", colorName: "yellow", name: "In Progress" },
  },
  { id: "10002", name: "完了", category: { id: 3, key: "done", colorName: "green", name: "Done" } },
].map(({ id, name, category }) => ({
  self: `${SITE_URL}/rest/api/3/status/${id}`,
  description: "",
  iconUrl: `${SITE_URL}/images/icons/statuses/generic.png`,
  name,
  id,
  statusCategory: { self: `${SITE_URL}/rest/api/3/statuscategory/${category.id}`, ...category },
}));

const PROJECTS = [
  ["10000", "SAND", "Sandbox"],
  ["10001", "ÄÖ2", "Grüße"],
].map(([id, key, name]) => ({
  self: `${SITE_URL}/rest/api/3/project/${id}`,
  id: id!,
  key: key!,
  name: name!,
  projectTypeKey: "software",
  simplified: false,
}));

const text = (value: string, ...marks: { type: string; attrs?: object }[]) => ({
  type: "text",
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const document = (...content: object[]) => ({ type: "doc", version: 1, content });

const DESCRIPTIONS: (object | null)[] = [
  null,
  document(paragraph(text("Steps to reproduce:")), {
    type: "orderedList",
    attrs: { order: 1 },
    content: [
      { type: "listItem", content: [paragraph(text("Open the page"))] },
      { type: "listItem", content: [paragraph(text("Press "), text("Save", { type: "strong" }))] },
    ],
  }),
  document(
    { type: "heading", attrs: { level: 2 }, content: [text("日本語の見出し")] },
    paragraph(
      { type: "mention", attrs: { id: PEOPLE[0]!.accountId, text: "@Zoë Müller", accessLevel: "" } },
      text(" please look"),
      { type: "hardBreak" },
      { type: "emoji", attrs: { shortName: ":rainbow_flag:", id: "1f3f3", text: "🏳️‍🌈" } },
    ),
    { type: "codeBlock", attrs: { language: "sql" }, content: [text("SELECT 1;\nSELECT 2;")] },
  ),
  document(),
  document(
    {
      type: "table",
      attrs: { isNumberColumnEnabled: false, layout: "default" },
      content: [
        {
          type: "tableRow",
          content: ["Browser", "Result"].map((name) => ({
            type: "tableHeader",
            attrs: {},
            content: [paragraph(text(name))],
          })),
        },
        {
          type: "tableRow",
          content: ["Firefox", "مرحبا"].map((name) => ({
            type: "tableCell",
            attrs: {},
            content: [paragraph(text(name))],
          })),
        },
      ],
    },
    paragraph(text("see "), text("the guide", { type: "link", attrs: { href: "https://example.com/guide" } })),
  ),
];

/** Jira writes time zone offsets without a colon. */
const jiraTime = (date: Date) => {
  const local = new Date(date.getTime() + 2 * 3_600_000);
  return local.toISOString().replace("Z", "+0200");
};

function issue(index: number, random: ReturnType<typeof seeded>) {
  const project = PROJECTS[index % 7 === 3 ? 1 : 0]!;
  const id = String(10_000 + index * 3);
  const key = `${project.key}-${index + 1}`;
  const summary = index % 9 === 4 ? awkwardTexts[index % awkwardTexts.length]! : `Issue ${index + 1}`;
  const assignee = index % 4 === 0 ? null : random.pick(PEOPLE);
  return {
    expand: "operations,versionedRepresentations,editmeta,changelog,renderedFields",
    id,
    self: `${SITE_URL}/rest/api/3/issue/${id}`,
    key,
    fields: {
      summary: summary.replace(/\s+/g, " "),
      status: STATUSES[index % STATUSES.length]!,
      description: DESCRIPTIONS[index % DESCRIPTIONS.length] as AdfNode | null,
      created: jiraTime(hour(index)),
      updated: jiraTime(hour(index + 500)),
      project,
      issuetype: { self: `${SITE_URL}/rest/api/3/issuetype/10002`, id: "10002", name: "Task", subtask: false },
      priority: index % 5 === 0 ? null : { self: `${SITE_URL}/rest/api/3/priority/3`, id: "3", name: "Medium" },
      assignee,
      reporter: me,
      labels: index % 6 === 0 ? ["sandbox", "grüße"] : [],
      resolution: null,
    },
  };
}
export type SandboxIssue = ReturnType<typeof issue>;

/** Issues in order of creation. */
export function makeState() {
  const random = seeded(7);
  return { issues: times(COUNT, (index) => issue(index, random)) };
}
export type State = ReturnType<typeof makeState>;

/** An issue with the requested fields; only its id if none are requested. */
export function selectFields(issue: SandboxIssue, requested: string[]) {
  if (requested.length === 0 || (requested.length === 1 && requested[0] === "id")) return { id: issue.id };
  const all = requested.includes("*all") || requested.includes("*navigable");
  const fields = Object.entries(issue.fields).filter(
    ([name]) => (all || requested.includes(name)) && !requested.includes(`-${name}`),
  );
  return { ...issue, fields: Object.fromEntries(fields) };
}
