import type { Role } from "../../contracts/access.ts";
import { splitUrl } from "../shared/split-url.ts";

type Method = "GET" | "POST";

/** Which role each page (GET) and each form (POST) needs, from what its route declares. */
export function createDeclaredRoles() {
  const declared: { method: Method; parameters: number; pattern: RegExp; role: Role }[] = [];

  return {
    add(method: Method, path: string, role: Role): void {
      const parameters = path.split("/:").length - 1;
      declared.push({ method, parameters, pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`), role });
      // As in the router, a name comes before a parameter: `/integrations/new` is no `/integrations/:id`.
      declared.sort((one, other) => one.parameters - other.parameters);
    },

    /** Undefined if there is no such page or form. */
    find(method: Method, path: string): Role | undefined {
      const [plain] = splitUrl(path);
      return declared.find((route) => route.method === method && route.pattern.test(plain || "/"))?.role;
    },
  };
}
