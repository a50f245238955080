// One revision of a space as one visitor sees it, as a revision view. It contains nothing that the visitor does not see, and
// texts are as the visitor reads them. So everything that reads content works for visitors in the same way as for members:
// trees, pages, paths, links, files and documents.
//
//  1. A page is in the view if the visitor sees it (`visible-pages.ts`), without its condition and its variables, which are
//     for authors.
//  2. A reusable content is in it if a page that the visitor sees includes it, in a part that the visitor reads.
//  3. A file is in it if a page that the visitor sees shows it, in its text or as its cover.
//  4. Variables are not in it. Their values are part of the texts.

import { isAdaptive } from "../../../content/evaluate/conditions";
import { loadMarkdownReader } from "../../../content/lazy";
import { keys, type LinkEntry, linkTargets, type RedirectEntry } from "../../../content/revision/entries";
import { resolveLink } from "../../../content/revision/links";
import {
  createRevisionView,
  type RawEntry,
  type RevisionReader,
  type RevisionView,
  type WithId,
} from "../../../content/revision/view";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { sha256Hex } from "../../../utils/sha256";
import type { TextSource } from "../../content/revisions/text-source";
import { evaluateText, mayExpandIncludes } from "../../content/revisions/texts";
import type { ReadableContent, VisitorViews } from "../../content/revisions/visitor-views";
import { createVisiblePages, removeFrontMatter, type VisiblePage } from "./visible-pages";

export const siteVisitorViews: VisitorViews = {
  createPageFilter(view, { claims }) {
    const getVisiblePages = memoizeOnce(() => createVisiblePages(view, claims));
    return async (page) => (await (await getVisiblePages()).getAncestry(page)) !== undefined;
  },
  filterContent: createVisitorView,
};

/** Returns a function that runs `load` on the first call only. */
function memoizeOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= load();
    return value;
  };
}

/** Returns a function that runs `load` once for each key. */
function memoizeByKey<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const values = new Map<string, Promise<Value>>();
  return (key) => {
    const value = values.get(key) ?? load(key);
    values.set(key, value);
    return value;
  };
}

/** The links and the reusable contents that a visitor reads in the text of a page. */
interface PageTextContents {
  /** The targets of the links; undefined if the visitor reads every link that is stored for the page. */
  readonly hrefs?: ReadonlySet<string>;
  readonly reusables: ReadonlySet<string>;
}

