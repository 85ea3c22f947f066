import type { Upstream } from "../../contracts/upstream.ts";
import { graphql } from "../../provider-kit/request.ts";
import { utcDay } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";
import { GET_ISSUE_TEAM, GET_PROJECT_TEAMS, LIST_LABELS } from "./queries.ts";

// Only the fields that are read.
interface State {
  id: string;
  name: string;
}
interface Team {
  id: string;
  states: { nodes: State[] };
}
interface Label {
  id: string;
  name: string;
  /** A group of labels, which cannot be applied itself. */
  isGroup: boolean;
  /** Null if every team has it. */
  team: { id: string } | null;
}
interface Labels {
  data: { issueLabels: { nodes: Label[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } };
}

interface Given {
  title?: string;
  description?: string;
  project_id?: string;
  assignee_id?: string;
  priority?: string;
  due_at?: string;
  parent_id?: string;
}

/** Each priority's number is its position: https://linear.app/docs/priority */
const PRIORITIES = ["No priority", "Urgent", "High", "Medium", "Low"];

/** A UUID of version 4, as Linear requires it, from the digits of the write key. */
export const uuidOf = (writeKey: string): string =>
  writeKey.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");

/** What can be sent as it is given, whatever the team. */
export const issueFields = ({ title, description, project_id, assignee_id, priority, due_at, parent_id }: Given) => ({
  title,
  description,
  projectId: project_id,
  assigneeId: assignee_id,
  priority:
    priority === undefined ? undefined : PRIORITIES.indexOf(byName("priority", priority, PRIORITIES, (name) => name)),
  dueDate: utcDay(due_at),
  parentId: parent_id,
});

export async function teamsOfProject(id: string, upstream: Upstream): Promise<Team[]> {
  const { body } = await upstream<{ data: { project: { teams: { nodes: Team[] } } } }>(
    graphql(GET_PROJECT_TEAMS, { id }),
  );
  return body.data.project.teams.nodes;
}

export async function teamOfIssue(id: string, upstream: Upstream): Promise<Team> {
  const { body } = await upstream<{ data: { issue: { team: Team } } }>(graphql(GET_ISSUE_TEAM, { id }));
  return body.data.issue.team;
}

/** The first team, or the first one that has a state of this name. */
export function stateIn(teams: readonly Team[], status: string | undefined): { team: Team; stateId?: string } {
  if (status === undefined) return { team: teams[0]! };
  const states = teams.flatMap((team) => team.states.nodes.map((state) => ({ team, ...state })));
  const { team, id } = byName("status", status, states, ({ name }) => name);
  return { team, stateId: id };
}

/** The labels of the workspace and of the team, page by page: a workspace can have hundreds. */
export async function labelIds(
  names: readonly string[] | undefined,
  team: Team,
  upstream: Upstream,
): Promise<string[] | undefined> {
  if (!names?.length) return names && [];
  const labels: Label[] = [];
  let after: string | null = null;
  do {
    const { issueLabels }: Labels["data"] = (await upstream<Labels>(graphql(LIST_LABELS, { after }))).body.data;
    labels.push(...issueLabels.nodes.filter((label) => !label.isGroup && (!label.team || label.team.id === team.id)));
    after = issueLabels.pageInfo.hasNextPage ? issueLabels.pageInfo.endCursor : null;
  } while (after);
  return names.map((name) => byName("labels", name, labels, (label) => label.name).id);
}
