// The published profile of a large site: a renderer asks for it with every page that it shows. And views, which it reports.

import type { Storage } from "octavo";
import { compare, oneByOne, type Row } from "./measure";
import { createSubject, get, onBothStorages, type Subject } from "./subject";

const SECTIONS = 50;
const SPACES_A_SECTION = 10;
/** The small site has a tenth of that. */
const SHARE = 10;
/** The views of one report. */
const VIEWS = 50;

export const sites = () => onBothStorages(profiles);

async function profiles(name: string, storage: Storage): Promise<Row[]> {
  const subject = await createSubject(storage);
  const small = await build(subject, SECTIONS / SHARE);
  const large = await build(subject, SECTIONS);
  const what = `published profile of ${SECTIONS} sections and ${SECTIONS * SPACES_A_SECTION} site-spaces`;
  let asked = 0;
  const anew = (url: string) => () => subject.ask("GET", `${url}#${++asked}`);
  return [
    await compare({
      what: `${what}, never asked before, ${name}`,
      against: `${SHARE} times the time of a site with a ${SHARE}th of them`,
      budget: { atMost: 1.2 },
      ours: oneByOne(4, anew(large)),
      theirs: scaled(SHARE, oneByOne(4 * SHARE, anew(small))),
      rounds: [15, 4],
    }),
    await compare({
      what: `${what}, asked again, ${name}`,
      against: "the time when it was never asked before",
      budget: { atMost: 0.05 },
      ours: oneByOne(100, () => subject.ask("GET", large)),
      theirs: oneByOne(4, anew(large)),
      rounds: [15, 4],
    }),
    await compare({
      what: `${what}, with If-None-Match, ${name}`,
      against: "the time of the small site",
      budget: { atMost: 1.3 },
      ours: oneByOne(200, await unchanged(subject, large)),
      theirs: oneByOne(200, await unchanged(subject, small)),
      rounds: [20, 5],
    }),
    await compare({
      what: `${VIEWS} views reported at once, ${name}`,
      against: "the time of reporting them one by one",
      budget: { atMost: 0.2 },
      ours: oneByOne(2, () => report(subject, small, VIEWS)),
      theirs: scaled(
        VIEWS,
        oneByOne(2 * VIEWS, () => report(subject, small, 1)),
      ),
      rounds: [10, 3],
    }),
  ];
}

/** Reports views of the site with this profile. */
function report({ ask }: Subject, profile: string, views: number): Promise<string> {
  const session = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", language: "en" };
  const events = Array.from({ length: views }, () => ({ type: "page_view", session }));
  return ask("POST", profile.replace(/published$/, "insights/events"), { events });
}

function scaled(by: number, side: () => Promise<number>): () => Promise<number> {
  return async () => by * (await side());
}

/** Asks with the tag of the answer that there is; throws when it has changed. */
async function unchanged({ api }: Subject, url: string): Promise<() => Promise<unknown>> {
  const { etag } = (await get(api, url, {}, 200)).headers as { etag: string };
  return () => get(api, url, { "if-none-match": etag }, 304);
}

/** A published site with so many sections; gives the path of its profile. */
async function build({ post, path }: Subject, sections: number): Promise<string> {
  const site = `${path}/sites/${(await post(`${path}/sites`, { title: "Docs" })).id}`;
  for (let i = 0; i < sections; i++) {
    let sectionId: string | undefined;
    for (let k = 0; k < SPACES_A_SECTION; k++) {
      const { id: spaceId } = await post(`${path}/spaces`, { title: `Space ${i} ${k}` });
      if (sectionId === undefined) sectionId = (await post(`${site}/sections`, { spaceId, title: `Section ${i}` })).id;
      else await post(`${site}/site-spaces`, { spaceId, sectionId });
    }
  }
  await post(`${site}/publish`, {});
  return `${site}/published`;
}
