import { collection, graphFailures } from "../../../emulator-kit/index.ts";
import type { Item, State } from "./data.ts";

/** https://learn.microsoft.com/en-us/graph/errors#code-property */
export const failure = graphFailures({
  400: ["invalidRequest", "The request is malformed or incorrect."],
  403: ["accessDenied", "The caller doesn't have permission to perform the action."],
  404: ["itemNotFound", "The resource could not be found."],
  429: ["activityLimitReached", "The app or user has been throttled."],
  500: ["generalException", "An unspecified error has occurred."],
  503: ["serviceNotAvailable", "The service is not available."],
});

/** Those of the drive that a path names, otherwise of the user's own. */
export const items = collection({
  items: ({ drives, ownDrive }: State, { params }) =>
    drives.get(params.drive ?? ownDrive)?.filter(({ deleted }) => !deleted) ?? [],
  parameter: "item",
  names: ({ id, root }) => (root ? [id, "root"] : [id]),
  notFound: () => failure(404),
});

/** All of the items that are in the same drive. */
export const besides = ({ parentReference }: Item, { drives }: State): Item[] => drives.get(parentReference.driveId)!;

export const childrenOf = (folder: Item, state: State): Item[] =>
  besides(folder, state).filter(({ parentReference, deleted }) => parentReference.id === folder.id && !deleted);
