// Measures what comes through of a book or a website: imports it through the library on a storage in memory, reads
// everything back, and compares it with what was there.

import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { guardedFetch } from "../../src/node";
import { anchorsIn } from "./anchor-rules";
import { type DocumentFacts, factsOf } from "./document-text";
import { filesIn, folderClient, serveFolder } from "./folder";
import { type Library, type ListedPage, nameOfTarget, openLibrary, type Target } from "./library";
import { readSourcePage, type SourcePage } from "./source-page";
import { costOf } from "./time";
import { type Loss, lossesOf, type Pair } from "./trigrams";

/** What came of a book or a website. */
export interface Measured {
  readonly name: string;
  readonly pages: number;
  /** Pages whose file would be written as it was; undefined where the source is not Markdown. */
  readonly bytesEqual: number | undefined;
  readonly blocks: number;
  readonly unknown: number;
  readonly links: number;
  readonly broken: number;
  /** Links among the broken ones whose target is there in the source. */
  readonly falseAlarms: number;
  /** By page, where the source of a page is known. */
  readonly losses: readonly Loss[];
  readonly skipped: readonly { readonly resource: string; readonly reason: string }[];
  readonly processorSeconds: number;
  readonly longestHold: number;
}

/** A page of the library with what stands in it and where it came from. */
interface Read extends DocumentFacts {
  readonly page: ListedPage;
  readonly source: SourcePage | undefined;
}

/**
 * Measures a folder or an address; of a website `maxPages` at the most. Default: all of them. `made` is the folder with
 * what the generator of a book made of it: then its ids say which links are good, and not rules.
 */
export async function measure(target: string, maxPages?: number, made?: string): Promise<Measured> {
  await loadCode();
  if (/^https?:/i.test(target))
    return measureWebsite({ name: target, url: target, fetch: guardedFetch({ maxBytes: 1024 ** 3 }), maxPages });
  if (!(await stat(target)).isDirectory()) throw new Error(`${target} is no folder.`);
  const files = await filesIn(target);
  const count = (ending: RegExp) => files.filter((path) => ending.test(path)).length;
  if (count(/\.mdx?$/i) >= count(/\.x?html?$/i)) return measureBook(target, made);
  const served = await serveFolder(target);
  try {
    const fetch = guardedFetch({ allow: [new URL(served.origin).host], maxBytes: 1024 ** 3 });
    const first = ["index.html", "contents.html", "toc.html"].find((path) => files.includes(path));
    const url = `${served.origin}/${first ?? files.find((path) => /\.x?html?$/i.test(path)) ?? ""}`;
    return await measureWebsite({ name: target, url, fetch, maxPages, files: await htmlIn(target, files) });
  } finally {
    served.close();
  }
}

/** A website, and how it is reached. */
interface Website {
  readonly name: string;
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxPages: number | undefined;
  /** Its pages by path, where they are known beforehand. */
  readonly files?: ReadonlyMap<string, SourcePage>;
}

/** Imports one small page. The code of imports is loaded by the first one, and here translated as well: that is not what
 * an import of the material takes. */
async function loadCode(): Promise<void> {
  const page = "<h1>A page</h1><p>It has <a href='#x'>words</a>.</p>";
  const fetch = async () => new Response(page, { headers: { "content-type": "text/html" } });
  const library = await openLibrary({ fetch });
  await library.ask("POST", "/content/import", { source: "html", url: "https://corpus.invalid/page" });
  await library.ask("POST", "/content/import", { source: "website", url: "https://corpus.invalid/" });
  await library.close();
}

async function measureWebsite({ name, url, fetch, maxPages, files }: Website): Promise<Measured> {
  const seen = new Map<string, Uint8Array>();
  const library = await openLibrary({ fetch: files ? fetch : remembering(fetch, seen) }, { maxPages });
  try {
    const cost = await costOf(() => library.ask("POST", "/content/import", { source: "website", url }));
    const sources = files ?? new Map([...seen].map(([path, bytes]) => [path, readSourcePage(bytes)]));
    const { revision } = cost.result as { revision: string };
    const report = (await library.ask("GET", `/revisions/${revision}/import`)) as Pick<Measured, "skipped">;
    const bySource = new SourcesByName(sources);
    const pages = await readAll(library, (page, facts) => bySource.of(page, facts));
    return { ...(await summary(name, library, pages)), ...cost, bytesEqual: undefined, skipped: report.skipped };
  } finally {
    await library.close();
  }
}

async function measureBook(folder: string, made: string | undefined): Promise<Measured> {
  const client = folderClient(folder);
  const library = await openLibrary({ git: { client }, fetch: () => Promise.reject(new Error("Nothing is fetched.")) });
  const place = { url: "https://corpus.invalid/book.git", ref: "refs/heads/main" };
  try {
    const cost = await costOf(async () => {
      await library.ask("POST", "/git/import", place);
      await library.maintain();
    });
    const texts = made === undefined ? await textsIn(folder) : await madeIn(made);
    const pages = await readAll(library, ({ git }) => (git ? texts.get(git.path) : undefined));
    const info = (await library.ask("GET", "/git/info")) as { lastRun?: { status: string; error?: unknown } };
    if (info.lastRun?.status !== "completed") throw new Error(`The import failed: ${JSON.stringify(info.lastRun)}`);
    await library.ask("POST", "/git/export", { ...place, commitMessage: "Again" });
    await library.maintain();
    const changed = new Set(client.pushed.map(({ path }) => path));
    const bytesEqual = pages.filter(({ page }) => page.git && !changed.has(page.git.path)).length;
    return { ...(await summary(folder, library, pages)), ...cost, bytesEqual, losses: [], skipped: [] };
  } finally {
    await library.close();
  }
}

