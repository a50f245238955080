// Another process, looked at from outside while it runs: how much memory it takes at the most, and what share of the time it,
// and those who work for it, are at work.

import { readdir, readFile } from "node:fs/promises";

export interface Seen {
  /** The most memory of its own that it had, in MB: without the files that it maps, as LevelDB does with its tables. */
  readonly resident: number;
  /** Shares of the time in which it was at work; in which the helpers were; in which any of them was. */
  readonly itself: number;
  readonly helpers: number;
  readonly any: number;
}

/** Looks at a process until it is told to end. `helpers` gives the ids of those who work for it. */
export function watchProcess(pid: number, helpers: () => Promise<readonly number[]>) {
  let [looks, itself, others, any, resident, isOver] = [0, 0, 0, 0, 0, false];
  let pids: readonly number[] = [];
  const watching = (async () => {
    for (; !isOver; looks++) {
      if (looks % 50 === 0) pids = await helpers();
      resident = Math.max(resident, await memoryOf(pid));
      const [own, theirs] = [await isAtWork(pid), (await Promise.all(pids.map(isAtWork))).includes(true)];
      if (own) itself++;
      if (theirs) others++;
      if (own || theirs) any++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async end(): Promise<Seen> {
      isOver = true;
      await watching;
      return { resident, itself: itself / looks, helpers: others / looks, any: any / looks };
    },
  };
}

/** Whether a thread of a process runs, waits for a processor, or waits for the disk. */
async function isAtWork(pid: number): Promise<boolean> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const states = await Promise.all(threads.map((it) => readFile(`${folder}/${it}/stat`, "latin1").catch(() => "")));
  return states.some((text) => /\) [RD] /.test(text));
}

/** The memory of a process without files, in MB; 0 when it has ended. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Math.round(Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000);
}
