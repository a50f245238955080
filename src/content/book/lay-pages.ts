// Lays the pages of a book onto a revision: which page each one is, where it goes, and what has changed. An unchanged
// page is not written.

import { omitUndefined } from "../../utils/objects";
import type { ContentRef } from "../document";
import { runStepsAtOnce } from "../markdown/steps";
import { isDeepEqual } from "../page-source/yaml";
import { getDefaultTitle } from "../revision/computed";
import { keys, type PageEntry } from "../revision/entries";
import { buildPageTree } from "../revision/page-tree";
import { removeTextIndex } from "../revision/texts";
import type { WithId } from "../revision/view";
import { createSlug } from "../slugs";
import { type Chapter, type PageChapter, textOf } from "./book";
import { translationsOf } from "./language-paths";
import { hashOfText, titleOf } from "./lay-files";
import { type Counts, type Laying, statedBy, turn } from "./laying";
import { matchPages, type WantedPage } from "./match";
import { blobOid } from "./oid";
import { FIELDS } from "./page-text";
import { isReadme, isUrl, outsideRef, splitHref } from "./paths";
import { pathsOf } from "./places";
import { pagesIn } from "./read";
import { risingIds } from "./rising-ids";
import { ordersOf, type Sibling, slugsOf } from "./siblings";

type Page = WithId<PageEntry>;

/** A chapter with the page that it is. */
interface Planned {
  readonly id: string;
  readonly chapter: Chapter;
  readonly before: Page | undefined;
  readonly below: readonly Planned[];
}

/** Makes the pages of a revision those of the book. */
export async function layPages(laying: Laying): Promise<Counts> {
  const plan = new Plan(laying);
  await plan.match();
  const planned = plan.chapters(laying.book.chapters);
  const placing = new Placing(laying, plan);
  await placing.place(planned, null);
  return placing.finish();
}

class Plan {
  /** Texts of the book by path, with the names that Git has for them. */
  readonly wanted = new Map<string, WantedPage>();
  /** Ids of documents by the path of their file. */
  readonly ids = new Map<string, string>();
  /** The pages that say the same in other languages, by the path of their file. */
  translations: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map();
  #documents = new Map<string, Page>();
  /** Groups, links and computed pages that are not matched yet. */
  readonly #others = new Others();

  constructor(readonly laying: Laying) {
    for (const page of laying.before.pages) if (page.type !== "document") this.#others.add(page, namesOf(page));
  }

