// Reads the Dockerfile, as far as ours goes: an instruction that is not known here is an error.

export interface Step {
  word: string;
  /** Options such as `--from=package`. */
  options: Record<string, string>;
  /** The rest of the line; of a list in JSON, its entries. */
  text: string;
  list: string[] | undefined;
}

export interface Stage {
  name: string | undefined;
  base: string;
  steps: Step[];
}

const KNOWN = [
  "ARG",
  "CMD",
  "COPY",
  "ENTRYPOINT",
  "ENV",
  "EXPOSE",
  "HEALTHCHECK",
  "LABEL",
  "RUN",
  "USER",
  "VOLUME",
  "WORKDIR",
];

export function readDockerfile(source: string): Stage[] {
  const stages: Stage[] = [];
  const lines = source
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, "")
    .split("\n");
  for (const line of lines.filter((text) => text.trim() !== "")) {
    const step = readStep(line.trim());
    if (step.word === "FROM") {
      const [base, , name] = step.text.split(/\s+/);
      stages.push({ base: base!, name, steps: [] });
    } else if (KNOWN.includes(step.word) && stages.length > 0) stages.at(-1)!.steps.push(step);
    else throw new Error(`Dockerfile: cannot run "${line.trim()}"`);
  }
  return stages;
}

function readStep(line: string): Step {
  const [, word = "", rest = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
  const options: Record<string, string> = {};
  const text = rest.replace(/^(--[\w-]+=\S+\s+)+/, (found) => {
    for (const [, name, value] of found.matchAll(/--([\w-]+)=(\S+)/g)) options[name!] = value!;
    return "";
  });
  return { word: word.toUpperCase(), options, text, list: text.startsWith("[") ? JSON.parse(text) : undefined };
}

/** The pairs of `ENV` and `LABEL`. */
export const readPairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [name!, quoted ?? plain!]),
  );

/** Of the steps of a stage, the last one with this word. */
export const lastStep = ({ steps }: Stage, word: string): Step | undefined =>
  steps.findLast((step) => step.word === word);

/** The command of the health check. */
export const healthCommand = (stage: Stage): string[] =>
  JSON.parse(lastStep(stage, "HEALTHCHECK")!.text.replace(/^CMD /, ""));
