/** Applies a change to Markdown except inside code spans and code blocks. Each part comes with its position. */
export function outsideCode(markdown: string, change: (text: string, position: number) => string): string {
  if (!/[`~]/.test(markdown)) return change(markdown, 0);
  let changed = "";
  let position = 0;
  for (const [start, end] of codeRanges(markdown)) {
    changed += change(markdown.slice(position, start), position) + markdown.slice(start, end);
    position = end;
  }
  return changed + change(markdown.slice(position), position);
}

function codeRanges(markdown: string): [start: number, end: number][] {
  const runs = [...markdown.matchAll(/\\[^\n]|`+|(?<=^ {0,3})~{3,}/gm)]
    .map(({ 0: text, index }) => ({ text, index }))
    .filter(({ text }) => text[0] !== "\\");
  // The positions of the runs of each length, so that each search for the end goes on from the last one.
  const sameRuns = new Map<string, number[]>();
  for (const { text, index } of runs) {
    const positions = sameRuns.get(text);
    if (positions) positions.push(index);
    else sameRuns.set(text, [index]);
  }
  const ranges: [number, number][] = [];
  const next = new Map<string, number>();
  let position = 0;
  for (const { text, index } of runs) {
    if (index < position) continue;
    const positions = sameRuns.get(text)!;
    let candidate = next.get(text) ?? 0;
    while (candidate < positions.length && positions[candidate]! <= index) candidate++;
    next.set(text, candidate);
    const end = positions[candidate];
    const isFence = text.length > 2 && /(?:^|\n) {0,3}$/.test(markdown.slice(Math.max(0, index - 4), index));
    if (end === undefined && !isFence) continue;
    position = end === undefined ? markdown.length : end + text.length;
    ranges.push([index, position]);
  }
  return ranges;
}
