import {
  byName,
  type CategoryImplementation,
  graphql,
  one,
  type TaskFields,
  type tasks,
  type Upstream,
  utcDay,
} from "../../provider-kit/index.ts";
import {
  CREATE_COMMENT,
  CREATE_ISSUE,
  GET_ISSUE_TEAM,
  GET_PROJECT_TEAMS,
  LIST_LABELS,
  UPDATE_ISSUE,
} from "./queries.ts";
import { type LinearComment, type LinearIssue, toComment, toTask } from "./records.ts";

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

/** Each priority's number is its position: https://linear.app/docs/priority */
const PRIORITIES = ["No priority", "Urgent", "High", "Medium", "Low"];

/** A UUID of version 4, as Linear requires it, from the digits of the write key. */
const uuidOf = (writeKey: string): string =>
  writeKey.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");

/** What can be sent as it is given, whatever the team. */
const issueFields = ({ title, description, project_id, assignee_id, priority, due_at, parent_id }: TaskFields) => ({
  title,
  description,
  projectId: project_id,
  assigneeId: assignee_id,
  priority:
    priority === undefined ? undefined : PRIORITIES.indexOf(byName("priority", priority, PRIORITIES, (name) => name)),
  dueDate: utcDay(due_at),
  parentId: parent_id,
});

async function teamsOfProject(id: string, upstream: Upstream): Promise<Team[]> {
  const { body } = await upstream<{ data: { project: { teams: { nodes: Team[] } } } }>(
    graphql(GET_PROJECT_TEAMS, { id }),
  );
  return body.data.project.teams.nodes;
}

async function teamOfIssue(id: string, upstream: Upstream): Promise<Team> {
  const { body } = await upstream<{ data: { issue: { team: Team } } }>(graphql(GET_ISSUE_TEAM, { id }));
  return body.data.issue.team;
}

/** The first team, or the first one that has a state of this name. */
function stateIn(teams: readonly Team[], status: string | undefined): { team: Team; stateId?: string } {
  if (status === undefined) return { team: teams[0]! };
  const states = teams.flatMap((team) => team.states.nodes.map((state) => ({ team, ...state })));
  const { team, id } = byName("status", status, states, ({ name }) => name);
  return { team, stateId: id };
}

/** The labels of the workspace and of the team, page by page: a workspace can have hundreds. */
async function labelIds(
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

export const writes: CategoryImplementation<typeof tasks.operations> = {
  // Linear takes the ID of what is created, so that a repeated request cannot create another one.
  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream, write, writeKey }) {
      const { project_id: projectId } = input;
      const { team, stateId } = stateIn(await teamsOfProject(projectId, upstream), input.status);
      const issue = {
        ...issueFields(input),
        id: uuidOf(writeKey),
        teamId: team.id,
        stateId,
        labelIds: await labelIds(input.labels, team, upstream),
      };
      const { body } = await write<{ data: { issueCreate: { issue: LinearIssue } } }>(
        graphql(CREATE_ISSUE, { input: issue }),
      );
      return body.data.issueCreate.issue;
    },
    record: toTask,
  }),

  updateTask: one({
    async load({ input, upstream, write }) {
      const change: Record<string, unknown> = issueFields(input);
      if (input.status !== undefined || input.labels?.length) {
        const team = await teamOfIssue(input.task_id, upstream);
        change.stateId = stateIn([team], input.status).stateId;
        change.labelIds = await labelIds(input.labels, team, upstream);
      } else change.labelIds = input.labels;
      const { body } = await write<{ data: { issueUpdate: { issue: LinearIssue } } }>(
        graphql(UPDATE_ISSUE, { id: input.task_id, input: change }),
      );
      return body.data.issueUpdate.issue;
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input: { task_id, text }, writeKey }) =>
      graphql(CREATE_COMMENT, { input: { id: uuidOf(writeKey), issueId: task_id, body: text } }),
    record: ({ data }: { data: { commentCreate: { comment: LinearComment } } }) =>
      toComment(data.commentCreate.comment),
    original: ({ data }) => data.commentCreate.comment,
  }),
};
