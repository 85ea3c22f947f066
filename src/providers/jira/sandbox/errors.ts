import { reply } from "../../../emulator-kit/index.ts";

export const errorReply = (status: number, message: string) => reply(status, { errorMessages: [message], errors: {} });

/** A field of a write that is refused. */
export const fieldError = (field: string, message: string) =>
  reply(400, { errorMessages: [], errors: { [field]: message } });
