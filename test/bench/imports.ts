// An import of a website of a thousand pages from a server on this machine: how long it takes and how much memory. There is
// no budget: the figures are printed.

import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Storage } from "octavo";
import { levelStorage, memoryStorage } from "./built";
import type { Row } from "./measure";
import { createSubject } from "./subject";

const MB = 1_000_000;

export async function imports(): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  const site = fork(fileURLToPath(new URL("./site-process.ts", import.meta.url)));
  try {
    const port = await new Promise<number>((resolve) => site.once("message", resolve as (port: unknown) => void));
    const url = `http://127.0.0.1:${port}/`;
    return [await measured("LevelDB", levelStorage(directory), url), await measured("memory", memoryStorage(), url)];
  } finally {
    site.kill();
    await rm(directory, { recursive: true });
  }
}

async function measured(name: string, storage: Storage, url: string): Promise<Row> {
  const { ask, path } = await createSubject(storage, { fetch });
  const { id } = JSON.parse(await ask("POST", `${path}/spaces`, { title: "Imported" }));
  const watch = watchMemory();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const { importedResources, totalResources } = JSON.parse(
    await ask("POST", `/v1/spaces/${id}/content/import`, { url, source: "website" }),
  );
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { heap, resident, longest } = watch.end();
  await storage.close();
  return {
    what: `import a website of 1,000 pages and 1,000 images, ${name}`,
    against: `${importedResources} of ${totalResources} imported`,
    measured: `${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor), heap +${heap} MB, resident +${resident} MB, longest pause ${longest} ms`,
    budget: "",
  };
}

/** What memory grew by at the most, and the longest time in which nothing else had its turn. */
function watchMemory() {
  const before = process.memoryUsage();
  let [heap, resident, longest, last] = [0, 0, 0, performance.now()];
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    heap = Math.max(heap, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
    resident = Math.max(resident, now.rss - before.rss);
    longest = Math.max(longest, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  return {
    end() {
      clearInterval(timer);
      return { heap: Math.round(heap / MB), resident: Math.round(resident / MB), longest: Math.round(longest) };
    },
  };
}
