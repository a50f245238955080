// A folder that all workers of one run share and that is removed when the run ends. A worker lives longer than a test file,
// so what it makes for several files cannot be removed by one of them. It is in memory where there is enough of that, and is
// the folder for everything temporary: no test looks at what a crash of the machine leaves, and a disk makes each of the
// many storages wait for it. The application of the console is built for the run.

import { access, mkdir, readdir, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { availableMemory, env, pid, platform } from "node:process";
import { buildConsole } from "../../scripts/console/build";

const NAME = "OCTAVO_RUN_FOLDER";
const LASTING = "OCTAVO_LASTING_FOLDER";
/** Where Linux has files in memory. */
const MEMORY = "/dev/shm";
/** Many times what a run has there at once. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Called by vitest before the workers start, which inherit the variables. */
export default async function setUp(): Promise<() => Promise<void>> {
  const above = (await isEnoughMemory()) ? MEMORY : tmpdir();
  await forgetTheDead(above);
  const folder = join(above, `octavo-run-of-${pid}-${(await beginningOf(pid)) ?? crypto.randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  const former = env.TMPDIR;
  env[LASTING] = tmpdir();
  env[NAME] = folder;
  env.TMPDIR = folder;
  await buildConsole();
  return async () => {
    if (former === undefined) delete env.TMPDIR;
    else env.TMPDIR = former;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** The path of the folder. */
export function runFolder(): string {
  return env[NAME]!;
}

/** The folder above, for what several processes of a run begin and end by themselves. */
export function aboveRuns(): string {
  return env[NAME] === undefined ? tmpdir() : dirname(runFolder());
}

/** A folder for what later runs use again, on the disk. */
export function lastingFolder(): string {
  return env[LASTING] ?? tmpdir();
}

/** Whether a run has room in memory, and may run programs that it puts there. */
async function isEnoughMemory(): Promise<boolean> {
  if (platform !== "linux" || availableMemory() < ENOUGH_BYTES) return false;
  try {
    await access(MEMORY, 0o2);
    const { bavail, bsize } = await statfs(MEMORY);
    const mounts = (await readFile("/proc/mounts", "utf8")).split("\n").map((line) => line.split(" "));
    const options = mounts.findLast(([, path]) => path === MEMORY)?.[3]?.split(",") ?? ["noexec"];
    return bavail * bsize >= ENOUGH_BYTES && !options.includes("noexec");
  } catch {
    return false;
  }
}

/** When a process began, in ticks since the machine did; undefined when there is no such process. Numbers of processes
 * are used again, but not together with this. */
export async function beginningOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is a name in parentheses, which may hold anything; the beginning is the twentieth after it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

/** Removes what runs that were killed have left: directories alone, since their processes died with them. */
export async function forgetTheDead(above: string): Promise<void> {
  for (const name of await readdir(above)) {
    const [, pid, beginning] = name.match(/^octavo-(?:run|s3)-of-(\d+)-(\d+)$/) ?? [];
    if (pid === undefined || (await beginningOf(Number(pid))) === beginning) continue;
    await rm(join(above, name), { recursive: true, force: true });
  }
}
