// Shapes as the real API sends them:
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
import { awkwardTexts, hour, seeded, times, toDay } from "../../../emulator-kit/index.ts";
import { noValues, ownValues } from "./fields.ts";

export const CLOUD_ID = "1324a887-45db-4bf4-8e99-ef0ff456d421";
export const SITE = "sandbox";
export const SITE_URL = `https://${SITE}.atlassian.net`;
export const SCOPES = ["read:jira-work", "write:jira-work", "read:jira-user"];
const COUNT = 310;
/** Of the user's time zone, as Jira writes it: without a colon. */
export const UTC_OFFSET = "+0200";

/** The address of something in the API. */
export const selfOf = (path: string) => `${SITE_URL}/rest/api/3/${path}`;

const user = (accountId: string, displayName: string, active = true) => ({
  self: selfOf(`user?accountId=${accountId}`),
  accountId,
  accountType: "atlassian",
  avatarUrls: { "48x48": `https://avatar.example.com/${accountId}/48x48.png` },
  displayName,
  active,
});
type User = ReturnType<typeof user>;

export const me = user("5b10a2844c20165700ede21g", "Sandbox");
export const PEOPLE = [
  user("5b10ac8d82e05b22cc7d4ef5", "Zoë Müller"),
  user("60e5a86a471e61006a4c51fd", "山田 太郎"),
  user("70121:d3a3a2a7-9a7e-4c1e-8f5e-0d4c6f1f2f63", "Former user", false),
];
/** Apps comment as well. */
const APP = { ...user("557058:f58131cb-b67d-43c7-b30d-6b58d40bd077", "Automation für Jira"), accountType: "app" };

/** The keys of the categories are fixed, whatever a status is called. */
const status = (id: string, name: string, key: string) => ({
  self: selfOf(`status/${id}`),
  iconUrl: `${SITE_URL}/images/icons/statuses/generic.png`,
  name,
  id,
  statusCategory: { key },
});
export const STATUSES = [
  status("10000", "To Do", "new"),
  status("10001", "In Prüfung", "indeterminate"),
  status("10002", "完了", "done"),
  status("10003", "Ohne Kategorie", "undefined"),
];

const issueType = (id: string, name: string, hierarchyLevel: number) => ({
  self: selfOf(`issuetype/${id}`),
  id,
  name,
  hierarchyLevel,
  subtask: hierarchyLevel < 0,
});
export type IssueType = ReturnType<typeof issueType>;
const TASK = issueType("10002", "Task", 0);
const SUB_TASK = issueType("10003", "Sub-task", -1);
export const ISSUE_TYPES = [issueType("10001", "Epic", 1), issueType("10004", "Fehler", 0), TASK, SUB_TASK];

const priority = (id: string, name: string) => ({ self: selfOf(`priority/${id}`), id, name });
export const PRIORITIES = [priority("2", "Höchste"), priority("3", "Medium")];

const project = (id: string, key: string, name: string, description: string) => {
  return { self: selfOf(`project/${id}`), id, key, name, description };
};
export type SandboxProject = ReturnType<typeof project>;

/** In the order of their keys. The first has most of the issues, the last one none. */
const makeProjects = () => [
  project("10000", "SAND", "Sandbox", "Everything in\r\nthe *sandbox*"),
  project("10001", "TEAM", "Grüße", ""),
  project("10002", "TWO", "日本語のプロジェクト", "1. <b>not</b> a list"),
  project("10003", "ZERO", "مشروع فارغ", ""),
];

const text = (value: string, ...marks: { type: string; attrs?: object }[]) => ({
  type: "text",
  text: value,
  ...(marks.length > 0 && { marks }),
});
const node = (type: string, content: object[], attrs?: object) => ({ type, ...(attrs && { attrs }), content });
const paragraph = (...content: object[]) => node("paragraph", content);
const document = (...content: object[]): object => ({ type: "doc", version: 1, content });
const row = (type: string, ...cells: string[]) =>
  node(
    "tableRow",
    cells.map((cell) => node(type, [paragraph(text(cell))], {})),
  );
/** A document of one line. */
export const textDocument = (value: string) => document(paragraph(text(value)));

