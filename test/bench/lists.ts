// Pages of a long list: a late one must cost what the first one costs.

import type { Storage } from "octavo";
import { memoryStorage } from "./built";
import { compare, concurrently, oneByOne, type Row } from "./measure";
import { createSubject, onBothStorages } from "./subject";

const PAGES = 200;
const LIMIT = 50;

export async function lists(): Promise<Row[]> {
  return [
    ...(await onBothStorages((name, storage) => latePage("teams", "PUT", name, storage))),
    ...(await latePage("spaces", "POST", "memory", memoryStorage())),
  ];
}

/** A URL that was never asked for, so that no answer serves again. */
let asked = 0;
const anew = (url: string) => `${url}#${++asked}`;

async function latePage(list: string, method: string, name: string, storage: Storage): Promise<Row[]> {
  const { path, ask } = await createSubject(storage);
  let made = 0;
  await concurrently(PAGES * LIMIT + 1, 64, () => ask(method, `${path}/${list}`, { title: `Number ${++made}` }))();

  const first = `${path}/${list}?limit=${LIMIT}`;
  let late = first;
  for (let page = 1; page < PAGES; page++) {
    const { next } = JSON.parse(await ask("GET", late));
    late = `${first}&page=${next.page}`;
  }
  const row = await compare({
    what: `page ${PAGES} of a list of ${PAGES * LIMIT + 1} ${list}, ${name}`,
    against: "the time of page 1",
    budget: { atMost: 1.3 },
    ours: oneByOne(20, () => ask("GET", anew(late))),
    theirs: oneByOne(20, () => ask("GET", anew(first))),
    rounds: [20, 5],
  });
  return [row];
}
