import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput } from "../../contracts/fault.ts";
import { DOWNLOAD_REQUEST_HEADERS, type Engine } from "../../engine/index.ts";
import { clientCancellation, createRelay, requestBody } from "../shared/relay.ts";
import type { Calls, UnifiedCall } from "./calls.ts";
import { MEDIA_TYPE } from "./errors.ts";
import { toResponse } from "./response.ts";

/** Not what curl says of any body unless it is told the type, nor a range such as `*\/*`. */
const isTypeOfFile = (type: string) => MEDIA_TYPE.test(type) && !/\*|^application\/x-www-form-urlencoded\b/i.test(type);

const UNKNOWN_TYPE = "application/octet-stream";

/** The file that a client uploads. It is streamed to the provider, so it is not parsed. */
export function uploadedFile(request: FastifyRequest) {
  const { headers } = request;
  const { "content-type": type = UNKNOWN_TYPE, "content-encoding": encoding = "identity" } = headers;
  if (encoding !== "identity")
    throw invalidInput({
      path: ["headers", "Content-Encoding"],
      message: "must be left out: the file would be stored compressed, as something that it is not",
    });
  if (/^multipart\/form-data\b/i.test(type))
    throw invalidInput({
      path: ["headers", "Content-Type"],
      message: "must not be that of a form: the body is the file itself, as curl --data-binary @<file> sends it",
    });
  return {
    body: requestBody(request) ?? Readable.from([]),
    contentType: isTypeOfFile(type) ? type : UNKNOWN_TYPE,
    size: headers["transfer-encoding"] ? undefined : Number(headers["content-length"] ?? 0),
  };
}

/** Serves uploads and downloads. */
export function createFileServing(app: FastifyInstance, engine: Engine, calls: Calls, headerPrefix: string) {
  const relay = createRelay(app, headerPrefix);

  return {
    async serveUpload(call: UnifiedCall): Promise<void> {
      const result = await calls.runOperation(call);
      call.reply.send(toResponse(call.operation, result, call.input));
    },

    async serveDownload(call: UnifiedCall): Promise<void> {
      const { operation, input, request, reply } = call;
      const client = clientCancellation(reply);
      const connection = await calls.authorize(call);
      const wanted = DOWNLOAD_REQUEST_HEADERS.flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
      );
      const file = await engine.download(
        { operation, connection, ...input, client, trace: request.trace },
        Object.fromEntries(wanted),
      );
      relay(request, reply, file, client);
    },
  };
}
