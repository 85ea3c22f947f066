import { hasWords, refuse } from "../../../emulator-kit/index.ts";
import { me, PEOPLE, type SandboxIssue, type State, UTC_OFFSET } from "./data.ts";
import { errorReply } from "./errors.ts";

type Test = (issue: SandboxIssue) => boolean;

const CATEGORIES: Record<string, string> = { new: "To Do", indeterminate: "In Progress", done: "Done" };
const categoryOf = ({ fields }: SandboxIssue) => CATEGORIES[fields.status.statusCategory.key] ?? "No Category";

/** What would not be taken for text. The sandbox has only searches for plain text. */
const OPERATORS = /(?<!\\)(?:\\\\)*[-+&|!(){}[\]^~*?/:"]|\b(?:AND|OR|NOT)\b/;

/** Where clauses end: not inside of a text. */
const AND = /\s+and\s+(?=(?:[^"]|"(?:[^"\\]|\\.)*")*$)/i;

/** The few clauses of JQL that the sandbox supports, with what is compared. */
const CLAUSES: [clause: RegExp, test: (value: string, state: State) => Test][] = [
  [/^project is not empty$/i, () => () => true],
  [
    /^project\s*=\s*(.+)$/i,
    (value, { projects }) => {
      const project = projects.find(({ id, key, name }) => [id, key, name].includes(value));
      if (!project) refuse(errorReply(400, `The value '${value}' does not exist for the field 'project'.`));
      return ({ fields }) => fields.project.id === project?.id;
    },
  ],
  [
    /^status\s*=\s*(.+)$/i,
    (value) =>
      ({ fields }) =>
        fields.status.name.toLowerCase() === value.toLowerCase(),
  ],
  [/^statusCategory\s*=\s*(.+)$/i, (value) => (issue) => categoryOf(issue) === value],
  [
    /^statusCategory not in \("In Progress", Done\)$/,
    () => (issue) => !["In Progress", "Done"].includes(categoryOf(issue)),
  ],
  [
    /^assignee\s*=\s*(.+)$/i,
    (value) => {
      if (![...PEOPLE, me].some(({ accountId }) => accountId === value))
        refuse(errorReply(400, `The value '${value}' does not exist for the field 'assignee'.`));
      return ({ fields }) => fields.assignee?.accountId === value;
    },
  ],
  [
    /^text\s*~\s*(.+)$/i,
    (value) => {
      if (OPERATORS.test(value)) refuse(errorReply(400, `The text query '${value}' for field 'text' is not valid.`));
      return ({ fields }) => hasWords(value, fields.summary, JSON.stringify(fields.description));
    },
  ],
  [
    /^updated\s*>=\s*(.+)$/i,
    (value) => {
      // In the time zone of the user's profile.
      const since = Date.parse(`${value.replace(" ", "T")}${UTC_OFFSET}`);
      if (Number.isNaN(since)) refuse(errorReply(400, `Date value '${value}' for field 'updated' is invalid.`));
      return ({ fields }) => Date.parse(fields.updated) >= since;
    },
  ],
];

function readClause(clause: string, state: State): Test {
  for (const [expression, test] of CLAUSES) {
    const [found, quoted = ""] = expression.exec(clause) ?? [];
    if (found) return test(quoted.replace(/^(["'])(.*)\1$/, "$2").replace(/\\(.)/g, "$1"), state);
  }
  return refuse(errorReply(400, `Error in the JQL Query: the sandbox does not support '${clause}'.`));
}

/** The issues that match, newest first unless the search says otherwise. */
export function search(jql: string, state: State): SandboxIssue[] {
  const [, where = "", order = ""] = /^(.*?)(?:\border by\b(.*))?$/i.exec(jql.trim()) ?? [];
  // https://developer.atlassian.com/changelog/#CHANGE-2046
  if (where.trim() === "")
    refuse(
      errorReply(400, "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."),
    );
  const tests = where.split(AND).map((clause) => readClause(clause.trim(), state));
  const found = state.issues.filter((issue) => tests.every((test) => test(issue)));
  return /\basc\b/i.test(order) ? found : found.reverse();
}
