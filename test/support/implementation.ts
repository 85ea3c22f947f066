import type { ListImplementation, PageContext } from "../../src/contracts/provider.ts";

/** A provider's list with loose types, so that a test can call it with any body and context. */
export type AnyList = ListImplementation<any, any, any, any, any, any>;
export type AnyPageContext = PageContext<any, any, any>;
