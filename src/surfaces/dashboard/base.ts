/** Where the dashboard is. Its public address has the same path. */
export const BASE = "/dashboard";
