import { expect, it } from "vitest";
import { Fault, ProviderFailure } from "../contracts/fault.ts";
import { newTrace, type Trace, traceFailure } from "../surfaces/shared/trace.ts";
import { failureDetails } from "./failure-details.ts";

const failed = (failure?: Fault | ProviderFailure): Trace => {
  const trace = newTrace();
  if (failure) traceFailure(trace, failure);
  return trace;
};
const details = (url: string, failure?: Fault | ProviderFailure) => failureDetails({ url, trace: failed(failure) });

it("a fault is kept in our own words, with the query", () => {
  expect(details("/v1/x?limit=500", new Fault("invalid_input", "limit must be <= 100"))).toEqual({
    query: "limit=500",
    detail: "limit must be <= 100",
    provider_body: null,
  });
  expect(details("/v1/x")).toEqual({ query: null, detail: null, provider_body: null });
});

it("a provider's error is kept with its body, and how long it asks to wait", () => {
  const body = Buffer.from('{"error":"missing_scope","needed":"channels:read"}');
  expect(details("/v1/x", new ProviderFailure(403, {}, body))).toEqual({
    query: null,
    detail: "The provider answered 403",
    provider_body: body.toString(),
  });
  expect(details("/v1/x", new ProviderFailure(429, { "retry-after": ["30"] }, Buffer.alloc(0)))).toEqual({
    query: null,
    detail: "The provider answered 429, and asks to wait (Retry-After: 30)",
    provider_body: null,
  });
});

it("at most 2 kB of each are kept, without half characters and control characters", () => {
  const long = details(`/v1/x?q=${"q".repeat(9_000)}`, new ProviderFailure(500, {}, Buffer.from("ü".repeat(5_000))));
  expect(long.query).toHaveLength(2_048);
  expect(long.provider_body).toBe("ü".repeat(2_048));
  const odd = Buffer.concat([Buffer.from("a\u0000\u001b[31mb\n"), Buffer.from("ü").subarray(0, 1)]);
  expect(details("/v1/x", new ProviderFailure(500, {}, odd)).provider_body).toBe("a[31mb\n");
});

it("a compressed body is not kept, but how it is compressed", () => {
  const zipped = new ProviderFailure(500, { "content-encoding": "gzip" }, Buffer.from([0x1f, 0x8b]));
  expect(details("/v1/x", zipped).provider_body).toBe("(compressed: gzip)");
});

it.each([
  ["code=abc&state=def&error=denied", "code=***&state=***&error=denied"],
  ["request=msi_abc.def", "request=***"],
  ["limit=5&api_key=abc", "limit=5&api_key=***"],
  [`params=${encodeURIComponent('{"token":"abc"}')}`, `params=${encodeURIComponent('{"token":"***"}')}`],
  ["broken=%zz&password=%zz", "broken=%zz&password=***"],
  ["q=a%20b&=x&y", "q=a%20b&=x&y"],
])("secrets in a query are hidden, and nothing else changes: %s", (query, kept) => {
  expect(details(`/v1/x?${query}`).query).toBe(kept);
});
