// The first requests of a visitor: what is at a URL, the profile of the site, and a page. Each is measured against one
// GET of the same page by a member, which was never asked for before either.

import type { Storage } from "octavo";
import { memoryStorage } from "./built";
import { compare, oneByOne, type Row } from "./measure";
import { createSubject, get, type Subject } from "./subject";

const PAGES = 50;

export async function visits(): Promise<Row[]> {
  const storage: Storage = memoryStorage();
  const subject = await createSubject(storage);
  const { ask, api } = subject;
  const { url, space, page, profile } = await build(subject);
  const { apiToken } = JSON.parse(await ask("POST", "/v1/urls/published", { url })) as { apiToken: string };
  let asked = 0;
  const anew = (path: string) => `${path}#${++asked}`;
  const atPage = `/v1/spaces/${space}/content/page/${page}`;
  const asVisitor = (path: string) => get(api, anew(path), { authorization: `Bearer ${apiToken}` }, 200);
  const steps: Record<string, () => Promise<unknown>> = {
    "what is at a URL": () => ask("POST", "/v1/urls/published", { url }),
    "the profile of a site, by a visitor's token": () => asVisitor(profile),
    "a page, by a visitor's token": () => asVisitor(atPage),
  };
  const rows: Row[] = [];
  for (const [what, step] of Object.entries(steps))
    rows.push(
      await compare({
        what: `${what}, never asked before`,
        against: "one GET of the page by a member",
        budget: { atMost: 2 },
        ours: oneByOne(100, step),
        theirs: oneByOne(100, () => ask("GET", anew(atPage))),
        rounds: [15, 4],
      }),
    );
  await storage.close();
  return rows;
}

/** A published site with one space of pages. */
async function build({ post, path }: Subject) {
  const { id: space } = await post(`${path}/spaces`, { title: "Guide" });
  const changes = Array.from({ length: PAGES }, (_, i) => ({
    operation: "insert_page",
    title: `Page ${i}`,
    document: { markdown: `# Part\n\n${"Some words of a page. ".repeat(100)}` },
  }));
  const written = await post(`/v1/spaces/${space}/content`, { changes });
  const { id } = await post(`${path}/sites`, { title: "Docs", spaces: [space] });
  const { urls } = await post(`${path}/sites/${id}/publish`, {});
  const page = written.changes[PAGES / 2].page.id as string;
  return { url: urls.published as string, space: space as string, page, profile: `${path}/sites/${id}/published` };
}
