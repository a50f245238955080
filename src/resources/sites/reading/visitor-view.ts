// One state of a space as one visitor sees it, as a view. What the visitor does not see is not in it, and texts are as
// the visitor reads them. So everything that reads content reads it through here in the same ways as for users: trees,
// pages, paths, links, files and documents.
//
//  1. A page is in it when the visitor sees it (`sight.ts`), without what is for authors: its condition, its variables.
//  2. A reusable content is in it when a page that the visitor sees includes it, in a part that the visitor reads.
//  3. A file is in it when a page that the visitor sees shows it: in its text, or as its cover.
//  4. Variables are not in it. Their values stand in the texts.

import { isAdaptive } from "../../../content/evaluate/conditions";
import { loadMarkdownReader } from "../../../content/lazy";
import {
  type FileEntry,
  keys,
  type LinkEntry,
  linkTargets,
  type PageEntry,
  type RedirectEntry,
  type ReusableEntry,
} from "../../../content/revision/entries";
import { resolveLink } from "../../../content/revision/links";
import {
  createRevisionView,
  type EntryRange,
  type RawEntry,
  type RevisionReader,
  type RevisionView,
  type WithId,
} from "../../../content/revision/view";
import { hashFingerprint } from "../../../storage/secrets";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { mayExpandIncludes } from "../../content/revisions/included-files";
import type { TextSource } from "../../content/revisions/text-source";
import { evaluateText } from "../../content/revisions/texts";
import type { ShownContent, VisitorViews } from "../../content/revisions/visitor-views";
import { createVisiblePages, type VisiblePages } from "./visible-pages";
import { removeFrontMatter } from "./visitor-texts";

export const viewsOfVisitors: VisitorViews = {
  createPageFilter(view, { claims }) {
    const sight = once(() => createVisiblePages(view, claims));
    return async (page) => (await (await sight()).getAncestry(page)) !== undefined;
  },
  filterContent: (shown, { claims }) => createVisitorView(shown, claims),
};

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Keeps what was found out, by a name. */
function remembered<Value>(find: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (name) => {
    const value = known.get(name) ?? find(name);
    known.set(name, value);
    return value;
  };
}

type Page = WithId<PageEntry>;

/** What a visitor reads of a page beside its words: the targets of its links, and the reusable contents in it. */
interface ReadOf {
  /** Undefined: every link that is stored of it. */
  readonly hrefs?: ReadonlySet<string>;
  readonly reusables: ReadonlySet<string>;
}

