// Shapes as the real API sends them:
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

export const CLOUD_ID = "1324a887-45db-4bf4-8e99-ef0ff456d421";
export const SITE = "sandbox";
export const SITE_URL = `https://${SITE}.atlassian.net`;
export const SCOPES = ["read:jira-work", "write:jira-work", "read:jira-user"];
const COUNT = 310;
/** Of the user's time zone, as Jira writes it: without a colon. */
export const UTC_OFFSET = "+0200";

const avatars = (of: string) =>
  Object.fromEntries(
    ["48x48", "24x24", "16x16", "32x32"].map((size) => [size, `https://avatar.example.com/${of}/${size}.png`]),
  );

const user = (accountId: string, displayName: string, active = true) => ({
  self: `${SITE_URL}/rest/api/3/user?accountId=${accountId}`,
  accountId,
  accountType: "atlassian",
  avatarUrls: avatars(accountId),
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
export const PEOPLE = [
  user("5b10ac8d82e05b22cc7d4ef5", "Zoë Müller"),
  user("60e5a86a471e61006a4c51fd", "山田 太郎"),
  user("70121:d3a3a2a7-9a7e-4c1e-8f5e-0d4c6f1f2f63", "Former user", false),
];
/** Apps comment as well. */
const APP = { ...user("557058:f58131cb-b67d-43c7-b30d-6b58d40bd077", "Automation für Jira"), accountType: "app" };

/** The keys of the categories are fixed, whatever a status is called. */
export const STATUSES = [
  { id: "10000", name: "To Do", category: { id: 2, key: "new", colorName: "blue-gray", name: "To Do" } },
  {
    id: "10001",
    name: "In Prüfung",
    category: { id: 4, key: "indeterminate", colorName: "yellow", name: "In Progress" },
  },
  { id: "10002", name: "完了", category: { id: 3, key: "done", colorName: "green", name: "Done" } },
  {
    id: "10003",
    name: "Ohne Kategorie",
    category: { id: 1, key: "undefined", colorName: "medium-gray", name: "No Category" },
  },
].map(({ id, name, category }) => ({
  self: `${SITE_URL}/rest/api/3/status/${id}`,
  description: "",
  iconUrl: `${SITE_URL}/images/icons/statuses/generic.png`,
  name,
  id,
  statusCategory: { self: `${SITE_URL}/rest/api/3/statuscategory/${category.id}`, ...category },
}));

export const ISSUE_TYPES = [
  { id: "10001", name: "Epic", hierarchyLevel: 1 },
  { id: "10004", name: "Fehler", hierarchyLevel: 0 },
  { id: "10002", name: "Task", hierarchyLevel: 0 },
  { id: "10003", name: "Sub-task", hierarchyLevel: -1 },
].map((type) => ({
  self: `${SITE_URL}/rest/api/3/issuetype/${type.id}`,
  ...type,
  description: "",
  subtask: type.hierarchyLevel < 0,
}));
const [, , TASK, SUB_TASK] = ISSUE_TYPES as [IssueType, IssueType, IssueType, IssueType];
export type IssueType = (typeof ISSUE_TYPES)[number];

export const PRIORITIES = [
  { id: "2", name: "Höchste" },
  { id: "3", name: "Medium" },
].map((priority) => ({ self: `${SITE_URL}/rest/api/3/priority/${priority.id}`, ...priority }));

/** In the order of their keys. The first has most of the issues, the last one none. */
const PROJECTS = [
  { id: "10000", key: "SAND", name: "Sandbox", description: "Everything in\r\nthe *sandbox*" },
  { id: "10001", key: "TEAM", name: "Grüße", description: "" },
  { id: "10002", key: "TWO", name: "日本語のプロジェクト", description: "1. <b>not</b> a list" },
  { id: "10003", key: "ZERO", name: "مشروع فارغ", description: "" },
].map(({ id, key, ...project }) => ({
  self: `${SITE_URL}/rest/api/3/project/${id}`,
  id,
  key,
  ...project,
  avatarUrls: avatars(key),
  projectTypeKey: "software",
  simplified: false,
  style: "classic",
  isPrivate: false,
}));

/** A project as issues contain it. */
export const reference = ({
  self,
  id,
  key,
  name,
  projectTypeKey,
  simplified,
  avatarUrls,
}: (typeof PROJECTS)[number]) => ({
  self,
  id,
  key,
  name,
  projectTypeKey,
  simplified,
  avatarUrls,
});

export const text = (value: string, ...marks: { type: string; attrs?: object }[]) => ({
  type: "text",
  text: value,
  ...(marks.length > 0 ? { marks } : {}),
});
export const paragraph = (...content: object[]) => ({ type: "paragraph", content });
export const document = (...content: object[]) => ({ type: "doc", version: 1, content });

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

export const jiraTime = (date: Date) => {
  const local = new Date(date.getTime() + (Number(UTC_OFFSET) / 100) * 3_600_000);
  return local.toISOString().replace("Z", UTC_OFFSET);
};

export const DONE = { self: `${SITE_URL}/rest/api/3/resolution/10000`, id: "10000", name: "Done" };

const issueId = (index: number) => String(10_000 + index * 3);

const projectOf = (index: number) => PROJECTS[Math.max(0, (index % 9) - 6)]!;
const issueKey = (index: number) => `${projectOf(index).key}-${index + 1}`;

function issue(index: number, random: ReturnType<typeof seeded>) {
  const id = issueId(index);
  const key = issueKey(index);
  const summary = index % 9 === 4 ? awkwardTexts[index % awkwardTexts.length]! : `Issue ${index + 1}`;
  const assignee = index % 4 === 0 ? null : random.pick(PEOPLE);
  const status = STATUSES[index % STATUSES.length]!;
  const isDone = status.statusCategory.key === "done";
  // Sub-tasks belong to the issue before them.
  const parent = index % 8 === 7 ? { id: issueId(index - 1), key: issueKey(index - 1) } : undefined;
  return {
    expand: "operations,versionedRepresentations,editmeta,changelog,renderedFields",
    id,
    self: `${SITE_URL}/rest/api/3/issue/${id}`,
    key,
    fields: {
      summary: summary.replace(/\s+/g, " "),
      status,
      description: DESCRIPTIONS[index % DESCRIPTIONS.length] as object | null,
      created: jiraTime(hour(index)),
      updated: jiraTime(hour(500 + ((index * 37) % COUNT))),
      project: reference(projectOf(index)),
      issuetype: parent ? SUB_TASK : TASK,
      priority: index % 5 === 0 ? null : PRIORITIES[index % 5 === 1 ? 0 : 1]!,
      assignee: assignee as (typeof PEOPLE)[number] | null,
      reporter: me,
      labels: index % 6 === 0 ? ["sandbox", "grüße"] : [],
      duedate:
        index % 3 === 0
          ? hour(index + 700)
              .toISOString()
              .slice(0, 10)
          : null,
      // Left out where there is none, unlike other fields.
      ...(parent ? { parent: { ...parent, self: `${SITE_URL}/rest/api/3/issue/${parent.id}` } } : {}),
      resolution: isDone ? DONE : null,
      resolutiondate: isDone ? jiraTime(hour(index + 400)) : null,
    },
  };
}
export type SandboxIssue = ReturnType<typeof issue>;
export type SandboxProject = (typeof PROJECTS)[number];

const COMMENTS_ON_NEWEST = 230;

/** The newest issue, which is listed first, has many comments, and others have few or none. */
const commentCount = (index: number) => (index === COUNT - 1 ? COMMENTS_ON_NEWEST : index % 4);

function comment(issueIndex: number, index: number) {
  const id = String(20_000 + issueIndex * 1000 + index);
  const author = index % 5 === 4 ? APP : PEOPLE[index % PEOPLE.length]!;
  return {
    self: `${SITE_URL}/rest/api/3/issue/${issueId(issueIndex)}/comment/${id}`,
    id,
    author,
    body:
      DESCRIPTIONS[index % DESCRIPTIONS.length] ??
      document(paragraph(text(awkwardTexts[index % awkwardTexts.length]!))),
    updateAuthor: author,
    created: jiraTime(hour(issueIndex + index)),
    updated: jiraTime(hour(issueIndex + index + 1)),
    jsdPublic: true,
  };
}

/** Issues in order of creation. */
export function makeState() {
  const random = seeded(7);
  const comments = times(COUNT, (issueIndex) => times(commentCount(issueIndex), (index) => comment(issueIndex, index)));
  return {
    issues: times(COUNT, (index) => issue(index, random)),
    // Copies, because projects can be changed.
    projects: PROJECTS.map((project) => ({ ...project })),
    /** By the ID of their issue. */
    comments: Object.fromEntries(comments.map((found, index) => [issueId(index), found])),
  };
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
