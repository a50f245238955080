// What the server of an overload has before the load comes, and what it must have afterwards.

import { levelStorage } from "../../../adapters/level";
import { createDocsApi } from "../../../src/index";
import { askWithToken, mustSucceed } from "../../support/asking";

export const SECRET = "a secret of more than thirty-two characters";

const SPACES = 20;
const PAGES = 50;
const LARGE_BYTES = 1000 * 1000;
/** How many words the language of the pages has. */
export const WORDS = 20_000;

export interface World {
  readonly token: string;
  readonly organization: string;
  readonly spaces: readonly { readonly id: string; readonly pages: readonly string[] }[];
  /** The path of a page of a megabyte. */
  readonly large: string;
}

/** What somebody was told that it is written: a text in a space. */
export interface Written {
  readonly space: string;
  readonly kind: "comment" | "page";
  readonly text: string;
}

export async function makeWorld(folder: string): Promise<World> {
  const { api, askAs, close } = open(folder);
  const { organization, token } = await api.provision({
    user: { displayName: "Somebody", email: "somebody@example.com" },
    organization: { title: "One" },
    token: { label: "overload" },
  });
  const ask = askAs(token!);
  const insert = async (space: string, pages: { readonly title: string; readonly markdown: string }[]) => {
    const changes = pages.map(({ title, markdown }) => ({ operation: "insert_page", title, document: { markdown } }));
    const made = await ask("POST", `/spaces/${space}/content`, { changes });
    return made.changes.map(({ page }: { page: { id: string } }) => page.id) as string[];
  };
  const spaces: { id: string; pages: string[] }[] = [];
  for (let at = 0; at < SPACES; at++) {
    const { id } = await ask("POST", `/orgs/${organization}/spaces`, { title: `Space ${at}` });
    const texts = Array.from({ length: PAGES }, (_, page) => ({
      title: `Page ${page}`,
      markdown: prose(3000, at * PAGES + page),
    }));
    spaces.push({ id, pages: await insert(id, texts) });
  }
  const { id: big } = await ask("POST", `/orgs/${organization}/spaces`, { title: "Large pages" });
  const [large] = await insert(big, [{ title: "Large", markdown: prose(LARGE_BYTES, 1) }]);
  await close();
  const path = `/v1/spaces/${big}/content/page/${large}`;
  return { token: token!, organization: organization!, spaces, large: path };
}

/** What was answered and is not there. The server has ended by then. */
export async function missing(folder: string, world: World, written: readonly Written[]): Promise<Written[]> {
  const { askAs, close } = open(folder);
  const ask = askAs(world.token);
  const there = new Set<string>();
  for (const { id } of world.spaces) {
    const { pages } = await ask("GET", `/spaces/${id}/content/pages`);
    for (const { title } of pages) there.add(`page ${id} ${title}`);
    for (let page = ""; ; ) {
      const { items, next } = await ask("GET", `/spaces/${id}/comments?limit=1000${page}`);
      for (const { body } of items) there.add(`comment ${id} ${body.markdown.trim()}`);
      if (next === undefined) break;
      page = `&page=${next.page}`;
    }
  }
  await close();
  return written.filter(({ kind, space, text }) => !there.has(`${kind} ${space} ${text}`));
}

function open(folder: string) {
  const storage = levelStorage(folder);
  const api = createDocsApi(storage, { secret: SECRET });
  const close = async () => {
    await api.close();
    await storage.close();
  };
  return { api, askAs: (token: string) => mustSucceed(askWithToken(api, token)), close };
}

/** A text of about so many bytes in paragraphs, another one for each number. */
export function prose(bytes: number, number: number): string {
  let text = "";
  for (let at = number * 7919; text.length < bytes; at++) {
    // Low numbers are frequent, as words are.
    text += word((at * at) % (1 + ((at * 31) % WORDS))) + (at % 40 === 0 ? "\n\n" : " ");
  }
  return text;
}

const SYLLABLES = "ka to mi re su lo ne pa vi do".split(" ");

/** The word of a number. */
export function word(number: number): string {
  return Array.from(String(number), (digit) => SYLLABLES[Number(digit)]).join("");
}
