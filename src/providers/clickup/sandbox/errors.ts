import { reply } from "../../../emulator-kit/index.ts";

export const errorReply = (status: number, err: string, ECODE: string) => reply(status, { err, ECODE });
