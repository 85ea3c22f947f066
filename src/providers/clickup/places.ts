import { type Context, get, type Place, path, type Upstream } from "../../provider-kit/index.ts";
import type { ClickUpList } from "./records.ts";

export interface ClickUpLists {
  lists?: ClickUpList[];
  folders?: { lists?: ClickUpList[] }[];
}

/** Where tasks or lists are read: a workspace, a list, or one level of a space. */
export interface ClickUpPlace extends Place {
  path: string;
}
interface ProjectPlace extends ClickUpPlace {
  team: string;
}

export async function readTeams(upstream: Upstream): Promise<Place[]> {
  const { body } = await upstream<{ teams: { id: string }[] }>(get("/team"));
  return body.teams.map(({ id }) => ({ id }));
}

/** Lists are in spaces, some of them in folders. The lists of a folder come with it. */
export async function projectPlaces({ upstream }: Pick<Context, "upstream">): Promise<ProjectPlace[]> {
  const places: ProjectPlace[] = [];
  for (const { id: team } of await readTeams(upstream)) {
    const { body } = await upstream<{ spaces: { id: string }[] }>(get(path`/team/${team}/space`));
    for (const { id } of body.spaces)
      for (const level of ["folder", "list"])
        places.push({ id: `${id}/${level}`, team, path: path`/space/${id}/${level}` });
  }
  return places;
}

export const listsIn = ({ lists, folders }: ClickUpLists): ClickUpList[] =>
  lists ?? folders?.flatMap((folder) => folder.lists ?? []) ?? [];

/** The IDs of the lists of a place. */
export const readLists = async (place: ClickUpPlace, upstream: Upstream): Promise<string[]> =>
  listsIn((await upstream<ClickUpLists>(get(place.path))).body).map(({ id }) => id);
