import { uuid } from "../../../emulator-kit/index.ts";

export const option = (id: string, name: string) => ({ id, name, color: "default" });
export type Option = ReturnType<typeof option>;
export const options = (first: number, ...names: string[]) =>
  names.map((name, index) => option(uuid(5000 + first + index), name));

export interface Property {
  id: string;
  name: string;
  type: string;
  /** The configuration, under the name of the type. */
  [type: string]: unknown;
}
export const property = (
  id: string,
  name: string,
  type: string,
  configuration: object = {},
): Record<string, Property> => ({
  [name]: { id, name, type, [type]: configuration },
});
