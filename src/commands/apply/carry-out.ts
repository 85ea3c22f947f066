import { type PlatformApi, Refusal } from "./platform.ts";
import { isTarget, type Plan, type Step, withTargetId } from "./steps.ts";

/** Why a step failed. The steps before it are done, and those after it are not. */
export class StepFailed extends Error {
  readonly step: Step;
  readonly remaining: Step[];

  constructor(step: Step, remaining: Step[], cause: unknown) {
    super(describe(cause), { cause });
    this.step = step;
    this.remaining = remaining;
  }
}

function describe(cause: unknown): string {
  const { message } = cause as Error;
  const fields = cause instanceof Refusal ? Object.entries(cause.errors) : [];
  return [message, ...fields.map(([field, messages]) => `${field}: ${messages.join("; ")}`)].join(": ");
}

/** Makes the changes one after the other, and ends with the first one that fails. */
export async function carryOut({ steps, ids }: Plan, api: PlatformApi, done: (step: Step) => void): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const { action, kind, name, id } = step;
    const path = id === undefined || kind.section === "workspace" ? kind.path : `${kind.path}/${id}`;
    // With the ids of what the steps before have created.
    const body = withTargetId(kind, step.body, ids);
    try {
      if (action === "delete") await api.send("DELETE", path);
      else if (action === "change") await api.send("PATCH", path, body);
      else {
        step.id = String((await api.send("POST", path, body)).id);
        if (isTarget(kind.section)) ids[kind.section].set(name, step.id);
      }
    } catch (error) {
      throw new StepFailed(step, steps.slice(index + 1), error);
    }
    step.isDone = true;
    done(step);
  }
}
