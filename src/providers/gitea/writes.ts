import {
  byName,
  type CategoryImplementation,
  get,
  type git,
  one,
  ProviderFailure,
  path,
  post,
  repositoryPath,
  toIssueComment,
  type Upstream,
} from "../../provider-kit/index.ts";
import { MAX_PAGE_SIZE, nextCounted } from "./paging.ts";
import { type GiteaIssue, toIssue } from "./records.ts";

interface GiteaLabel {
  id: number;
  name: string;
}

const MAX_LABELS = 5_000;

async function allLabels(address: string, upstream: Upstream): Promise<GiteaLabel[]> {
  const found: GiteaLabel[] = [];
  for (let cursor: ReturnType<typeof nextCounted> | undefined; cursor !== null && found.length < MAX_LABELS; ) {
    const page = { limit: MAX_PAGE_SIZE, page: cursor?.page ?? 1 };
    const answer = await upstream<GiteaLabel[] | null>(get(address, {}, page));
    found.push(...(answer.body ?? []));
    cursor = nextCounted(answer, { cursor });
  }
  return found;
}

/** None if the owner is a user, or if the connection may not read organizations. */
async function labelsOfOwner(repo: string, upstream: Upstream): Promise<GiteaLabel[]> {
  try {
    return await allLabels(path`/orgs/${repo.split("/")[0]!}/labels`, upstream);
  } catch (error) {
    if (error instanceof ProviderFailure && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}

/** An issue takes the IDs of its labels, also of the organization's. https://docs.gitea.com/api/ (issueCreateIssue) */
async function labelIds(repo: string, names: string[], upstream: Upstream): Promise<number[]> {
  const labels = await allLabels(repositoryPath("labels")({ repo }), upstream);
  if (!names.every((name) => labels.some((label) => label.name === name)))
    labels.push(...(await labelsOfOwner(repo, upstream)));
  return names.map((name) => byName("labels", name, labels, (label) => label.name).id);
}

export const writes: CategoryImplementation<typeof git.operations> = {
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream, write }) {
      const body = { title, body: description, labels: labels && (await labelIds(repo, labels, upstream)), assignees };
      return (await write<GiteaIssue>(post(repositoryPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(repositoryPath(path`issues/${number}/comments`)({ repo }), { body: text }),
    record: toIssueComment,
  }),
};
