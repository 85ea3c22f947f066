import { type EmulatedRequest, googleFailureWithReason } from "../../../emulator-kit/index.ts";

export const DEFAULT_FIELDS = "kind,id,name,mimeType";

export const invalid = (parameter: string, message = "Invalid Value") =>
  googleFailureWithReason(400, { reason: "invalid", message, parameter });
export const notFound = (id: string) =>
  googleFailureWithReason(404, { message: `File not found: ${id}.`, parameter: "fileId" });

export const isTrue = (request: EmulatedRequest, name: string) => request.query.get(name) === "true";
