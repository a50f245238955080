// The long jobs of the library. Each is prepared first; only the work itself is measured.

import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { memoryStorage } from "../../../adapters/memory";
import { fastImport } from "../../../scripts/corpus/many";
import { createDocsApi, type DocsApiOptions } from "../../../src";
import { guardedFetch } from "../../../src/node";
import { git, whyNoGit } from "../../git/backend";
import { askWithToken, mustSucceed } from "../../support/asking";

/** Work that is ready to begin, and what it is about. */
export interface Ready {
  readonly about: string;
  readonly work: () => Promise<unknown>;
}

type Prepare = (share: number) => Promise<Ready>;

/** How many changes a batch takes. */
const BATCH = 50;

const book: Prepare = async (share) => {
  const pages = count(5000, share);
  const files: Record<string, Uint8Array> = {};
  for (let page = 0; page < pages; page++)
    files[`part-${Math.floor(page / 100)}/page-${page}.md`] = Buffer.from(textOf(page));
  const archive = zipSync(files, { level: 1 });
  const { space, ask } = await open({
    fetch: async () => new Response(asItArrives(archive), { headers: { "content-type": "application/zip" } }),
    imports: { maxPages: 10_000, maxFiles: 10_000, maxSeconds: 3600 },
  });
  const url = "https://example.org/book.zip";
  return {
    about: `${pages} pages`,
    work: () => ask("POST", `/spaces/${space}/content/import`, { source: "zip", url }),
  };
};

const json: Prepare = (share) =>
  specification(share, (paths) => {
    const members = Object.entries(paths).map(([path, operationId]) => {
      const get = { operationId, tags: ["Things"], responses: { 200: { description: SAYS } } };
      return [path, { get }] as const;
    });
    const info = { title: "Things", version: "1" };
    return JSON.stringify({ openapi: "3.1.0", info, paths: Object.fromEntries(members) });
  });

const yaml: Prepare = (share) =>
  specification(share, (paths) => {
    const lines = Object.entries(paths).flatMap(([path, operationId]) => [
      `  ${path}:`,
      "    get:",
      `      operationId: ${operationId}`,
      "      tags:",
      "        - Things",
      "      responses:",
      '        "200":',
      `          description: ${SAYS}`,
    ]);
    return ["openapi: 3.1.0", "info:", "  title: Things", '  version: "1"', "paths:", ...lines, ""].join("\n");
  });

/** What is said of an operation of a specification, and about how many bytes it takes with that. */
const SAYS = "It says a little. ".repeat(40).trim();
const OPERATION_BYTES = 850;

/** A specification of about 10 MB from another host. `written` is given the names of its operations by their paths. */
async function specification(
  share: number,
  written: (paths: Readonly<Record<string, string>>) => string,
): Promise<Ready> {
  const operations = Array.from({ length: count(10_000_000 / OPERATION_BYTES, share) }, (_, at) => at);
  const bytes = Buffer.from(written(Object.fromEntries(operations.map((at) => [`/things-${at}/{id}`, `get${at}`]))));
  const { organization, ask, maintain } = await open({ fetch: async () => new Response(asItArrives(bytes)) });
  return {
    about: `${(bytes.length / 1e6).toFixed(1)} MB`,
    async work() {
      const url = "https://example.org/openapi";
      const { slug } = await ask("POST", `/orgs/${organization}/openapi`, { slug: "things", source: { url } });
      await maintain();
      const { processingState } = await ask("GET", `/orgs/${organization}/openapi/${slug}`);
      if (processingState !== "complete") throw new Error(`The specification is ${processingState}.`);
    },
  };
}

const pdf: Prepare = async (share) => {
  const pages = count(1000, share);
  const { api, space, ask, write } = await open();
  await write(space, pages);
  return {
    about: `${pages} pages of about two sheets`,
    async work() {
      const { url } = await ask("GET", `/spaces/${space}/pdf`);
      const response = await api.fetch(new Request(url));
      const bytes = await response.arrayBuffer();
      if (!response.ok) throw new Error(`The PDF was answered with ${response.status}, ${bytes.byteLength} bytes.`);
    },
  };
};

const merge: Prepare = async (share) => {
  const pages = count(5000, share);
  const { space, ask, write, rewrite } = await open();
  const ids = await write(space, pages);
  const { id } = await ask("POST", `/spaces/${space}/change-requests`, { subject: "All of it" });
  await rewrite(`/spaces/${space}/change-requests/${id}`, ids, "first");
  await rewrite(`/spaces/${space}`, ids, "last");
  return {
    about: `${pages} pages, changed on both sides`,
    work: () => ask("POST", `/spaces/${space}/change-requests/${id}/merge`),
  };
};

const search: Prepare = async (share) => {
  const pages = count(100_000, share);
  const { space, ask, write } = await open();
  await write(space, pages);
  return { about: `${pages} pages`, work: () => ask("GET", `/spaces/${space}/search?query=lantern`) };
};

