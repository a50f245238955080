// Content with 100 and with 10,000 pages: an operation on one page must not cost more when there are more pages.

import type { Storage } from "octavo";
import { compare, oneByOne, type Row, type Side, withoutBudget } from "./measure";
import { pageText, rare } from "./page-text";
import { createSubject, onBothStorages } from "./subject";

const FEW = 100;
const MANY = 10_000;
const BATCH = 50;
/** Pages that a change request edits. */
const CHANGED = 10;

export const content = () => onBothStorages(measured);

async function measured(name: string, storage: Storage): Promise<Row[]> {
  const { path, ask, api } = await createSubject(storage);
  const [few, many] = [await fill(ask, path, FEW), await fill(ask, path, MANY)];
  await api.maintain();
  let edits = 0;
  const writePage = ({ space, pages }: Filled, n: number, markdown: string) => {
    const changes = [{ operation: "update_page", page: pages[n % pages.length]!, document: { markdown } }];
    return ask("POST", `/v1/spaces/${space}/content`, { changes });
  };
  /** A word changes in the middle of a page. */
  const edit = (it: Filled) => {
    const n = (++edits * 7919) % it.pages.length;
    return writePage(it, n, pageText(n).replace("## Section 2", `A word${edits} more.\n\n## Section 2`));
  };
  /** Everything changes: the words, every heading, and where its link leads. */
  const rewrite = (it: Filled) => writePage(it, ++edits * 7919, pageText(edits));
  let asked = 0;
  const read = ({ space, pages }: Filled) =>
    ask("GET", `/v1/spaces/${space}/content/page/${pages[(++asked * 7919) % pages.length]}#${asked}`);
  const duplicate = ({ space }: Filled) => ask("POST", `/v1/spaces/${space}/duplicate`);
  const revision = async (it: Filled) => JSON.parse(await edit(it)).revision as string;
  const [fewLast, manyLast] = [await revision(few), await revision(many)];
  const changes = (it: Filled, last: string) =>
    ask("GET", `/v1/spaces/${it.space}/revisions/${last}/changes#${++asked}`);
  const sides = (what: string, atMost: number, side: (it: Filled) => Side) =>
    compare({
      what: `${what} of ${MANY} pages, ${name}`,
      against: `of ${FEW} pages`,
      budget: { atMost },
      ours: side(many),
      theirs: side(few),
      rounds: [10, 3],
    });
  const row = (what: string, atMost: number, run: (it: Filled) => Promise<unknown>, each = 5) =>
    sides(what, atMost, (it) => oneByOne(each, () => run(it)));
  const merging = (it: Filled) => async () => {
    const n = ++edits;
    const proposal = await propose(ask, it, n);
    // Meanwhile the space moves on, on another page.
    await writePage(it, pageOf(n, CHANGED + 1), `${pageText(n)}\nMeanwhile ${n}.\n`);
    return oneByOne(1, async () => {
      const { result } = JSON.parse(await ask("POST", `${proposal}/merge`));
      if (result !== "merge") throw new Error(`The merge came to ${result}.`);
    })();
  };
  return [
    await row("edit one page", 2, edit),
    withoutBudget(await row("replace one page, its headings and links too,", 2, rewrite)),
    withoutBudget(await row("read one page", 2, read, 20)),
    await row("duplicate a space", 1.5, duplicate),
    await row("tell what a revision changed in a space", 2, (it) => changes(it, it === many ? manyLast : fewLast)),
    await sides(`merge ${CHANGED} changed pages in a space`, 2, merging),
    await search(name, ask, many),
  ];
}

/** The words that are looked for: common, rare, several, the beginning of one, one with a mistake. */
const queries = [
  "alpha",
  rare(1234),
  "alpha beta",
  rare(1234).slice(0, 4),
  "gama",
  `install alpha ${rare(77)}`,
  "word12",
];

async function search(name: string, ask: Ask, { space }: Filled): Promise<Row> {
  const once = async (i: number) => {
    const start = process.cpuUsage();
    await ask("GET", `/v1/spaces/${space}/search?query=${encodeURIComponent(queries[i % queries.length]!)}#${i}`);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  for (let i = 0; i < 50; i++) await once(i);
  const times: number[] = [];
  for (let i = 50; i < 300; i++) times.push(await once(i));
  times.sort((a, b) => a - b);
  const [p50, p95] = [times[125]!, times[237]!];
  return {
    what: `search over ${MANY} pages, warm, ${name}`,
    against: "the processor's time, 250 searches",
    measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    budget: "p50 at most 20 ms",
    holds: p50 <= 20,
  };
}

type Ask = Awaited<ReturnType<typeof createSubject>>["ask"];

/** A space and the ids of its pages. */
interface Filled {
  readonly space: string;
  readonly pages: readonly string[];
}

/** Pages far from each other, another one for each `k`. */
const pageOf = (n: number, k: number) => n * CHANGED + k * 7919;

/** A change request that edits some pages, which nobody else does. */
async function propose(ask: Ask, { space, pages }: Filled, n: number): Promise<string> {
  const { id } = JSON.parse(await ask("POST", `/v1/spaces/${space}/change-requests`, { subject: `Number ${n}` }));
  const path = `/v1/spaces/${space}/change-requests/${id}`;
  const changes = Array.from({ length: CHANGED }, (_, k) => {
    const at = pageOf(n, k) % pages.length;
    return { operation: "update_page", page: pages[at]!, document: { markdown: `${pageText(at)}\nProposed ${n}.\n` } };
  });
  await ask("POST", `${path}/content`, { changes });
  return path;
}

/** A space whose pages stand in folders of a hundred. */
export async function fill(ask: Ask, path: string, size: number): Promise<Filled> {
  const { id: space } = JSON.parse(await ask("POST", `${path}/spaces`, { title: `${size} pages` }));
  const pages: string[] = [];
  let folder: string | undefined;
  while (pages.length < size) {
    const changes = Array.from({ length: Math.min(BATCH, size - pages.length) }, (_, i) => {
      const n = pages.length + i;
      const into = n % 100 === 0 || folder === undefined ? {} : { into: folder };
      return { operation: "insert_page", title: `Page ${n}`, document: { markdown: pageText(n) }, ...into };
    });
    const answer = JSON.parse(await ask("POST", `/v1/spaces/${space}/content`, { changes }));
    const made = answer.changes.map((it: { page: { id: string } }) => it.page.id) as string[];
    if (pages.length % 100 === 0) folder = made[0]!;
    pages.push(...made);
  }
  return { space, pages };
}