function createVisitorView(
  { view: fullView, objects, availableObjects }: ReadableContent,
  { claims }: Parameters<VisitorViews["filterContent"]>[1],
): ReadableContent {
  const getVisiblePages = memoizeOnce(() => createVisiblePages(fullView, claims as never));
  /** The sources of the texts that this view refers to, by the names that it gives them. */
  const sources = new Map<string, TextSource>();

  /** Names a text. The name says nothing about the parts of the text that the visitor does not read. */
  function registerText(id: string, updatedAt: string, source: TextSource): string {
    const name = sha256Hex(JSON.stringify([id, updatedAt]));
    sources.set(name, source);
    return name;
  }

  async function evaluate(from: ReadableContent["objects"], source: TextSource) {
    const written = await from.text(source.body);
    if (!isAdaptive(written) && !(await mayExpandIncludes(fullView, written))) return { text: written };
    const page = await fullView.getPage(source.id);
    return evaluateText(from.text, fullView, { ...source, page }, written, claims as never);
  }

  function createTextReader(from: ReadableContent["objects"]): ReadableContent["objects"] {
    const text = async (name: string) => {
      const source = sources.get(name);
      if (!source) throw new Error("A view for visitors was asked for a text that it has not named.");
      return removeFrontMatter((await evaluate(from, source)).text);
    };
    return { ...from, text, texts: (names) => Promise.all(names.map(text)) };
  }

  /** Removes what is for authors from a page, and renames its text. */
  function hideAuthorFields(page: VisiblePage): VisiblePage {
    const { condition: _, variables: __, stated: ___, computed: ____, type, body, ...fields } = page;
    const visibleType = type === "computed" ? (body === undefined ? "group" : "document") : type;
    if (body === undefined) return { ...fields, type: visibleType };
    const name = registerText(page.id, page.updatedAt, { id: page.id, body, page: undefined });
    return { ...fields, type: visibleType, body: name };
  }

  const getVisiblePage = memoizeByKey(async (id) => {
    const ancestry = await (await getVisiblePages()).getAncestry(id);
    return ancestry && hideAuthorFields(ancestry[0]!);
  });

  const listVisiblePages = memoizeOnce(async () => (await (await getVisiblePages()).listAll()).map(hideAuthorFields));

  const readPageText = memoizeByKey(async (id): Promise<PageTextContents | undefined> => {
    if (!(await getVisiblePage(id))) return undefined;
    const { body } = (await fullView.getPage(id))!;
    if (body === undefined) return undefined;
    const written = await objects.text(body);
    if (!isAdaptive(written) && !(await mayExpandIncludes(fullView, written))) return { reusables: new Set() };
    const { text, root, includes = [] } = await evaluate(objects, { id, body, page: undefined });
    const { parseMarkdownInSteps: parseInSteps, readDocumentInSteps } = await loadMarkdownReader();
    const { links } = await runSteps(readDocumentInSteps(text, root ?? (await runSteps(parseInSteps(text)))));
    const page = await fullView.getPage(id);
    const refs = await Promise.all(includes.map((href) => resolveLink(fullView, { page, bases: [[]] }, href)));
    return {
      hrefs: new Set(links.map(({ href }) => href)),
      reusables: new Set(refs.flatMap(({ ref }) => (ref.kind === "reusable-content" ? [ref.reusableContent] : []))),
    };
  });

  /** Lists the pages that include a reusable content in their text, directly or through another reusable content. */
  async function listPagesWithReusable(reusable: string, visited = new Set<string>()): Promise<string[]> {
    if (visited.has(reusable)) return [];
    visited.add(reusable);
    const pages: string[] = [];
    for (const { source } of await fullView.getIncomingLinks(linkTargets.reusable(reusable))) {
      if (await fullView.getReusable(source)) pages.push(...(await listPagesWithReusable(source, visited)));
      else pages.push(source);
    }
    return pages;
  }

  const canSeeReusable = memoizeByKey(async (id) => {
    for (const page of await listPagesWithReusable(id)) if ((await readPageText(page))?.reusables.has(id)) return true;
    return false;
  });

  /** Lists the files that pages have as covers or as link targets. */
  const listFilesOfPages = memoizeOnce(async () => {
    const refs = (await listVisiblePages()).flatMap(({ cover, target }) => [cover?.ref, cover?.refDark, target]);
    return new Set(refs.flatMap((ref) => (ref?.kind === "file" ? [ref.file] : [])));
  });

  const canSeeFile = memoizeByKey(async (id) => {
    const file = await fullView.getFile(id);
    // A computed file comes with its page, which the visitor sees.
    if (!file || file.url !== undefined || (await listFilesOfPages()).has(id)) return file !== undefined;
    for (const { source, n } of await fullView.getIncomingLinks(linkTargets.file(id))) {
      const { href } = (await fullView.get(keys.link(source, n))) as LinkEntry;
      const pages = (await fullView.getReusable(source)) ? await listPagesWithReusable(source) : [source];
      for (const page of pages) {
        const contents = await readPageText(page);
        if (contents && (contents.hrefs?.has(href) ?? true)) return true;
      }
    }
    return false;
  });

  /** Returns whether the visitor reads the text of a page or of a reusable content. */
  async function canReadText(source: string): Promise<boolean> {
    return (await getVisiblePage(source)) !== undefined || (await canSeeReusable(source));
  }

  /** Replaces the target of a link that the visitor does not see by the address that is written there. */
  async function hideLinkTarget(link: LinkEntry): Promise<LinkEntry> {
    const { ref } = link;
    let isVisible = true;
    if (ref.kind === "file") isVisible = await canSeeFile(ref.file);
    else if ((ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined && ref.page !== undefined)
      isVisible = (await getVisiblePage(ref.page)) !== undefined;
    return isVisible ? link : { ...link, to: linkTargets.missing(link.href), ref: { kind: "url", url: link.href } };
  }

  async function getVisibleEntry(key: string): Promise<unknown> {
    const [kind, id = ""] = key.split("/") as [string, string?];
    switch (kind) {
      case "p":
        return removeId(await getVisiblePage(id));
      case "f":
        return (await canSeeFile(id)) ? removeId(await fullView.getFile(id)) : undefined;
      case "r": {
        const reusable = await fullView.getReusable(id);
        if (!reusable || !(await canSeeReusable(id))) return undefined;
        const body = registerText(id, reusable.updatedAt, { id, body: reusable.body, page: undefined });
        return removeId({ ...reusable, body });
      }
      case "h":
        return (await getVisiblePage(id)) && fullView.get(key);
      case "o": {
        const link = (await fullView.get(key)) as LinkEntry | undefined;
        return link && (await canReadText(id)) ? hideLinkTarget(link) : undefined;
      }
      case "s":
      case "g": {
        // An entry of slugs, or of the paths of files.
        type TargetEntry = { readonly page?: string; readonly file?: string; readonly reusable?: string };
        const entry = (await fullView.get(key)) as TargetEntry | undefined;
        if (!entry) return undefined;
        const { page, file, reusable } = entry;
        if (page !== undefined) return (await getVisiblePage(page)) && entry;
        if (file !== undefined) return (await canSeeFile(file)) ? entry : undefined;
        return reusable !== undefined && (await canSeeReusable(reusable)) ? entry : undefined;
      }
      case "w": {
        const redirect = (await fullView.get(key)) as RedirectEntry | undefined;
        const page = redirect && "page" in redirect.to ? redirect.to.page : undefined;
        return page === undefined || (await getVisiblePage(page)) ? redirect : undefined;
      }
      case "b":
        return key === keys.languages ? fullView.get(key) : undefined;
      default:
        return undefined;
    }
  }

  /** Returns every visible entry under a prefix, in order. Callers read a long list in several parts. */
  const listEntries = memoizeByKey(async (under): Promise<readonly RawEntry[]> => {
    if (under === keys.pages)
      return (await listVisiblePages())
        .map((page) => ({ key: keys.page(page.id), value: removeId(page) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    const [kind, id = ""] = under.split("/") as [string, string?];
    if (kind === "c") {
      const entries = await fullView.list({ under });
      const pages = await Promise.all(entries.map(({ value }) => getVisiblePage(value as string)));
      return entries.filter((_, i) => pages[i] !== undefined);
    }
    if (under === keys.files || under === keys.reusables) {
      const entries = await fullView.list({ under });
      const visible = await Promise.all(entries.map(async ({ key }) => ({ key, value: await getVisibleEntry(key) })));
      return visible.filter(({ value }) => value !== undefined);
    }
    if (kind !== "o" || id === "" || !(await canReadText(id))) return [];
    const links = await fullView.list({ under });
    return Promise.all(links.map(async ({ key, value }) => ({ key, value: await hideLinkTarget(value as LinkEntry) })));
  });

  const reader: RevisionReader = {
    get: getVisibleEntry,
    getMany: (names) => Promise.all(names.map(getVisibleEntry)),
    async list({ under, after, before, reverse, limit }) {
      const entries = (await listEntries(under)).filter(
        ({ key }) => (after === undefined || key > after) && (before === undefined || key < before),
      );
      return (reverse ? entries.toReversed() : entries).slice(0, limit);
    },
    count: async ({ under }) => (await listEntries(under)).length,
  };
  const view: RevisionView = { ...createRevisionView(reader), getVariables: async () => ({}) };
  const texts = { objects: createTextReader(objects), availableObjects: createTextReader(availableObjects) };
  return { view, ...texts, isEvaluated: true };
}

/** Turns an entry with its id into the entry as it is stored. */
function removeId<Entry extends object>(entry: WithId<Entry> | undefined): unknown {
  if (!entry) return undefined;
  const { id: _, ...stored } = entry;
  return stored;
}
