import type { EmulatedRequest } from "../../../contracts/emulator.ts";
import { failures } from "../../../emulator-kit/microsoft-graph.ts";
import type { Item, State } from "./data.ts";

/** https://learn.microsoft.com/en-us/graph/errors#code-property */
export const failure = failures({
  400: ["invalidRequest", "The request is malformed or incorrect."],
  403: ["accessDenied", "The caller doesn't have permission to perform the action."],
  404: ["itemNotFound", "The resource could not be found."],
  429: ["activityLimitReached", "The app or user has been throttled."],
  500: ["generalException", "An unspecified error has occurred."],
  503: ["serviceNotAvailable", "The service is not available."],
});

export const driveOf = ({ params }: Pick<EmulatedRequest, "params">, { ownDrive }: State): string =>
  params.drive ?? ownDrive;

export function findItem(request: Pick<EmulatedRequest, "params">, state: State): Item | undefined {
  const items = state.drives.get(driveOf(request, state)) ?? [];
  const { item: id } = request.params;
  return items.find((one) => (id === "root" ? one.root : one.id === id) && !one.deleted);
}

export const childrenOf = (items: Item[], { id }: Item): Item[] =>
  items.filter(({ parentReference, deleted }) => "id" in parentReference && parentReference.id === id && !deleted);