/** The anchors that rules give to the texts of a book, by their paths from the folder that has its texts. */
async function textsIn(folder: string): Promise<Map<string, SourcePage>> {
  const texts = new Map<string, SourcePage>();
  const paths = (await filesIn(folder)).filter((path) => /\.mdx?$/i.test(path));
  for (const path of paths) {
    const source = { text: "", anchors: anchorsIn(await readFile(join(folder, path), "utf8")) };
    texts.set(path, source);
    // Most books have their texts in one folder, and paths start there.
    const inside = path.slice(path.indexOf("/") + 1);
    if (!paths.includes(inside)) texts.set(inside, source);
  }
  return texts;
}

/** The anchors that a generator gave to the pages of a book, by the paths of the texts that they were made of. */
async function madeIn(folder: string): Promise<Map<string, SourcePage>> {
  const pages = await htmlIn(folder, await filesIn(folder));
  return new Map(
    [...pages].flatMap(([path, page]) => {
      const stem = path.replace(/\.\w+$/, "");
      return [stem, ...(basename(stem) === "index" ? [join(stem, "..", "README")] : [])].map(
        (it) => [`${it}.md`, { text: "", anchors: page.anchors }] as const,
      );
    }),
  );
}

/** Fetches as before, and keeps the pages that were answered. */
function remembering(fetch: typeof globalThis.fetch, seen: Map<string, Uint8Array>): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!/html/.test(response.headers.get("content-type") ?? "") || !response.ok) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const url = response.url || String(input);
    seen.set(new URL(url).pathname.slice(1), bytes);
    const again = new Response(bytes, { status: response.status, headers: response.headers });
    Object.defineProperty(again, "url", { value: url });
    return again;
  };
}

async function htmlIn(folder: string, files: readonly string[]): Promise<Map<string, SourcePage>> {
  const pages = new Map<string, SourcePage>();
  for (const path of files)
    if (/\.x?html?$/i.test(path)) pages.set(path, readSourcePage(await readFile(join(folder, path))));
  return pages;
}

/** Finds the file that a page came from: by its name, and among several of one name by the words. */
class SourcesByName {
  readonly #named = new Map<string, SourcePage[]>();

  constructor(sources: ReadonlyMap<string, SourcePage>) {
    for (const [path, source] of sources) {
      const name = nameOf(path);
      this.#named.set(name, [...(this.#named.get(name) ?? []), source]);
    }
  }

  of(page: ListedPage, { text }: DocumentFacts): SourcePage | undefined {
    const last = nameOf(page.path);
    const names = [last, last.replace(/-\d+$/, ""), "index"];
    const candidates = names.map((name) => this.#named.get(name)).find((found) => found !== undefined) ?? [];
    if (candidates.length <= 1) return candidates[0];
    const words = new Set(text.toLowerCase().split(/\W+/));
    const shared = ({ text }: SourcePage) => {
      const own = new Set(text.toLowerCase().split(/\W+/));
      const both = [...own].filter((word) => words.has(word)).length;
      return both / (own.size + words.size - both);
    };
    return candidates.reduce((best, each) => (shared(each) > shared(best) ? each : best));
  }
}

/** The name that a page of a path has: that of its file, or of the folder that it stands for. */
function nameOf(path: string): string {
  return basename(path)
    .replace(/\.\w+$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
}

async function readAll(
  library: Library,
  sourceOf: (page: ListedPage, facts: DocumentFacts) => SourcePage | undefined,
): Promise<Read[]> {
  const pages: Read[] = [];
  for (const page of await library.pages()) {
    const facts = factsOf(await library.document(page.id));
    pages.push({ ...facts, page, source: sourceOf(page, facts) });
  }
  return pages;
}

type Counted = Pick<Measured, "name" | "pages" | "blocks" | "unknown" | "links" | "broken" | "falseAlarms" | "losses">;

async function summary(name: string, library: Library, pages: readonly Read[]): Promise<Counted> {
  const { total, broken, targets } = await library.links();
  const byId = new Map(pages.map((page) => [page.page.id, page]));
  const isFalse = (read: Read, { kind, page = read.page.id, anchor }: Target) =>
    kind === "anchor" &&
    targets.has(nameOfTarget(page, anchor)) &&
    byId.get(page)?.source?.anchors.has(anchor!) === true;
  const sum = (count: (read: Read) => number) => pages.reduce((all, read) => all + count(read), 0);
  const pairs = pages.flatMap(({ page, text, source }): Pair[] =>
    source ? [{ name: page.path, source: source.text, ours: `${page.title} ${text}` }] : [],
  );
  return {
    name,
    pages: pages.length,
    blocks: sum(({ blocks }) => blocks),
    unknown: sum(({ unknown }) => unknown),
    links: total,
    broken,
    falseAlarms: sum((read) => read.targets.filter((target) => isFalse(read, target)).length),
    losses: lossesOf(pairs),
  };
}
