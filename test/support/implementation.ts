import type { ListImplementation, PageContext } from "../../src/contracts/provider.ts";

/** A provider's list as a test looks at it: with whatever body and context the test makes up. */
export type AnyList = ListImplementation<any, any, any, any, any, any>;
export type AnyPageContext = PageContext<any, any, any>;
