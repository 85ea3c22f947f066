/** Shows in a terminal how far something is, as a line that is replaced. */
export function createProgress(verb: string) {
  const isShown = process.stderr.isTTY;
  return {
    /** From 0 to 1. */
    report(done: number): void {
      if (isShown) process.stderr.write(`\r${Math.floor(done * 100)} % ${verb}`);
    },
    end(): void {
      if (isShown) process.stderr.write("\r");
    },
  };
}