function createVisitorView(
  { view: whole, objects, availableObjects: atHand }: ShownContent,
  claims: object,
): ShownContent {
  const sight = once<VisiblePages>(() => createVisiblePages(whole, claims as never));
  /** Where the texts are from that this view names. */
  const sources = new Map<string, TextSource>();

  const pageOf = remembered(async (id: string) => {
    const way = await (await sight()).getAncestry(id);
    return way && asShown(way[0]!);
  });

  const allPages = once(async () => (await (await sight()).listAll()).map(asShown));

  function asShown({ condition: _, variables: __, stated: ___, computed: ____, type, body, ...page }: Page): Page {
    const shown = { ...page, type: type === "computed" ? (body === undefined ? "group" : "document") : type } as const;
    if (body === undefined) return shown;
    return { ...shown, body: named(page.id, page.updatedAt, { id: page.id, body, page: undefined }) };
  }

  /** A name for a text that says nothing of what the visitor does not read in it. */
  function named(id: string, updatedAt: string, source: TextSource): string {
    const name = hashFingerprint(JSON.stringify([id, updatedAt]));
    sources.set(name, source);
    return name;
  }

  async function evaluated(from: ShownContent["objects"], source: TextSource) {
    const written = await from.text(source.body);
    if (!isAdaptive(written) && !(await mayExpandIncludes(whole, written))) return { text: written };
    const page = await whole.getPage(source.id);
    return evaluateText(from.text, whole, { ...source, page }, written, claims);
  }

  function reading(from: ShownContent["objects"]): ShownContent["objects"] {
    const text = async (name: string) => {
      const source = sources.get(name);
      if (!source) throw new Error("A view for visitors was asked for a text that it has not named.");
      return removeFrontMatter((await evaluated(from, source)).text);
    };
    return { ...from, text, texts: (names) => Promise.all(names.map(text)) };
  }

  /** What the visitor reads of a page that they see. */
  const readOf = remembered(async (id: string): Promise<ReadOf | undefined> => {
    if (!(await pageOf(id))) return undefined;
    const { body } = (await whole.getPage(id))!;
    if (body === undefined) return undefined;
    const written = await objects.text(body);
    if (!isAdaptive(written) && !(await mayExpandIncludes(whole, written))) return { reusables: new Set() };
    const { text, root, includes = [] } = await evaluated(objects, { id, body, page: undefined });
    const { parseInSteps, readDocumentInSteps } = await loadMarkdownReader();
    const { links } = await runSteps(readDocumentInSteps(text, root ?? (await runSteps(parseInSteps(text)))));
    const page = await whole.getPage(id);
    const refs = await Promise.all(includes.map((href) => resolveLink(whole, { page, bases: [[]] }, href)));
    return {
      hrefs: new Set(links.map(({ href }) => href)),
      reusables: new Set(refs.flatMap(({ ref }) => (ref.kind === "reusable-content" ? [ref.reusableContent] : []))),
    };
  });

  /** The pages with a reusable content in their text, or in the text of another one that they include. */
  async function pagesWith(reusable: string, met = new Set<string>()): Promise<string[]> {
    if (met.has(reusable)) return [];
    met.add(reusable);
    const found: string[] = [];
    for (const { source } of await whole.getIncomingLinks(linkTargets.reusable(reusable)))
      found.push(...((await whole.getReusable(source)) ? await pagesWith(source, met) : [source]));
    return found;
  }

  const seesReusable = remembered(async (id: string) => {
    for (const page of await pagesWith(id)) if ((await readOf(page))?.reusables.has(id)) return true;
    return false;
  });

  /** The files that pages have as covers, or lead to. */
  const filesOfPages = once(async () => {
    const refs = (await allPages()).flatMap(({ cover, target }) => [cover?.ref, cover?.refDark, target]);
    return new Set(refs.flatMap((ref) => (ref?.kind === "file" ? [ref.file] : [])));
  });

  const seesFile = remembered(async (id: string) => {
    const file = await whole.getFile(id);
    // A computed file comes with its page, which the visitor sees.
    if (!file || file.url !== undefined || (await filesOfPages()).has(id)) return file !== undefined;
    for (const { source, n } of await whole.getIncomingLinks(linkTargets.file(id))) {
      const { href } = (await whole.get(keys.link(source, n))) as LinkEntry;
      const pages = (await whole.getReusable(source)) ? await pagesWith(source) : [source];
      for (const page of pages) {
        const read = await readOf(page);
        if (read && (read.hrefs?.has(href) ?? true)) return true;
      }
    }
    return false;
  });

  async function fileOf(id: string): Promise<WithId<FileEntry> | undefined> {
    return (await seesFile(id)) ? whole.getFile(id) : undefined;
  }

  async function reusableOf(id: string): Promise<WithId<ReusableEntry> | undefined> {
    const found = await whole.getReusable(id);
    if (!found || !(await seesReusable(id))) return undefined;
    return { ...found, body: named(id, found.updatedAt, { id, body: found.body, page: undefined }) };
  }

  /** A link whose target is not seen leads nowhere. */
  async function linkOf(link: LinkEntry): Promise<LinkEntry> {
    const { ref } = link;
    const isSeen =
      (ref.kind !== "page" && ref.kind !== "anchor") || ref.space !== undefined || ref.page === undefined
        ? ref.kind !== "file" || (await seesFile(ref.file))
        : (await pageOf(ref.page)) !== undefined;
    return isSeen ? link : { ...link, to: linkTargets.missing(link.href), ref: { kind: "url", url: link.href } };
  }

  async function get(key: string): Promise<unknown> {
    const [kind, id = ""] = key.split("/") as [string, string?];
    switch (kind) {
      case "p":
        return withoutId(await pageOf(id));
      case "f":
        return withoutId(await fileOf(id));
      case "r":
        return withoutId(await reusableOf(id));
      case "h":
        return (await pageOf(id)) && whole.get(key);
      case "o": {
        const link = (await whole.get(key)) as LinkEntry | undefined;
        return link && (await readsFrom(id)) ? linkOf(link) : undefined;
      }
      case "s":
      case "g": {
        const found = (await whole.get(key)) as Standing | undefined;
        return found && (await isSeen(found)) ? found : undefined;
      }
      case "w": {
        const found = (await whole.get(key)) as RedirectEntry | undefined;
        const page = found && "page" in found.to ? found.to.page : undefined;
        return page === undefined || (await pageOf(page)) ? found : undefined;
      }
      case "b":
        return key === keys.languages ? whole.get(key) : undefined;
      default:
        return undefined;
    }
  }

  /** What an entry of slugs or of paths of files names. */
  async function isSeen({ page, file, reusable }: Standing): Promise<boolean> {
    if (page !== undefined) return (await pageOf(page)) !== undefined;
    if (file !== undefined) return seesFile(file);
    return reusable !== undefined && seesReusable(reusable);
  }

  /** Whether the visitor reads the text of a page or of a reusable content. */
  async function readsFrom(source: string): Promise<boolean> {
    return (await pageOf(source)) !== undefined || (await seesReusable(source));
  }

  /** Every entry of a part, in order. A whole list is read in several parts. */
  const rowsUnder = remembered(findRows);

  async function findRows(under: string): Promise<readonly RawEntry[]> {
    if (under === keys.pages)
      return (await allPages())
        .map((page) => ({ key: keys.page(page.id), value: withoutId(page) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    const [kind, id = ""] = under.split("/") as [string, string?];
    const rows = async () => whole.list({ under });
    if (kind === "c") return filtered(await rows(), async ({ value }) => (await pageOf(value as string)) !== undefined);
    if (under === keys.files || under === keys.reusables)
      return (await Promise.all((await rows()).map(async ({ key }) => ({ key, value: await get(key) })))).filter(
        ({ value }) => value !== undefined,
      );
    if (kind !== "o" || id === "" || !(await readsFrom(id))) return [];
    return Promise.all(
      (await rows()).map(async ({ key, value }) => ({ key, value: await linkOf(value as LinkEntry) })),
    );
  }

  async function list({ under, after, before, reverse, limit }: EntryRange): Promise<readonly RawEntry[]> {
    const rows = (await rowsUnder(under)).filter(
      ({ key }) => (after === undefined || key > after) && (before === undefined || key < before),
    );
    return (reverse ? rows.toReversed() : rows).slice(0, limit);
  }

  const reads: RevisionReader = {
    get,
    getMany: (names) => Promise.all(names.map(get)),
    list,
    count: async ({ under }) => (await rowsUnder(under)).length,
  };
  const view: RevisionView = { ...createRevisionView(reads), getVariables: async () => ({}) };
  return { view, objects: reading(objects), availableObjects: reading(atHand), isEvaluated: true };
}

/** What an entry of slugs or of paths of files leads to. */
interface Standing {
  readonly page?: string;
  readonly file?: string;
  readonly reusable?: string;
}

function withoutId<Entry extends object>(found: WithId<Entry> | undefined): unknown {
  if (!found) return undefined;
  const { id: _, ...entry } = found;
  return entry;
}

async function filtered(rows: readonly RawEntry[], passes: (row: RawEntry) => Promise<boolean>): Promise<RawEntry[]> {
  const kept = await Promise.all(rows.map(passes));
  return rows.filter((_, i) => kept[i]);
}