const DESCRIPTIONS: (object | null)[] = [
  null,
  document(
    paragraph(text("Steps to reproduce:")),
    node(
      "orderedList",
      [
        node("listItem", [paragraph(text("Open the page"))]),
        node("listItem", [paragraph(text("Press "), text("Save", { type: "strong" }))]),
      ],
      { order: 1 },
    ),
  ),
  document(
    node("heading", [text("日本語の見出し")], { level: 2 }),
    paragraph(
      { type: "mention", attrs: { id: PEOPLE[0]!.accountId, text: "@Zoë Müller", accessLevel: "" } },
      text(" please look"),
      { type: "hardBreak" },
      { type: "emoji", attrs: { shortName: ":rainbow_flag:", id: "1f3f3", text: "🏳️‍🌈" } },
    ),
    node("codeBlock", [text("SELECT 1;\nSELECT 2;")], { language: "sql" }),
  ),
  document(),
  document(
    node("table", [row("tableHeader", "Browser", "Result"), row("tableCell", "Firefox", "مرحبا")], {
      layout: "default",
    }),
    paragraph(text("see "), text("the guide", { type: "link", attrs: { href: "https://example.com/guide" } })),
  ),
];

export const jiraTime = (date: Date) => {
  const local = new Date(date.getTime() + (Number(UTC_OFFSET) / 100) * 3_600_000);
  return local.toISOString().replace("Z", UTC_OFFSET);
};

/** The fields of an issue without anything that somebody may set. */
export const blankFields = ({ description: _, ...project }: SandboxProject, issuetype: IssueType, created: string) => ({
  summary: "",
  status: STATUSES[0]!,
  description: null as object | null,
  created,
  updated: created,
  project,
  issuetype,
  priority: null as ReturnType<typeof priority> | null,
  assignee: null as User | null,
  labels: [] as string[],
  duedate: null as string | null,
  resolutiondate: null as string | null,
  ...noValues(),
});
/** The parent is left out where there is none, unlike other fields. */
type Fields = ReturnType<typeof blankFields> & { parent?: ReturnType<typeof reference> };

/** An issue as others name it. */
export const reference = (id: string, key: string) => ({ id, key, self: selfOf(`issue/${id}`) });
export const makeIssue = (id: string, key: string, fields: Fields) => ({ ...reference(id, key), fields });
export type SandboxIssue = ReturnType<typeof makeIssue>;

const issueId = (index: number) => String(10_000 + index * 3);

function issue(index: number, projects: SandboxProject[], random: ReturnType<typeof seeded>): SandboxIssue {
  const projectOf = (index: number) => projects[Math.max(0, (index % 9) - 6)]!;
  const key = (index: number) => `${projectOf(index).key}-${index + 1}`;
  const summary = index % 9 === 4 ? awkwardTexts[index % awkwardTexts.length]! : `Issue ${index + 1}`;
  const assignee = index % 4 === 0 ? null : random.pick([...PEOPLE, me]);
  const status = STATUSES[index % STATUSES.length]!;
  // Sub-tasks belong to the issue before them.
  const isPart = index % 8 === 7;
  return makeIssue(issueId(index), key(index), {
    ...blankFields(projectOf(index), isPart ? SUB_TASK : TASK, jiraTime(hour(index))),
    ...ownValues(index),
    summary: summary.replace(/\s+/g, " "),
    status,
    description: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
    updated: jiraTime(hour(500 + ((index * 37) % COUNT))),
    priority: index % 5 === 0 ? null : PRIORITIES[index % 5 === 1 ? 0 : 1]!,
    assignee,
    labels: index % 6 === 0 ? ["sandbox", "grüße"] : [],
    duedate: index % 3 === 0 ? toDay(hour(index + 700)) : null,
    ...(isPart && { parent: reference(issueId(index - 1), key(index - 1)) }),
    resolutiondate: status.statusCategory.key === "done" ? jiraTime(hour(index + 400)) : null,
  });
}

const COMMENTS_ON_NEWEST = 230;

/** The newest issue, which is listed first, has many comments, and others have few or none. */
const commentCount = (index: number) => (index === COUNT - 1 ? COMMENTS_ON_NEWEST : index % 4);

export const makeComment = (issueId: string, id: string, author: User, body: object, created: string) => ({
  self: selfOf(`issue/${issueId}/comment/${id}`),
  id,
  author,
  body,
  created,
  updated: created,
});

const comment = (issueIndex: number, index: number) =>
  makeComment(
    issueId(issueIndex),
    String(20_000 + issueIndex * 1000 + index),
    index % 5 === 4 ? APP : PEOPLE[index % PEOPLE.length]!,
    DESCRIPTIONS[index % DESCRIPTIONS.length] ?? textDocument(awkwardTexts[index % awkwardTexts.length]!),
    jiraTime(hour(issueIndex + index)),
  );

/** Issues in order of creation. */
export function makeState() {
  const random = seeded(7);
  const projects = makeProjects();
  return {
    issues: times(COUNT, (index) => issue(index, projects, random)),
    projects,
    /** By the ID of their issue. */
    comments: new Map(
      times(COUNT, (of) => [issueId(of), times(commentCount(of), (index) => comment(of, index))] as const),
    ),
  };
}
export type State = ReturnType<typeof makeState>;
