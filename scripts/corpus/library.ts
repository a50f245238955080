// The library on a storage in memory, with one space, as a host would use it.

import { memoryStorage } from "../../adapters/memory";
import { createDocsApi, type DocsApiOptions, type Storage } from "../../src";

/** A page as the library lists it. */
export interface ListedPage {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly path: string;
  readonly git?: { readonly path: string };
  readonly pages?: readonly ListedPage[];
}

/** What a link leads to. */
export interface Target {
  readonly kind: string;
  readonly page?: string;
  readonly anchor?: string;
  readonly url?: string;
}

/** How the links of a space are. */
export interface Links {
  readonly total: number;
  readonly broken: number;
  /** What the broken ones lead to, as `nameOfTarget` writes it, or as they are written. */
  readonly targets: ReadonlySet<string>;
}

/** One space of the library. */
export interface Library {
  /** Asks for something of the space. Throws what the library refuses. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** All pages with a text, in order. */
  pages(): Promise<ListedPage[]>;
  document(page: string): Promise<unknown>;
  links(): Promise<Links>;
  maintain(): Promise<unknown>;
  close(): Promise<void>;
}

const LINKS_AT_ONCE = 1000;

/** Opens a library with a space, which takes as much as it is given. */
export async function openLibrary(
  options: Pick<DocsApiOptions, "fetch" | "git">,
  {
    maxPages = 100_000,
    storage = memoryStorage(),
  }: { readonly maxPages?: number | undefined; readonly storage?: Storage } = {},
): Promise<Library> {
  const api = createDocsApi(storage, {
    secret: "a secret for the length of one measurement",
    imports: { maxPages, maxFiles: 1_000_000, maxBytes: 4 * 1024 ** 3, maxSeconds: 6 * 3600 },
    onError: (error) => console.error(error),
    ...options,
  });
  const { organization, token } = await api.provision({
    user: { displayName: "Corpus", email: "corpus@localhost.localdomain" },
    organization: { title: "Corpus" },
    token: { label: "Corpus" },
  });
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await api.fetch(
      new Request(`http://localhost/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const { id } = (await send("POST", `/orgs/${organization}/spaces`, { title: "Corpus" })) as { id: string };
  const ask: Library["ask"] = (method, path, body) => send(method, `/spaces/${id}${path}`, body);
  return {
    ask,
    pages: async () => documentsIn(((await ask("GET", "/content/pages")) as { pages: ListedPage[] }).pages),
    document: async (page) =>
      ((await ask("GET", `/content/page/${page}?format=document`)) as { document: unknown }).document,
    links: () => linksIn(ask),
    maintain: () => api.maintain(),
    close: () => api.close(),
  };
}

function documentsIn(pages: readonly ListedPage[]): ListedPage[] {
  return pages.flatMap((page) => [...(page.type === "document" ? [page] : []), ...documentsIn(page.pages ?? [])]);
}

interface LinkList {
  readonly items: readonly { readonly status: string; readonly targetReference: Listed }[];
  readonly next?: { readonly page: string };
  readonly stats: { readonly total: number; readonly broken: { readonly total: number } };
}

interface Listed {
  readonly page?: { readonly id: string };
  readonly internalLocation?: { readonly anchor?: string };
  readonly url?: string;
}

async function linksIn(ask: Library["ask"]): Promise<Links> {
  const targets = new Set<string>();
  for (let at = ""; ; ) {
    const from = at === "" ? "" : `&page=${encodeURIComponent(at)}`;
    const { items, next, stats } = (await ask("GET", `/links?limit=${LINKS_AT_ONCE}${from}`)) as LinkList;
    for (const { status, targetReference: it } of items) {
      if (status !== "broken") continue;
      targets.add(it.page ? nameOfTarget(it.page.id, it.internalLocation?.anchor) : (it.url ?? ""));
    }
    if (next === undefined) return { total: stats.total, broken: stats.broken.total, targets };
    at = next.page;
  }
}

/** A page, or a place in one, in one word. */
export function nameOfTarget(page: string, anchor: string | undefined): string {
  return anchor === undefined ? page : `${page}#${anchor}`;
}
