import type { Scope } from "../../contracts/access.ts";
import { type BoundOperation, isWrite } from "../../contracts/operation.ts";

const READ: { scope: Scope } = { scope: "unified:read" };
const WRITE: { scope: Scope } = { scope: "unified:write" };

/** What the key of a call needs. */
export const accessTo = ({ kind }: BoundOperation): { scope: Scope } => (isWrite(kind) ? WRITE : READ);
