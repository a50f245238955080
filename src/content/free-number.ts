// Free numbers: what is put behind a name that is taken.

/** After this many taken numbers in a row, the steps become longer. */
const STEPS = 8;

/** A free number; 0 means no number at all. It is the lowest free one if few are taken. Otherwise it is found in a few
 * steps, and is only one after a taken number. */
export async function freeNumber(isTaken: (number: number) => Promise<boolean>): Promise<number> {
  for (let n = 0; n <= STEPS; n++) if (!(await isTaken(n))) return n;
  let [taken, free] = [STEPS, STEPS * 2];
  while (await isTaken(free)) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const between = Math.floor((taken + free) / 2);
    if (await isTaken(between)) taken = between;
    else free = between;
  }
  return free;
}

/** A path with a number before its ending: `logo-1.png`. */
export function numberedPath(path: string, number: number): string {
  if (number === 0) return path;
  const dot = path.lastIndexOf(".");
  const end = dot > path.lastIndexOf("/") + 1 ? dot : path.length;
  return `${path.slice(0, end)}-${number}${path.slice(end)}`;
}
