const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** Whether a link may lead there. Relative addresses and those that a browser would execute may not be linked. */
export const isWebAddress = (address: string): boolean => PROTOCOLS.has(URL.parse(address)?.protocol ?? "");
