import { randomBytes } from "node:crypto";
import type { SurfaceRequest } from "./surface-types.ts";

const NAME = "plugboard-in-process";
const VALUE = randomBytes(32).toString("base64url");

/** Goes with a call that this process makes to its own APIs. Nobody else knows the value. */
export const inProcessHeader = { [NAME]: VALUE };

export const isInProcess = ({ headers }: Pick<SurfaceRequest, "headers">): boolean => headers[NAME] === VALUE;
