// An import of a website of a thousand pages, and of a repository of five thousand files, from servers on this machine: how
// long it takes and how much memory. There is no budget: the figures are printed.

import { fork } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Storage } from "octavo";
import { backend, git, whyNoGit } from "../git/backend";
import { host } from "../support/listening";
import { levelStorage, memoryStorage } from "./built";
import type { Row } from "./measure";
import { watchMemory } from "./memory";
import { pageText } from "./page-text";
import { createSubject, inFolder } from "./subject";

export const imports = () => inFolder(importsIn);

async function importsIn(directory: string): Promise<Row[]> {
  const site = fork(fileURLToPath(new URL("./site-process.ts", import.meta.url)));
  try {
    const port = await new Promise<number>((resolve) => site.once("message", resolve as (port: unknown) => void));
    const url = `http://127.0.0.1:${port}/`;
    return [
      await measured("LevelDB", levelStorage(directory), url),
      await measured("memory", memoryStorage(), url),
      ...(await repository(directory)),
    ];
  } finally {
    site.kill();
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

const FILES = 5_000;

/** A repository that is imported, imported again after one file has changed, and exported after one page has. */
async function repository(directory: string): Promise<Row[]> {
  if (whyNoGit) return [{ what: "import a repository", against: whyNoGit, measured: "left out", budget: "" }];
  const work = join(directory, "work");
  await mkdir(join(directory, "repositories"));
  const bare = join(directory, "repositories", "docs.git");
  await git(directory, ["init", "--bare", "--initial-branch=main", bare]);
  await git(directory, ["init", "--initial-branch=main", work]);
  for (let n = 0; n < FILES - 2; n++) {
    const folder = join(work, `part-${Math.floor(n / 100)}`);
    if (n % 100 === 0) await mkdir(folder);
    await writeFile(join(folder, `page-${n}.md`), `# Page ${n}\n\n${pageText(n)}`);
  }
  await writeFile(join(work, "README.md"), "# Home\n\nThe first page.\n");
  await writeFile(join(work, "logo.svg"), "<svg/>");
  const push = async (message: string) => {
    await git(work, ["add", "."]);
    await git(work, ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", message]);
    await git(work, ["push", "-q", bare, "main"]);
  };
  await push("All");
  const server = await host((req, res) => backend(join(directory, "repositories"), req, res));
  const storage = memoryStorage();
  try {
    const { ask, path } = await createSubject(storage, { fetch, git: { http: ["127.0.0.1"] } });
    const { id } = JSON.parse(await ask("POST", `${path}/spaces`, { title: "Repository" }));
    const body = { url: `${server.origin}/docs.git`, ref: "refs/heads/main" };
    const sync = async (what: string, direction: "import" | "export", sent: object = body): Promise<Row> => {
      const watch = watchMemory();
      const start = performance.now();
      await ask("POST", `/v1/spaces/${id}/git/${direction}`, sent);
      const seconds = (performance.now() - start) / 1000;
      const { heap, resident, longest } = watch.end();
      const { lastRun } = JSON.parse(await ask("GET", `/v1/spaces/${id}/git/info`));
      if (lastRun.status !== "completed") throw new Error(`The ${direction} came to ${JSON.stringify(lastRun)}.`);
      return {
        what,
        against: `a repository of ${FILES} files, memory`,
        measured: `${seconds.toFixed(1)} s, heap +${heap} MB, resident +${resident} MB, longest pause ${longest} ms`,
        budget: "",
      };
    };
    const rows = [await sync("import", "import")];
    await writeFile(join(work, "README.md"), "# Home\n\nThe first page, changed.\n");
    await push("One");
    rows.push(await sync("import again, one file has changed", "import"));
    const { pages } = JSON.parse(await ask("GET", `/v1/spaces/${id}/content/pages`));
    const changes = [
      { operation: "update_page", page: pages[0].id, document: { markdown: "# Home\n\nChanged here.\n" } },
    ];
    await ask("POST", `/v1/spaces/${id}/content`, { changes });
    rows.push(await sync("export, one page has changed", "export", { ...body, commitMessage: "Changed here" }));
    return rows;
  } finally {
    await server.close();
    await storage.close();
  }
}
