import { type Html, html } from "../../../runtime/html.ts";

const HEIGHT = 44;
const WIDTH = 240;

export interface Bar {
  value: number;
  /** The part of it that is drawn in red. */
  bad?: number;
  /** What the bar stands for, as a tooltip. */
  label: string;
}

export interface BarChart {
  /** From left to right. */
  bars: readonly Bar[];
  /** What they show, in words. */
  summary: string;
  /** A value as the scale shows it. */
  format(value: number): string;
}

/** The line at the top is the highest value. */
export function barChart({ bars, summary, format }: BarChart): Html {
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  const max = highest || 1;
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.max(1, step - Math.min(2, step * 0.25));
  const height = (value: number) => (value <= 0 ? 0 : Math.max(1.5, (value / max) * (HEIGHT - 1)));
  return html`<div class="chart-scale" aria-hidden="true">${highest > 0 && format(highest)}</div>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">
<line class="axis" x1="0" x2="${WIDTH}" y1="0.5" y2="0.5"/>
<line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - 0.5}" y2="${HEIGHT - 0.5}"/>
${bars.map(({ value, bad = 0, label }, index) => {
  const [all, red] = [height(value), height(bad)];
  const rectangle = (tall: number, name: string) =>
    tall > 0 &&
    html`<rect class="${name}" x="${(index * step).toFixed(2)}" y="${(HEIGHT - tall).toFixed(2)}" width="${width.toFixed(2)}" height="${tall.toFixed(2)}"/>`;
  return html`<g><title>${label}</title>${rectangle(all, "bar")}${rectangle(red, "bar-bad")}</g>`;
})}
</svg>`;
}
