// Applies the pages of a book to a revision. It matches every chapter with a page, finds the place of each page, and writes
// those that differ.

import { runStepsAtOnce, yieldToOthers } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import type { ContentRef } from "../document";
import { isDeepEqual } from "../page-source/yaml";
import { keys, type PageEntry } from "../revision/entries";
import { buildPageTree } from "../revision/page-tree";
import { removeTextIndex } from "../revision/texts";
import type { WithId } from "../revision/view";
import { createSlug } from "../slugs";
import { type ApplyContext, type ChangeCounts, readStatedFields } from "./apply-context";
import { createAscendingIds } from "./ascending-ids";
import { assignPathsInSteps } from "./assign-paths";
import { type Chapter, type PageChapter, readBookText, walkPages } from "./book";
import { computeBlobOid, hashText } from "./hashes";
import { groupTranslations } from "./language-paths";
import { type BookPageFile, matchPages } from "./match-pages";
import { PAGE_FIELDS } from "./page-text";
import { isUrl, parseResourceHref, splitHref } from "./paths";
import { assignOrders, assignSlugs, type Sibling } from "./siblings";
import { deriveSlug, deriveTitle, getChapterTitle, truncateTitle } from "./titles";

type ExistingPage = WithId<PageEntry>;

/** A chapter with the page that it becomes. */
interface PlannedPage {
  readonly id: string;
  readonly chapter: Chapter;
  /** Undefined if the page is new. */
  readonly existing: ExistingPage | undefined;
  readonly children: readonly PlannedPage[];
}

export async function applyPages(context: ApplyContext): Promise<ChangeCounts> {
  const plan = new PagePlan(context);
  await plan.matchDocuments();
  const pages = plan.planChapters(context.book.chapters);
  const placement = new PagePlacement(context, plan);
  await placement.placePages(pages, null);
  return placement.finish();
}

/** Decides which page each chapter is. */
class PagePlan {
  /** The pages of the book that are files, by path. */
  readonly pageFiles = new Map<string, BookPageFile>();
  /** The ids of documents by path. */
  readonly ids = new Map<string, string>();
  /** The ids of translations by language, by the path of a page. */
  translations: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map();
  #existingDocuments = new Map<string, ExistingPage>();
  /** Groups, links and computed pages by their keys. */
  readonly #existingByKey = new Map<string, ExistingPage[]>();
  /** The ids of those that were matched. */
  readonly #matchedIds = new Set<string>();

  constructor(readonly context: ApplyContext) {
    for (const page of context.before.pages) {
      if (page.type === "document") continue;
      for (const key of listMatchKeys(page)) {
        const pages = this.#existingByKey.get(key);
        if (pages) pages.push(page);
        else this.#existingByKey.set(key, [page]);
      }
    }
  }

