import type { EmulatedRequest } from "../../../contracts/emulator.ts";
import { failureWithReason } from "../../../emulator-kit/google.ts";

export const DEFAULT_FIELDS = "kind,id,name,mimeType";

export const invalid = (parameter: string, message = "Invalid Value") =>
  failureWithReason(400, { reason: "invalid", message, parameter });
export const notFound = (id: string) =>
  failureWithReason(404, { message: `File not found: ${id}.`, parameter: "fileId" });

export const isTrue = (request: EmulatedRequest, name: string) => request.query.get(name) === "true";
