/** The paths of the files that pages use, as the browser sees them. */
export interface Assets {
  style: string;
  theme: string;
  resultScript: string;
}

export function assetsAt(url: string): Assets {
  const path = new URL(url).pathname.replace(/\/$/, "");
  return { style: `${path}/style.css`, theme: `${path}/theme.css`, resultScript: `${path}/result.js` };
}
