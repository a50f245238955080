// Pages of a published site, as the reader gives them to a browser: one that is kept, one that is made anew, and the first one
// of a site with many pages.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Storage } from "octavo";
import type { Site } from "octavo/site";
import { build } from "tsup";
import { createDocsApi, createSite, memoryStorage, nodeHandler, outDir } from "./built";
import { compare, oneByOne, type Row } from "./measure";
import { overHttp } from "./over-http";
import { pageText } from "./page-text";
import { createSubject, get, onBothStorages, type Subject } from "./subject";

/** Pages of this many bytes are made anew, each in its turn. */
const BYTES = 10_000;
const PAGES = 8;

export async function site(): Promise<Row[]> {
  return [...(await pages()), ...(await onBothStorages(firstPages))];
}

async function pages(): Promise<Row[]> {
  const texts = Array.from({ length: PAGES }, (_, n) => longText(n));
  const changes = texts.map((markdown, n) => ({
    operation: "insert_page",
    title: `Page ${n}`,
    document: { markdown },
  }));
  const kept = (how: string, headers: Readonly<Record<string, string>>) =>
    overHttp(`a page that is kept${how}, over HTTP on Node, memory`, 0.5, async (origin) => {
      const subject = await createSubject(memoryStorage(), { origin });
      const root = await publish(subject, (write) => write(changes));
      return { handler: nodeHandler(createSite(subject.api)), path: `${new URL(root).pathname}/page-1`, headers };
    });
  return [await kept("", {}), await kept(", compressed", { "accept-encoding": "gzip" }), await anew(texts, changes)];
}

async function anew(texts: readonly string[], changes: readonly Change[]): Promise<Row> {
  const { readMarkdown } = await builtReader();
  const subject = await createSubject(memoryStorage());
  const root = await publish(subject, (write) => write(changes));
  const unkept = createSite(subject.api, { cacheBytes: 0 });
  let [shown, parsed] = [0, 0];
  return compare({
    what: `a page of ${BYTES / 1000} KB Markdown, made anew, memory`,
    against: "the time of reading its Markdown",
    budget: { atMost: 3 },
    ours: oneByOne(40, () => open(unkept, `${root}/page-${++shown % PAGES}`)),
    theirs: oneByOne(40, async () => readMarkdown(texts[++parsed % PAGES]!)),
    // Our side runs far more code, which is compiled later: its time still falls by a third after five rounds.
    rounds: [15, 20],
  });
}

/** The reader of Markdown, built as the package is. */
async function builtReader(): Promise<typeof import("../../src/content/markdown/read")> {
  const folder = join(outDir, "parts");
  const entry = { read: "src/content/markdown/read.ts" };
  const plain = { format: "esm", target: "es2022", platform: "neutral", dts: false, silent: true } as const;
  await build({ ...plain, config: false, entry, outDir: folder });
  return import(pathToFileURL(join(folder, "read.js")).href);
}

/** Text of several kinds of blocks. */
function longText(n: number): string {
  const list = "- one *thing*, with `code`\n- another, with [a link](https://example.com/a)\n- and **a third**\n";
  const table = "| name | meaning |\n|---|---|\n| `a` | the first |\n| `b` | the second |\n";
  const hint = '{% hint style="info" %}\nMind *this*.\n{% endhint %}\n';
  const parts: string[] = [];
  for (let i = 0, size = 0; size < BYTES; i++) {
    const part = [pageText(n * 10 + i), list, table, hint].join("\n");
    parts.push(part);
    size += part.length;
  }
  return parts.join("\n").slice(0, BYTES);
}

const BATCH = 50;

/** Sites of many pages, by how many stand below each: in groups at the top, and then below pages. */
const LARGE: readonly { readonly sizes: readonly number[]; readonly how: string }[] = [
  { sizes: [100, 100], how: "10000 pages in 100 groups" },
  // About as many are seen beside a page as on the small site: four levels of ten.
  { sizes: [10, 10, 10, 10], how: "11100 pages, ten below each" },
];
const SMALL = [10, 10];

/** The first page in a process that has just begun, of sites with many pages and of one with few. */
async function firstPages(name: string, storage: Storage): Promise<Row[]> {
  const subject = await createSubject(storage);
  const small = await publish(subject, (write) => below(write, SMALL));
  const first = (url: string) =>
    oneByOne(10, async () => {
      await open(createSite(createDocsApi(storage)), url);
    });
  const rows: Row[] = [];
  for (const { sizes, how } of LARGE) {
    const large = await publish(subject, (write) => below(write, sizes));
    rows.push(
      await compare({
        what: `first page of a site of ${how}, ${name}`,
        against: "of 100 pages in 10 groups",
        budget: { atMost: 1.5 },
        ours: first(large),
        theirs: first(small),
        rounds: [15, 4],
      }),
    );
  }
  return rows;
}

type Change = Readonly<Record<string, unknown>>;

type Write = (
  changes: readonly Change[],
) => Promise<{ readonly changes: { readonly page: { readonly id: string } }[] }>;

/** Writes pages below a parent, and others below each of them. At the top they are groups, if others come below. */
async function below(write: Write, [size = 0, ...deeper]: readonly number[], into?: string): Promise<void> {
  const isGroup = into === undefined && deeper.length > 0;
  const all = Array.from({ length: size }, (_, n) => {
    const content = isGroup ? {} : { document: { markdown: pageText(n) } };
    const place = into === undefined ? {} : { into };
    return { operation: isGroup ? "insert_group" : "insert_page", title: `Page ${n}`, ...content, ...place };
  });
  // One after the other, as a person does: what is at the top does not stand together in the storage.
  const batch = isGroup ? 1 : BATCH;
  for (let i = 0; i < size; i += batch) {
    const { changes } = await write(all.slice(i, i + batch));
    if (deeper.length > 0) for (const { page } of changes) await below(write, deeper, page.id);
  }
}

/** A published site of the pages that are written; gives its address. */
async function publish({ post, path }: Subject, fill: (write: Write) => Promise<unknown>): Promise<string> {
  const { id: space } = await post(`${path}/spaces`, { title: "Guide" });
  await fill((changes) => post(`/v1/spaces/${space}/content`, { changes }));
  const { id } = await post(`${path}/sites`, { title: "Docs", visibility: "public", spaces: [space] });
  const { urls } = await post(`${path}/sites/${id}/publish`, {});
  return (urls.published as string).replace(/\/$/, "");
}

const open = (site: Site, url: string) => get(site, url, {}, 200);