  async match(): Promise<void> {
    const { book, before, tools } = this.laying;
    for (const { path, draft } of pagesIn(book.chapters)) {
      const given = book.texts.get(path);
      const oid = given ? (given.oid ?? blobOid(await textOf(given))) : book.unread?.get(path);
      this.wanted.set(path, { path, oid: draft ? undefined : oid, text: given });
    }
    const paths = await (tools.runSteps ?? runStepsAtOnce)(pathsOf(buildPageTree(before.pages)));
    const former = { pages: before.pages, paths, oidOf: before.oidOf, text: tools.readText };
    this.#documents = await matchPages([...this.wanted.values()], former, tools.runSteps);
    const newId = await risingIds(tools, "page", this.wanted.size - this.#documents.size);
    for (const path of this.wanted.keys()) this.ids.set(path, this.#documents.get(path)?.id ?? newId());
    if (book.languages) this.translations = translationsOf(book.languages, this.ids);
  }

  /** Chapters with their pages. A group is recognized by what was in it, if by nothing else. */
  chapters(chapters: readonly Chapter[]): Planned[] {
    return chapters.map((chapter) => {
      if (chapter.kind === "page") {
        const below = this.chapters(chapter.chapters);
        return { id: this.ids.get(chapter.path)!, chapter, before: this.#documents.get(chapter.path), below };
      }
      const below = chapter.kind === "group" ? this.chapters(chapter.chapters) : [];
      const before = this.#others.take(this.#namesFor(chapter, below));
      return { id: before?.id ?? this.laying.tools.newId("page"), chapter, before, below };
    });
  }

  #namesFor(chapter: Exclude<Chapter, PageChapter>, below: readonly Planned[]): string[] {
    const page = { title: cut(chapter.title ?? ""), type: chapter.kind, slug: "" };
    if (chapter.kind === "computed") return namesOf({ ...page, computed: chapter.yaml });
    if (chapter.kind === "link") return namesOf({ ...page, target: this.targetOf(chapter.href) });
    const parents = new Set(below.flatMap(({ before }) => before?.parent ?? []));
    const names = namesOf({ ...page, slug: chapter.slug ?? createSlug(chapter.title) });
    return [...names, ...[...parents].map((id) => `group id ${id}`)];
  }

  /** What the address of a link page means. */
  targetOf(href: string): ContentRef {
    if (isUrl(href)) return { kind: "url", url: href };
    const { path, anchor } = splitHref(href);
    const page = this.ids.get(path);
    const file = this.laying.standing.get(path)?.file;
    if (page !== undefined) return anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
    return file === undefined ? (outsideRef(href) ?? { kind: "url", url: href }) : { kind: "file", file };
  }
}

/** The keys by which a page without a text is recognized, the most certain first. */
function namesOf(page: Pick<PageEntry, "type" | "title" | "slug" | "target" | "computed"> & { id?: string }): string[] {
  const { type, title } = page;
  if (type === "computed") return [`computed ${page.computed}`, "computed"];
  const target = page.target === undefined ? "" : JSON.stringify(Object.entries(page.target).sort());
  if (type === "link") return [`link ${target} ${title}`, `link target ${target}`, `link title ${title}`];
  return [`group ${page.slug} ${title}`, `group title ${title}`, `group slug ${page.slug}`, `group id ${page.id}`];
}

/** Pages by these keys; each page is used once. */
class Others {
  readonly #named = new Map<string, Page[]>();
  readonly #taken = new Set<string>();

  add(page: Page, names: readonly string[]): void {
    for (const name of names) {
      const known = this.#named.get(name);
      if (known) known.push(page);
      else this.#named.set(name, [page]);
    }
  }

  take(names: readonly string[]): Page | undefined {
    for (const name of names) {
      const known = this.#named.get(name) ?? [];
      while (known.length > 0 && this.#taken.has(known[0]!.id)) known.shift();
      if (!known[0]) continue;
      this.#taken.add(known[0].id);
      return known[0];
    }
    return undefined;
  }
}

class Placing {
  readonly #counts = { created: 0, updated: 0, deleted: 0 };
  readonly #kept = new Set<string>();
  /** Pages that left their place, and those that left their slug, as they were. */
  readonly #moved: Page[] = [];
  readonly #renamed: Page[] = [];
  /** The places and slugs that were put, which nobody who left them may take away. */
  readonly #taken = new Set<string>();

  constructor(
    readonly laying: Laying,
    readonly plan: Plan,
  ) {}

  async place(planned: readonly Planned[], parent: string | null): Promise<void> {
    const entries: PageEntry[] = [];
    for (const it of planned) {
      entries.push(await this.#entry(it));
      await turn(this.laying);
    }
    const siblings = planned.map(({ before }, i): Sibling => {
      const isHere = before?.parent === parent;
      const { slug } = entries[i]!;
      return { order: isHere ? before?.order : undefined, slug, hasSlug: isHere && before?.slug === slug };
    });
    const [orders, slugs] = [ordersOf(siblings), slugsOf(siblings)];
    for (const [i, { id, before, below }] of planned.entries()) {
      this.#kept.add(id);
      this.#put(id, before, { ...entries[i]!, parent, order: orders[i]!, slug: slugs[i]! });
      await this.laying.draft.flushIfFull();
      await turn(this.laying);
      await this.place(below, id);
    }
  }

  /** Takes out what is gone. */
  async finish(): Promise<Counts> {
    const { draft, before, gone } = this.laying;
    for (const page of this.#moved) this.#free(keys.child(page.parent, page.order));
    for (const page of this.#renamed) this.#leaveSlug(page);
    for (const page of before.pages) {
      if (this.#kept.has(page.id)) continue;
      draft.delete(keys.page(page.id));
      this.#free(keys.child(page.parent, page.order));
      this.#free(keys.slug(page.parent, page.slug));
      await removeTextIndex(draft, page.id);
      gone.add(page.id);
      this.#counts.deleted++;
    }
    return this.#counts;
  }

  #put(id: string, before: Page | undefined, entry: PageEntry): void {
    const { draft, tools, waiting } = this.laying;
    if (before && isDeepEqual({ ...entry, id }, before) && !waiting.has(id)) return;
    this.#counts[before ? "updated" : "created"]++;
    draft.put(keys.page(id), { ...entry, updatedAt: tools.now });
    const { parent, order, slug } = entry;
    if (!before || before.parent !== parent || before.order !== order) {
      if (before) this.#moved.push(before);
      this.#take(keys.child(parent, order), id);
    }
    if (!before || before.parent !== parent || before.slug !== slug) {
      if (before) this.#renamed.push(before);
      this.#take(keys.slug(parent, slug), { page: id });
    }
  }

  #take(key: string, value: string | { readonly page: string }): void {
    const { draft, before } = this.laying;
    draft.put(key, value);
    // Where there was nothing, nobody leaves.
    if (before.pages.length > 0) this.#taken.add(key);
  }

  #free(key: string): void {
    if (!this.#taken.has(key)) this.laying.draft.delete(key);
  }

  /** The former slug of a page leads to it, unless another page has it, or its former parent is gone. */
  #leaveSlug({ id, parent, slug }: Page): void {
    const key = keys.slug(parent, slug);
    if (this.#taken.has(key)) return;
    if (parent === null || this.#kept.has(parent)) this.laying.draft.put(key, { page: id, former: true });
    else this.laying.draft.delete(key);
  }

  /** What a chapter is as a page, except for its place. The slug is the one that it wants. */
  async #entry({ id, chapter, before }: Planned): Promise<PageEntry> {
    const { now } = this.laying.tools;
    const times = { createdAt: before?.createdAt ?? now, updatedAt: before?.updatedAt ?? now };
    const place = { parent: null, order: "" };
    if (chapter.kind === "page") return this.#document(id, chapter, before, { ...times, ...place });
    const title = chapterTitle(chapter, before);
    const kept = before?.title === title ? before.slug : createSlug(title);
    if (chapter.kind === "group") {
      const language = chapter.language === undefined ? {} : { translations: { [chapter.language]: id } };
      return { type: "group", title, slug: chapter.slug ?? kept, ...language, ...looks(before), ...times, ...place };
    }
    const own =
      chapter.kind === "link"
        ? { type: "link" as const, target: this.plan.targetOf(chapter.href) }
        : { type: "computed" as const, computed: chapter.yaml };
    return { ...own, title, slug: kept, ...looks(before), ...times, ...place };
  }

  async #document(
    id: string,
    { path, title, draft }: PageChapter,
    before: Page | undefined,
    rest: Pick<PageEntry, "createdAt" | "updatedAt" | "parent" | "order">,
  ): Promise<PageEntry> {
    const { laying } = this;
    const { oid: stated, text: given } = this.plan.wanted.get(path)!;
    const oid = stated ?? blobOid("");
    const isKnown = before?.body !== undefined && laying.before.oidOf(before.id, before.body) === oid;
    if (!isKnown && given === undefined) throw new Error(`The text of ${path} was not read, and is not known.`);
    const text = isKnown ? "" : await textOf(given!);
    const hash = isKnown ? before.body! : hashOfText(text);
    laying.standing.set(path, { page: id, oid, hash });
    const translations = this.plan.translations.get(path);
    const git = { oid, path };
    const file = { git, ...omitUndefined({ translations }) };
    const slug = slugFor(path, before);
    if (before && hash === before.body && laying.isReadAgain && given) laying.waiting.set(id, { given, of: "page" });
    if (before && hash === before.body) {
      const { id: _, translations: __, ...entry } = before;
      const isTitled = before.stated?.includes("title");
      const named = isTitled ? before.title : cut(title ?? (draft ? undefined : before.title) ?? titleOf(path));
      return { ...entry, ...rest, title: named, slug: slug ?? createSlug(named), ...file };
    }
    laying.waiting.set(id, { given: given!, of: "page" });
    const { fields, names } = statedBy(path, text, laying.skipped);
    const named = fields.title || cut(title ?? titleOf(path));
    const body = before?.body === undefined ? {} : { body: before.body };
    return {
      type: "document",
      ...fields,
      title: named,
      slug: slug ?? createSlug(named),
      stated: names,
      ...body,
      ...file,
      ...rest,
    };
  }
}

/** The slug of a page from the name of its file. A slug that was set in another way stays. Undefined: the slug of its
 * title. */
function slugFor(path: string, before: Page | undefined): string | undefined {
  const own = slugOfPath(path);
  if (!before) return own;
  const earlier = before.git?.path;
  const isOfFile = earlier !== undefined && earlier !== path && before.slug === slugOfPath(earlier);
  return isOfFile ? (own ?? before.slug) : before.slug;
}

/** `guides/setup.md` is `setup`, and `guides/README.md` is `guides`; the README at the top is named by its title. */
export function slugOfPath(path: string): string | undefined {
  const names = path.replace(/\.[^./]*$/, "").split("/");
  const name = isReadme(path) ? names.at(-2) : names.at(-1);
  return name === undefined || name === ".." ? undefined : createSlug(name);
}

/** Fields such as icon and description that people set for a page, and that no file states. */
function looks(before: Page | undefined): Partial<PageEntry> {
  const names = FIELDS.filter((name) => before?.[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, before![name]]));
}

/** The title of a chapter that has no file to state one. A computed page without one keeps the title that it had. */
export function chapterTitle(chapter: Exclude<Chapter, PageChapter>, before?: Page): string {
  if (chapter.kind !== "computed") return cut(chapter.title);
  return cut(chapter.title ?? before?.title ?? getDefaultTitle(chapter.yaml));
}

/** A title, cut to the longest length. */
export function cut(title: string): string {
  return [...title].slice(0, 255).join("");
}
