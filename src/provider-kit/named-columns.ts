// For providers whose users make the columns of their tasks themselves: which column is which field, by type and name.

/** How the columns are usually named. */
export const COLUMN_NAMES = {
  status: /status/i,
  priority: /priority/i,
  assignee: /assign|owner|responsible/i,
  due: /due|deadline/i,
  labels: /tag|label/i,
};

export interface Described {
  type: string;
  name: string;
}

/** Finds columns of a type: `find` one of that name, `prefer` one of that name to any other. */
export function columnFinder<Column>(columns: readonly Column[], describe: (column: Column) => Described) {
  const find = (types: string | readonly string[], name: RegExp): Column | undefined =>
    columns.find((column) => {
      const described = describe(column);
      return [types].flat().includes(described.type) && name.test(described.name);
    });
  const prefer = (type: string, name: RegExp) => find(type, name) ?? find(type, /(?:)/);
  return { find, prefer };
}
