import type { ListImplementation, OneImplementation, PageContext } from "../../src/contracts/provider.ts";
import type { UpstreamRequest } from "../../src/contracts/upstream.ts";

/** A provider's list with loose types, so that a test can call it with any body and context. */
export type AnyList = ListImplementation<any, any, any, any, any, any>;
export type AnyPageContext = PageContext<any, any, any>;

/** A provider's way to send, if it makes no calls first. */
export interface AnySend {
  request(context: any): UpstreamRequest;
}

/** The items of a response that are records of the list. */
export const keptItems = (list: AnyList, body: unknown, context: AnyPageContext): any[] =>
  list.items(body, context).filter((item) => list.keep?.(item, context) ?? true);

/** The requests of a change, as they are sent, to a provider that answers all of them with the same body. */
export async function requestsOfChange(
  change: unknown,
  input: object,
  body: unknown,
): Promise<{ calls: string[]; sent: any }> {
  const requests: UpstreamRequest[] = [];
  const upstream = async (request: UpstreamRequest) => {
    requests.push(request);
    return { status: 200, headers: {}, body };
  };
  await (change as OneImplementation<any, any>).load!({
    input,
    upstream,
    write: upstream,
    written: [],
    addsToBody: false,
    select: [],
  } as never);
  const calls = requests.map(({ method, path }) => `${method} ${path}`);
  return { calls, sent: JSON.parse(JSON.stringify(requests.at(-1)!.body)) };
}
