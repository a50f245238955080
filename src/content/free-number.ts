// Numbers that make a taken name unique.

/** Numbers up to this one are tried one by one. Beyond it, the search doubles its steps. */
const MAX_TRIED_ONE_BY_ONE = 8;

/**
 * Returns a number that is not taken; 0 stands for the name without a number. It is the lowest free number if few are taken.
 * If many are, a binary search finds a free number right after a taken one in few calls.
 */
export async function findFreeNumber(isTaken: (number: number) => Promise<boolean>): Promise<number> {
  for (let n = 0; n <= MAX_TRIED_ONE_BY_ONE; n++) if (!(await isTaken(n))) return n;

  let [taken, free] = [MAX_TRIED_ONE_BY_ONE, MAX_TRIED_ONE_BY_ONE * 2];
  while (await isTaken(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** Returns the path with a number before its extension, as in `logo-1.png`. The number 0 leaves the path as it is. */
export function addNumberToPath(path: string, number: number): string {
  if (number === 0) return path;
  const dot = path.lastIndexOf(".");
  const nameEnd = dot > path.lastIndexOf("/") + 1 ? dot : path.length;
  return `${path.slice(0, nameEnd)}-${number}${path.slice(nameEnd)}`;
}
