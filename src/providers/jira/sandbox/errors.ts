import type { EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import type { State } from "./data.ts";

export const errorReply = (status: number, message: string) => reply(status, { errorMessages: [message], errors: {} });

/** A field of a write that is refused. */
export const fieldError = (field: string, message: string) =>
  reply(400, { errorMessages: [], errors: { [field]: message } });

export const issueOf = ({ params }: EmulatedRequest, { issues }: State) =>
  issues.find(({ id, key }) => id === params.issue || key === params.issue);

export const noSuchIssue = () => errorReply(404, "Issue does not exist or you do not have permission to see it.");
