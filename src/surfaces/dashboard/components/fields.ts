import { type Html, html } from "../../../runtime/html.ts";

export interface FormField {
  name: string;
  label: string;
  hint?: Html | string | undefined;
  value?: string | undefined;
  /** What is wrong with the value. */
  problem?: string | undefined;
  required?: boolean;
  placeholder?: string | undefined;
  /** Default: one line of text. */
  input?: "text" | "password" | "number" | "url" | "date" | "datetime-local" | "code" | "lines";
  /** Makes it a list to choose from: value and text. */
  options?: readonly (readonly [value: string, text: string])[];
  focused?: boolean;
  className?: string;
  /** Next to the input. */
  aside?: Html | undefined;
  /** Where the surroundings say it: only screen readers get the label. */
  hideLabel?: boolean;
}

/** The problems of a field, from those that the API reported. */
export const problemOf = (fields: Record<string, string[]>, name: string): string | undefined =>
  (Object.hasOwn(fields, name) && fields[name]?.join(". ")) || undefined;

/** A labelled input, with its hint and its problem next to it. */
export function field(given: FormField): Html {
  const { name, label, hint, value = "", problem, required, input = "text", options, className = "" } = given;
  const described = [hint && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean).join(" ");
  const attributes = html`id="${name}" name="${name}"${required && html` required`}${described && html` aria-describedby="${described}"`}${problem !== undefined && html` aria-invalid="true"`}${given.focused && html` autofocus`}${given.placeholder && html` placeholder="${given.placeholder}"`}`;
  return html`<div class="field ${className}">
<label for="${name}"${given.hideLabel && html` class="hidden-text"`}>${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${
  options
    ? html`<select ${attributes}>${options.map(
        ([option, text]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>`,
      )}</select>`
    : input === "lines" || input === "code"
      ? html`<textarea ${attributes} class="${input}" rows="4" autocomplete="off" spellcheck="false">
${value}</textarea>`
      : html`<div class="beside"><input ${attributes} type="${input}"${input !== "password" && html` value="${value}"`} autocomplete="off" autocapitalize="off" spellcheck="false">${given.aside}</div>`
}
${problem !== undefined && html`<p class="wrong" id="${name}-problem">${problem}</p>`}
</div>`;
}

export interface Checkbox {
  name: string;
  value: string;
  label: Html | string;
  checked: boolean;
}

/** A box to tick. Several of them may have the same name. */
export const checkbox = ({ name, value, label, checked }: Checkbox): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}>${label}</label>`;

export interface RadioButton {
  name: string;
  value: string;
  label: string;
  hint: string;
  checked: boolean;
}

/** One choice of several with the same name. */
export function radio({ name, value, label, hint, checked }: RadioButton): Html {
  const id = `${name}-${value}`;
  return html`<div class="choice"><input type="radio" id="${id}" name="${name}" value="${value}" aria-describedby="${id}-hint"${checked && html` checked`}>
<label for="${id}">${label}</label><p class="hint" id="${id}-hint">${hint}</p></div>`;
}

/** What is wrong with a form, above it, with links to the fields. */
export function problemSummary(
  fields: Record<string, string[]>,
  labels: Record<string, string>,
  message?: string,
): Html | false {
  const names = Object.keys(fields);
  if (names.length === 0 && !message) return false;
  return html`<div class="notice bad" role="alert"><strong>There is a problem</strong>
<ul>${names.length === 0 && html`<li>${message}</li>`}${names.map((name) =>
    Object.hasOwn(labels, name)
      ? html`<li><a href="#${name}">${labels[name]}</a>: ${fields[name]!.join(". ")}</li>`
      : html`<li>${name}: ${fields[name]!.join(". ")}</li>`,
  )}</ul></div>`;
}

/** Of a page whose filters have problems. */
export const filterStatus = (problems: Record<string, string[]>) =>
  Object.keys(problems).length > 0 ? { status: 400, hasProblem: true } : {};
