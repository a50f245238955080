// The first requests of a visitor: what is at a URL, the profile of the site, and a page. Each is measured against one
// GET of the same page by a member, which was never asked for before either.

import type { Storage } from "octavo";
import { memoryStorage } from "./built";
import { compare, oneByOne, type Row } from "./measure";
import { createSubject, type Subject } from "./subject";

const PAGES = 50;

export async function visits(): Promise<Row[]> {
  const storage: Storage = memoryStorage();
  const subject = await createSubject(storage);
  const { ask } = subject;
  const { url, space, page, profile } = await build(subject);
  const { apiToken } = JSON.parse(await ask("POST", "/v1/urls/published", { url })) as { apiToken: string };
  let asked = 0;
  const anew = (path: string) => `${path}#${++asked}`;
  const atPage = `/v1/spaces/${space}/content/page/${page}`;
  const asVisitor = (path: string) => get(subject, anew(path), `Bearer ${apiToken}`);
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
        rounds: 15,
        warmUp: 4,
      }),
    );
  await storage.close();
  return rows;
}

async function get({ api }: Subject, url: string, authorization: string): Promise<void> {
  const headers: Readonly<Record<string, string>> = { authorization };
  const { status } = await api.handle({
    method: "GET",
    url,
    headers: { get: (name) => headers[name] ?? null },
    body: async () => new Uint8Array(),
  });
  if (status !== 200) throw new Error(`${url}: ${status}`);
}

/** A published site with one space of pages. */
async function build({ ask, path }: Subject) {
  const made = async (url: string, send: object) => JSON.parse(await ask("POST", url, send));
  const { id: space } = await made(`${path}/spaces`, { title: "Guide" });
  const changes = Array.from({ length: PAGES }, (_, i) => ({
    operation: "insert_page",
    title: `Page ${i}`,
    document: { markdown: `# Part\n\n${"Some words of a page. ".repeat(100)}` },
  }));
  const written = await made(`/v1/spaces/${space}/content`, { changes });
  const { id } = await made(`${path}/sites`, { title: "Docs", spaces: [space] });
  const { urls } = await made(`${path}/sites/${id}/publish`, {});
  const page = written.changes[PAGES / 2].page.id as string;
  return { url: urls.published as string, space: space as string, page, profile: `${path}/sites/${id}/published` };
}
