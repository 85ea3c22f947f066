// A bar chart of the ratios, as SVG, from the same results as the tables.
import type { Results } from "./results.ts";

const WIDTH = 760;
const LABEL = 330;
const BAR = 18;
const GAP = 6;

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

export function chart({ measured }: Results): string {
  const bars = measured
    .filter(({ concurrency, ratio }) => concurrency === 16 && ratio !== undefined)
    .map((one) => ({ label: `${one.size} · ${one.target}`, ratio: one.ratio! }));
  const maxRatio = Math.max(1, ...bars.map(({ ratio }) => ratio));
  const scale = (WIDTH - LABEL - 60) / maxRatio;
  const height = bars.length * (BAR + GAP) + 50;
  const baseline = LABEL + scale;
  const rows = bars.map(({ label, ratio }, index) => {
    const y = 34 + index * (BAR + GAP);
    const color = label.includes("Plugboard") ? "#3b6fd4" : "#9aa3ad";
    return `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${escaped(label)}</text><rect x="${LABEL}" y="${y}" width="${(ratio * scale).toFixed(1)}" height="${BAR}" rx="2" fill="${color}"/><text x="${(LABEL + ratio * scale + 6).toFixed(1)}" y="${y + 13}">${ratio.toFixed(2)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#4b5563" role="img" aria-label="CPU time per call of a bare Node server that does the same work, divided by the target's, 16 calls at once">
<text x="8" y="18" font-weight="600">CPU time per call of a bare Node server that does the same work, divided by the target's (16 calls at once)</text>
${rows.join("\n")}
<line x1="${baseline}" y1="28" x2="${baseline}" y2="${height - 12}" stroke="#9aa3ad" stroke-dasharray="3 3"/>
</svg>
`;
}