  /** Matches all documents, and assigns ids to new ones. */
  async matchDocuments(): Promise<void> {
    const { book, before, tools } = this.context;
    for (const { path, isDraft } of walkPages(book.chapters)) {
      const text = book.texts.get(path);
      const oid = text ? (text.oid ?? computeBlobOid(await readBookText(text))) : book.unreadOids?.get(path);
      this.pageFiles.set(path, { path, oid: isDraft ? undefined : oid, text });
    }

    const runSteps = tools.runSteps ?? runStepsAtOnce;
    const paths = await runSteps(assignPathsInSteps(buildPageTree(before.pages)));
    const existing = { pages: before.pages, paths, findOid: before.findOid, readText: tools.readText };
    this.#existingDocuments = await matchPages([...this.pageFiles.values()], existing, tools.runSteps);

    const createId = await createAscendingIds(tools, "page", this.pageFiles.size - this.#existingDocuments.size);
    for (const path of this.pageFiles.keys()) this.ids.set(path, this.#existingDocuments.get(path)?.id ?? createId());
    if (book.languages) this.translations = groupTranslations(book.languages, this.ids);
  }

  planChapters(chapters: readonly Chapter[]): PlannedPage[] {
    return chapters.map((chapter) => {
      if (chapter.kind === "page") {
        const children = this.planChapters(chapter.chapters);
        const existing = this.#existingDocuments.get(chapter.path);
        return { id: this.ids.get(chapter.path)!, chapter, existing, children };
      }
      const children = chapter.kind === "group" ? this.planChapters(chapter.chapters) : [];
      const existing = this.#matchByKeys(this.#listChapterKeys(chapter, children));
      return { id: existing?.id ?? this.context.tools.newId("page"), chapter, existing, children };
    });
  }

  #listChapterKeys(chapter: Exclude<Chapter, PageChapter>, children: readonly PlannedPage[]): string[] {
    const page = { title: truncateTitle(chapter.title ?? ""), type: chapter.kind, slug: "" };
    if (chapter.kind === "computed") return listMatchKeys({ ...page, computed: chapter.yaml });
    if (chapter.kind === "link") return listMatchKeys({ ...page, target: this.resolveTarget(chapter.href) });
    const chapterKeys = listMatchKeys({ ...page, slug: chapter.slug ?? createSlug(chapter.title) });
    // As a last resort, a group is recognized by the pages that were in it.
    const formerParents = new Set(children.flatMap(({ existing }) => existing?.parent ?? []));
    return [...chapterKeys, ...[...formerParents].map((id) => `group id ${id}`)];
  }

  /** Returns the first page with one of some keys, the most certain first. No page is matched twice. */
  #matchByKeys(matchKeys: readonly string[]): ExistingPage | undefined {
    for (const key of matchKeys) {
      const pages = this.#existingByKey.get(key) ?? [];
      while (pages.length > 0 && this.#matchedIds.has(pages[0]!.id)) pages.shift();
      if (!pages[0]) continue;
      this.#matchedIds.add(pages[0].id);
      return pages[0];
    }
    return undefined;
  }

  resolveTarget(href: string): ContentRef {
    if (isUrl(href)) return { kind: "url", url: href };
    const { path, anchor } = splitHref(href);
    const page = this.ids.get(path);
    if (page !== undefined) return anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
    const file = this.context.pathEntries.get(path)?.file;
    return file === undefined ? (parseResourceHref(href) ?? { kind: "url", url: href }) : { kind: "file", file };
  }
}

/** Returns the keys by which a page without a text is recognized, the most certain first. */
function listMatchKeys(
  page: Pick<PageEntry, "type" | "title" | "slug" | "target" | "computed"> & { readonly id?: string },
): string[] {
  const { type, title } = page;
  if (type === "computed") return [`computed ${page.computed}`, "computed"];
  const target = page.target === undefined ? "" : JSON.stringify(Object.entries(page.target).sort());
  if (type === "link") return [`link ${target} ${title}`, `link target ${target}`, `link title ${title}`];
  return [`group ${page.slug} ${title}`, `group title ${title}`, `group slug ${page.slug}`, `group id ${page.id}`];
}

/** Puts pages in their places. */
class PagePlacement {
  readonly #counts = { created: 0, updated: 0, deleted: 0 };
  readonly #keptIds = new Set<string>();
  /** Pages that left their position, and pages that left their slug, as they were before. */
  readonly #movedPages: ExistingPage[] = [];
  readonly #renamedPages: ExistingPage[] = [];
  /** The keys of positions and slugs that were written. Pages that left these must not delete them. */
  readonly #writtenKeys = new Set<string>();

  constructor(
    readonly context: ApplyContext,
    readonly plan: PagePlan,
  ) {}

