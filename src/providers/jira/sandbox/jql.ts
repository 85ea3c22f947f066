import { type SandboxIssue, type SandboxProject, UTC_OFFSET } from "./data.ts";

type Test = (issue: SandboxIssue) => boolean;

/** JQL reads a time in the time zone of the user's profile. */
const readTime = (value: string): number => Date.parse(`${value.replace(" ", "T")}${UTC_OFFSET}`);

/** The few JQL clauses that the sandbox supports, or why one cannot be read. */
function readClause(clause: string, projects: SandboxProject[]): Test | string {
  const unsupported = `Error in the JQL Query: the sandbox does not support '${clause.trim()}'.`;
  const [, name = "", operator = "", quoted = ""] =
    /^(\w+)\s*(=|!=|>=|<=|is not|is)\s*(.+)$/i.exec(clause.trim()) ?? [];
  const value = quoted.replace(/^(["'])(.*)\1$/, "$2").replace(/\\(.)/g, "$1");
  const isNot = operator === "!=" || /^is not$/i.test(operator);
  const field = name.toLowerCase();
  switch (field) {
    case "project": {
      if (/^is( not)?$/i.test(operator)) return /^empty$/i.test(value) ? () => isNot : unsupported;
      const project = projects.find(({ id, key, name }) => [id, key, name].includes(value));
      if (!project) return `The value '${value}' does not exist for the field 'project'.`;
      return ({ fields }) => (fields.project.id === project.id) !== isNot;
    }
    case "status":
      return ({ fields }) => (fields.status.name.toLowerCase() === value.toLowerCase()) !== isNot;
    case "created":
    case "updated": {
      const at = readTime(value);
      if (Number.isNaN(at)) return `Date value '${value}' for field '${field}' is invalid.`;
      return ({ fields }) => (operator === ">=" ? Date.parse(fields[field]) >= at : Date.parse(fields[field]) <= at);
    }
    default:
      return unsupported;
  }
}

/** The issues that match, newest first unless the search says otherwise; or the message of an error. */
export function search(jql: string, issues: SandboxIssue[], projects: SandboxProject[]): SandboxIssue[] | string {
  const [, where = "", order = ""] = /^(.*?)(?:\border by\b(.*))?$/i.exec(jql.trim()) ?? [];
  // https://developer.atlassian.com/changelog/#CHANGE-2046
  if (where.trim() === "")
    return "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.";
  const tests: Test[] = [];
  for (const clause of where.split(/\band\b/i)) {
    const test = readClause(clause, projects);
    if (typeof test === "string") return test;
    tests.push(test);
  }
  const found = issues.filter((issue) => tests.every((test) => test(issue)));
  return /^\s*(created|updated|key)\s+asc/i.test(order) ? found : found.reverse();
}