const translation: Prepare = async (share) => {
  const pages = count(2000, share);
  const { organization, space, ask, write, maintain } = await open({
    translator: async ({ texts }) => texts.map((text) => text.replaceAll("Words", "Mots")),
  });
  await write(space, pages);
  return {
    about: `${pages} pages`,
    async work() {
      await ask("POST", `/orgs/${organization}/translations`, { language: "fr", source: { space } });
      await maintain();
    },
  };
};

const gitImport: Prepare = async (share) => {
  const { about, bring } = await openGit(share);
  return { about, work: bring };
};

const gitExport: Prepare = async (share) => {
  const { about, bring, push } = await openGit(share);
  await bring();
  return { about, work: push };
};

export const jobs: Readonly<Record<string, Prepare>> = {
  "import of a book": book,
  "JSON specification": json,
  "YAML specification": yaml,
  PDF: pdf,
  merge,
  "search index": search,
  translation,
  "git import": gitImport,
  "git export": gitExport,
};

/** A space beside a real Git server, with a repository to bring in and an empty one to push to. */
async function openGit(share: number) {
  if (whyNoGit) throw new Error(`There is no Git server here: ${whyNoGit}.`);
  const folder = await mkdtemp(join(tmpdir(), "octavo-stalls-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["book.git", "empty.git"]) await git(folder, ["init", "-q", "--bare", "-b", "main", name]);
  await git(join(folder, "empty.git"), ["config", "http.receivepack", "true"]);
  const book = { pages: count(16_000, share), files: count(4000, share), fileBytes: 1000 };
  await fastImport(join(folder, "book.git"), book);
  const [port] = await once(fork(fileURLToPath(new URL("git-server.js", import.meta.url)), [folder]), "message");
  const host = `127.0.0.1:${port}`;
  const { space, ask } = await open({
    fetch: guardedFetch({ allow: [host], maxBytes: 2 ** 30, timeoutMs: 3_600_000 }),
    imports: { maxPages: 20_000, maxFiles: 20_000, maxSeconds: 3600 },
    git: { http: [host], limits: { maxFiles: 100_000 }, maxSeconds: 3600 },
  });
  const run = async (what: "import" | "export", name: string, more: object = {}) => {
    const place = { url: `http://${host}/${name}.git`, ref: "refs/heads/main" };
    await ask("POST", `/spaces/${space}/git/${what}`, { ...place, ...more });
    const { lastRun } = await ask("GET", `/spaces/${space}/git/info`);
    if (lastRun.status !== "completed") throw new Error(`It ended as ${lastRun.status}: ${JSON.stringify(lastRun)}`);
  };
  return {
    about: `${book.pages} pages and ${book.files} files`,
    bring: () => run("import", "book"),
    push: () => run("export", "empty", { commitMessage: "All of it" }),
  };
}

/** Bytes in the pieces in which a socket gives them. */
function asItArrives(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((turn) => setImmediate(turn));
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 65_536));
      at += 65_536;
    },
  });
}

function count(full: number, share: number): number {
  return Math.max(1, Math.round(full * share));
}

function textOf(page: number, beginning = "A page", end = "The end"): string {
  const parts = Array.from(
    { length: 8 },
    (_, at) =>
      `## Part ${at}\n\n${`Words of page ${page} and its lantern ${page * at}, which say a little. `.repeat(5)}\n`,
  );
  return [`# Page ${page}`, "", `${beginning}.`, "", ...parts, `${end}.`, ""].join("\n");
}

/** The library on a storage in memory, with a space. */
async function open(options: DocsApiOptions = {}) {
  const api = createDocsApi(memoryStorage(), {
    secret: "a secret for the length of one measurement",
    onError: (error) => console.error(error),
    ...options,
  });
  const { organization, token } = await api.provision({
    user: { displayName: "Stalls", email: "stalls@localhost.localdomain" },
    organization: { title: "Stalls" },
    token: { label: "Stalls" },
  });
  const ask = mustSucceed(askWithToken(api, token!));
  const { id: space } = await ask("POST", `/orgs/${organization}/spaces`, { title: "Stalls" });
  return {
    api,
    organization,
    space: space as string,
    ask,
    maintain: () => api.maintain(),
    /** Writes so many pages; gives their ids. */
    async write(space: string, pages: number): Promise<string[]> {
      const ids: string[] = [];
      for (let at = 0; at < pages; at += BATCH) {
        const changes = Array.from({ length: Math.min(BATCH, pages - at) }, (_, i) => ({
          operation: "insert_page",
          title: `Page ${at + i}`,
          document: { markdown: textOf(at + i) },
        }));
        const answer = await ask("POST", `/spaces/${space}/content`, { changes });
        for (const { page } of answer.changes) ids.push(page.id);
      }
      return ids;
    },
    /** Writes the first or the last words of all pages anew. */
    async rewrite(where: string, ids: readonly string[], which: "first" | "last"): Promise<void> {
      for (let at = 0; at < ids.length; at += BATCH) {
        const changes = ids.slice(at, at + BATCH).map((page, i) => ({
          operation: "update_page",
          page,
          document: { markdown: which === "first" ? textOf(at + i, "Anew") : textOf(at + i, "A page", "Over") },
        }));
        await ask("POST", `${where}/content`, { changes });
      }
    },
  };
}