  /** Puts pages under a parent, in their order, and then the pages below them. */
  async placePages(pages: readonly PlannedPage[], parent: string | null): Promise<void> {
    const entries: PageEntry[] = [];
    for (const page of pages) {
      entries.push(await this.#createEntry(page));
      await yieldToOthers(this.context.tools);
    }
    const siblings = pages.map(({ existing }, i): Sibling => {
      const isHere = existing?.parent === parent;
      const { slug } = entries[i]!;
      return { order: isHere ? existing?.order : undefined, slug, hasSlug: isHere && existing?.slug === slug };
    });
    const [orders, slugs] = [assignOrders(siblings), assignSlugs(siblings)];
    for (const [i, { id, existing, children }] of pages.entries()) {
      this.#keptIds.add(id);
      this.#putPage(id, existing, { ...entries[i]!, parent, order: orders[i]!, slug: slugs[i]! });
      await this.context.draft.flushIfFull();
      await yieldToOthers(this.context.tools);
      await this.placePages(children, id);
    }
  }

  /** Deletes the pages that are not in the book, and the positions and slugs that pages left. */
  async finish(): Promise<ChangeCounts> {
    const { draft, before, removedIds } = this.context;
    for (const { parent, order } of this.#movedPages) this.#deleteUnlessWritten(keys.child(parent, order));
    for (const { id, parent, slug } of this.#renamedPages) {
      const key = keys.slug(parent, slug);
      if (this.#writtenKeys.has(key)) continue;
      // The former slug of a page leads to it, unless another page has it or its former parent is gone.
      if (parent === null || this.#keptIds.has(parent)) draft.put(key, { page: id, former: true });
      else draft.delete(key);
    }
    for (const { id, parent, order, slug } of before.pages) {
      if (this.#keptIds.has(id)) continue;
      draft.delete(keys.page(id));
      this.#deleteUnlessWritten(keys.child(parent, order));
      this.#deleteUnlessWritten(keys.slug(parent, slug));
      await removeTextIndex(draft, id);
      removedIds.add(id);
      this.#counts.deleted++;
    }
    return this.#counts;
  }

  #deleteUnlessWritten(key: string): void {
    if (!this.#writtenKeys.has(key)) this.context.draft.delete(key);
  }

  /** Writes a page if it differs, with its position and its slug. */
  #putPage(id: string, existing: ExistingPage | undefined, entry: PageEntry): void {
    const { draft, tools, pendingTexts } = this.context;
    if (existing && isDeepEqual({ ...entry, id }, existing) && !pendingTexts.has(id)) return;
    this.#counts[existing ? "updated" : "created"]++;
    draft.put(keys.page(id), { ...entry, updatedAt: tools.now });
    const { parent, order, slug } = entry;
    const hasSameParent = existing?.parent === parent;
    if (!hasSameParent || existing?.order !== order) {
      if (existing) this.#movedPages.push(existing);
      this.#putKey(keys.child(parent, order), id);
    }
    if (!hasSameParent || existing?.slug !== slug) {
      if (existing) this.#renamedPages.push(existing);
      this.#putKey(keys.slug(parent, slug), { page: id });
    }
  }

  #putKey(key: string, value: string | { readonly page: string }): void {
    const { draft, before } = this.context;
    draft.put(key, value);
    // In an empty revision, no page leaves a key.
    if (before.pages.length > 0) this.#writtenKeys.add(key);
  }

  /** Returns the page of a chapter, except for its place. Its slug is the one that it prefers. */
  async #createEntry({ id, chapter, existing }: PlannedPage): Promise<PageEntry> {
    const { now } = this.context.tools;
    const common = {
      createdAt: existing?.createdAt ?? now,
      updatedAt: existing?.updatedAt ?? now,
      parent: null,
      order: "",
    };
    if (chapter.kind === "page") return this.#createDocument(id, chapter, existing, common);

    const title = getChapterTitle(chapter, existing);
    const slug = existing?.title === title ? existing.slug : createSlug(title);
    // No file states the fields that people set for such a page, such as its icon.
    const setFields = PAGE_FIELDS.filter((name) => existing?.[name] !== undefined);
    const fields: Partial<PageEntry> = Object.fromEntries(setFields.map((name) => [name, existing![name]]));
    if (chapter.kind === "group") {
      const { language } = chapter;
      const translations = language === undefined ? undefined : { [language]: id };
      const stated = omitUndefined({ translations });
      return { type: "group", title, slug: chapter.slug ?? slug, ...stated, ...fields, ...common };
    }
    if (chapter.kind === "computed")
      return { type: "computed", computed: chapter.yaml, title, slug, ...fields, ...common };
    return { type: "link", target: this.plan.resolveTarget(chapter.href), title, slug, ...fields, ...common };
  }

  async #createDocument(
    id: string,
    { path, title: listedTitle, isDraft }: PageChapter,
    existing: ExistingPage | undefined,
    common: Pick<PageEntry, "createdAt" | "updatedAt" | "parent" | "order">,
  ): Promise<PageEntry> {
    const { before, pathEntries, pendingTexts, shouldReindex, skipped } = this.context;
    const { text: source, ...file } = this.plan.pageFiles.get(path)!;
    const oid = file.oid ?? computeBlobOid("");
    const isKnown = existing?.body !== undefined && before.findOid(existing.id, existing.body) === oid;
    if (!isKnown && source === undefined) throw new Error(`The text of ${path} was not read, and is not known.`);
    const text = isKnown ? "" : await readBookText(source!);
    const hash = isKnown ? existing.body! : hashText(text);
    pathEntries.set(path, { page: id, oid, hash });

    // A slug that was set in another way than by the name of the file stays.
    let slug = existing?.slug;
    const formerPath = existing?.git?.path;
    const isSlugOfFormerPath = formerPath !== undefined && formerPath !== path && slug === deriveSlug(formerPath);
    if (!existing || isSlugOfFormerPath) slug = deriveSlug(path) ?? slug;
    const origin = { git: { oid, path }, ...omitUndefined({ translations: this.plan.translations.get(path) }) };

    if (existing && hash === existing.body) {
      if (shouldReindex && source) pendingTexts.set(id, { source, kind: "page" });
      const { id: _, translations: __, ...entry } = existing;
      let { title } = existing;
      if (!existing.stated?.includes("title"))
        title = truncateTitle(listedTitle ?? (isDraft ? undefined : title) ?? deriveTitle(path));
      return { ...entry, ...common, title, slug: slug ?? createSlug(title), ...origin };
    }

    pendingTexts.set(id, { source: source!, kind: "page" });
    const { fields, names } = readStatedFields(path, text, skipped);
    const title = fields.title || truncateTitle(listedTitle ?? deriveTitle(path));
    return {
      type: "document",
      ...fields,
      title,
      slug: slug ?? createSlug(title),
      stated: names,
      // The text itself is written later.
      ...omitUndefined({ body: existing?.body }),
      ...origin,
      ...common,
    };
  }
}
