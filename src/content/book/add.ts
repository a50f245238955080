// Adds a book to a revision, as an import does: everything in it is new, and nothing existing is touched. Links between
// its parts become links by id, because their paths belong to another place.

import { omitUndefined } from "../../utils/objects";
import { describeFile } from "../files";
import { appendInSteps } from "../markdown/append";
import { runStepsAtOnce } from "../markdown/steps";
import { expandMdBook, isExpandable } from "../mdbook/expand";
import { parsePageSource, updatePageSource } from "../page-source";
import { findFreePath } from "../revision/change-files";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { Draft } from "../revision/draft";
import { type FileEntry, keys, type PageEntry, type RedirectEntry, type ReusableEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { HREF_PREFIXES, replaceLinkTargetsInSteps } from "../revision/texts";
import { MAX_PAGE_DEPTH, normalizeRedirectPath } from "../revision/view";
import { createSlug } from "../slugs";
import { type Book, type BookText, bytesOf, type Chapter, type PageChapter, type Skipped, textOf } from "./book";
import { filesMeantIn, translationsOf } from "./language-paths";
import { titleOf } from "./lay-files";
import { chapterTitle, cut, slugOfPath } from "./lay-pages";
import { deadAliases } from "./lay-redirects";
import { type BookTools, type Laying, statedBy, turn, writeWaiting } from "./laying";
import { addressesIn } from "./named";
import { folderOf, isUrl, joined, lastNameOf, splitHref } from "./paths";
import { isVariable, pagesIn } from "./read";
import { risingIds } from "./rising-ids";
import { ordersOf, type Sibling, slugsOf } from "./siblings";
import { utf8Text } from "./tree";

/** Where a book is added: at the end of what is under a page, or of the whole. */
export interface AddWhere {
  /** A document or a group; null: the top. */
  readonly parent: string | null;
  /** The text of the first page becomes a part of the parent, a document: it goes to the end of its text. */
  readonly isInto?: boolean;
}

/** What was added. */
export interface Added {
  readonly pages: number;
  readonly files: number;
  readonly reusableContents: number;
  /** What of the book could not be taken, beyond what the book itself says. */
  readonly skipped: readonly Skipped[];
}

/** Something of the book, by its path there. */
interface Named {
  readonly kind: keyof typeof HREF_PREFIXES;
  readonly id: string;
}

/** A page before its siblings are known. */
type NewPage = Omit<PageEntry, "parent" | "order"> & { readonly id: string };

/** Adds a book. Throws `ChangeError` when nothing can stand where it is to be added. */
export async function addBook(draft: Draft, book: Book, where: AddWhere, tools: BookTools): Promise<Added> {
  return new Adding(draft, book, tools).add(where);
}

class Adding {
  readonly #named = new Map<string, Named>();
  readonly #waiting: Laying["waiting"] = new Map();
  readonly #skipped: Skipped[] = [];
  #translations: ReturnType<typeof translationsOf> = new Map();
  #pages = 0;

  constructor(
    readonly draft: Draft,
    readonly book: Book,
    readonly tools: BookTools,
  ) {}

  async add({ parent, isInto }: AddWhere): Promise<Added> {
    const { draft, book, tools } = this;
    const first = isInto ? firstPage(book) : undefined;
    const added = first ? [...first.chapters, ...book.chapters.filter((it) => it !== first)] : book.chapters;
    const depth = first && added.length === 0 ? 0 : await this.#depthOf(parent);
    for (const from of Object.keys(book.redirects)) this.#skipped.push({ resource: from, reason: NO_REDIRECTS });
    const files = await this.#addFiles();
    await this.#namePages();
    if (first && parent !== null) await this.#extend(parent, first.path);
    if (book.languages) this.#translations = translationsOf(book.languages, this.#pageIds());
    await this.#addReusables();
    const siblings = await draft.getPages((await draft.listChildIds(parent)).map(({ id }) => id));
    const slugs = new Set(siblings.map((it) => it?.slug));
    const chapters = fitted(added, MAX_PAGE_DEPTH - depth);
    await this.#addPages(chapters, parent, siblings.at(-1)?.order, (slug) => slugs.has(slug));
    const known = await draft.getVariables();
    for (const [name, value] of Object.entries(book.variables))
      if (isVariable(name, value) && !Object.hasOwn(known, name)) draft.put(keys.variable(name), { name, value });
    await writeWaiting({ draft, tools, waiting: this.#waiting });
    for (const dead of await deadAliases(this, this.#pageIds().values())) this.#skipped.push(dead);
    await this.#keepAddresses();
    return { pages: this.#pages, files, reusableContents: book.reusable.size, skipped: this.#skipped };
  }

  /** Has the addresses that pages had on a website lead to them, unless something else leads from there. */
  async #keepAddresses(): Promise<void> {
    for (const [path, address] of this.book.addresses ?? []) {
      const from = normalizeRedirectPath(address);
      const named = this.#named.get(path);
      if (from === "" || from.startsWith("..") || named?.kind !== "page") continue;
      if ((await this.draft.get(keys.redirect(from))) !== undefined) continue;
      this.draft.put(keys.redirect(from), { from, to: { kind: "page", page: named.id } } satisfies RedirectEntry);
      await this.draft.flushIfFull();
      await turn(this);
    }
  }

  #pageIds(): Map<string, string> {
    return new Map(Array.from(pagesIn(this.book.chapters), ({ path }) => [path, this.#named.get(path)!.id]));
  }

  /** Gives the pages their ids, before the first text is read that links to one. */
  async #namePages(): Promise<void> {
    const { chapters } = this.book;
    const newId = await risingIds(this.tools, "page", countOfPages(chapters));
    for (const { path } of pagesIn(chapters)) this.#named.set(path, { kind: "page", id: newId() });
  }

  async #depthOf(parent: string | null): Promise<number> {
    if (parent === null) return 0;
    const above = await this.draft.getAncestry(parent);
    const type = above[0]?.type;
    if (type !== "document" && type !== "group")
      throw new ChangeError("into", "Only documents and groups have pages below them");
    if (above.length >= MAX_PAGE_DEPTH)
      throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
    return above.length;
  }

  /** Puts the body of a page of the book behind the text of a page that is there. */
  async #extend(id: string, path: string): Promise<void> {
    const { draft, tools } = this;
    this.#named.set(path, { kind: "page", id });
    const { id: _, ...page } = (await draft.getPage(id))!;
    const before = page.body === undefined ? "" : await tools.readText(page.body);
    const more = await this.#linked(path, await this.#text(path));
    const body = more.slice(parsePageSource(more).bodyStart);
    const text = await (tools.runSteps ?? runStepsAtOnce)(appendInSteps(before, body));
    if (text.length > MAX_TEXT_LENGTH)
      throw new ChangeError("into", `The text of the page would be longer than ${MAX_TEXT_LENGTH} characters`);
    draft.put(keys.page(id), { ...page, updatedAt: tools.now });
    this.#waiting.set(id, { given: { text }, of: "page" });
  }

  /** Files with the same bytes are one. */
  async #addFiles(): Promise<number> {
    const { draft, tools } = this;
    const known = new Map<string, string>();
    const newId = await risingIds(tools, "file", this.book.files.size);
    for (const [path, given] of this.book.files) {
      const { contentType, includedBy } = given;
      if (includedBy) continue;
      const bytes = await bytesOf(given);
      if (!bytes) {
        this.#skipped.push({ resource: path, reason: "Its bytes are not there." });
        continue;
      }
      const object = draft.storeObject(bytes);
      const id = known.get(object) ?? newId();
      this.#named.set(path, { kind: "file", id });
      if (known.has(object)) continue;
      known.set(object, id);
      const described = describeFile(bytes, { name: lastNameOf(path), contentType });
      const place = await findFreePath(draft, `.gitbook/assets/${described.name}`);
      const entry: FileEntry = { ...described, size: bytes.length, object, path: place, createdAt: tools.now };
      draft.put(keys.file(id), entry);
      draft.put(keys.filePath(place), { file: id });
      await draft.flushIfFull();
      await turn(this);
    }
    return known.size;
  }

  async #addReusables(): Promise<void> {
    const { draft, tools, book } = this;
    for (const path of book.reusable.keys())
      this.#named.set(path, { kind: "reusable", id: tools.newId("reusableContent") });
    for (const [path, given] of book.reusable) {
      const { id } = this.#named.get(path)!;
      const text = await textOf(given);
      const title = cut(parsePageSource(text).title ?? titleOf(path));
      const place = await findFreePath(draft, `.gitbook/includes/${createSlug(title)}.md`);
      const times = { createdAt: tools.now, updatedAt: tools.now };
      draft.put(keys.reusable(id), { title, body: "", path: place, ...times } satisfies ReusableEntry);
      draft.put(keys.filePath(place), { reusable: id });
      const later = async () => this.#linked(path, await textOf(given));
      this.#waiting.set(id, { given: { text: "", later }, of: "reusable" });
    }
  }

  async #addPages(
    chapters: readonly Chapter[],
    parent: string | null,
    after: string | undefined,
    isTaken: (slug: string) => boolean,
  ): Promise<void> {
    const pages: NewPage[] = [];
    for (const chapter of chapters) {
      pages.push(await this.#page(chapter, parent));
      await turn(this);
    }
    const siblings = pages.map(({ slug }): Sibling => ({ order: undefined, slug, hasSlug: false }));
    const [orders, slugs] = [ordersOf(siblings, after), slugsOf(siblings, isTaken)];
    for (const [i, { id, ...page }] of pages.entries()) {
      const [order, slug] = [orders[i]!, slugs[i]!];
      this.draft.put(keys.page(id), { ...page, parent, order, slug });
      this.draft.put(keys.child(parent, order), id);
      this.draft.put(keys.slug(parent, slug), { page: id });
      await this.draft.flushIfFull();
      this.#pages++;
      const chapter = chapters[i]!;
      if ("chapters" in chapter) await this.#addPages(chapter.chapters, id, undefined, () => false);
    }
  }

  async #page(chapter: Chapter, parent: string | null): Promise<NewPage> {
    const { tools } = this;
    const times = { createdAt: tools.now, updatedAt: tools.now };
    if (chapter.kind === "page") return { ...(await this.#document(chapter.path, chapter.title)), ...times };
    const id = tools.newId("page");
    const title = chapterTitle(chapter);
    const slug = ("slug" in chapter ? chapter.slug : undefined) ?? createSlug(title);
    if (chapter.kind === "computed") return { type: "computed", id, title, slug, computed: chapter.yaml, ...times };
    if (chapter.kind === "link") return { type: "link", id, title, slug, target: this.#target(chapter.href), ...times };
    const language = chapter.language === undefined ? {} : { translations: { [chapter.language]: id } };
    if (parent === null) return { type: "group", id, title, slug, ...language, ...times };
    this.#waiting.set(id, { given: { text: "" }, of: "page" });
    return { type: "document", id, title, slug, stated: [], ...language, ...times };
  }

  async #document(
    path: string,
    title: string | undefined,
  ): Promise<Omit<PageEntry, "parent" | "order" | "createdAt" | "updatedAt"> & { id: string }> {
    const { id } = this.#named.get(path)!;
    const text = await this.#text(path);
    // Its links wait until it is its turn: until then it need not be held.
    this.#waiting.set(id, { given: text === "" ? { text } : new Linked(this, path), of: "page" });
    const { fields, names } = statedBy(path, this.#covered(path, text), this.#skipped);
    const named = fields.title || cut(title ?? titleOf(path));
    const slug = slugOfPath(path) ?? createSlug(named);
    const translations = this.#translations.get(path);
    const said = { title: named, slug, stated: names, ...omitUndefined({ translations }) };
    return { type: "document", id, ...fields, ...said };
  }

  async #text(path: string): Promise<string> {
    const given = this.book.texts.get(path);
    const text = given ? await shownText(this.book, path, given) : "";
    if (text.length <= MAX_TEXT_LENGTH) return text;
    this.#skipped.push({ resource: path, reason: `Its text is longer than ${MAX_TEXT_LENGTH} characters.` });
    return "";
  }

  /** The text of a page with its links by id. */
  async linkedText(path: string): Promise<string> {
    const given = this.book.texts.get(path);
    return given ? this.#linked(path, await shownText(this.book, path, given)) : "";
  }

  #target(href: string): NonNullable<PageEntry["target"]> {
    const named = isUrl(href) ? undefined : this.#namedBy("README.md", href);
    if (named?.kind === "file") return { kind: "file", file: named.id };
    if (named?.kind !== "page") return { kind: "url", url: href };
    const { anchor } = splitHref(href);
    return anchor ? { kind: "anchor", page: named.id, anchor } : { kind: "page", page: named.id };
  }

  #namedBy(from: string, href: string): Named | undefined {
    if (isUrl(href) || href.startsWith("#")) return undefined;
    for (const path of filesMeantIn(this.book.languages, from, splitHref(href).path)) {
      const named = this.#named.get(path);
      if (named) return named;
    }
    return undefined;
  }

  /** An address by the id of what it names in the book. */
  #byId(path: string, href: string): string | undefined {
    const named = this.#namedBy(path, href);
    const hash = href.indexOf("#");
    return named && `${HREF_PREFIXES[named.kind]}${named.id}${hash < 0 ? "" : href.slice(hash)}`;
  }

  /** A text whose links to parts of the book lead to them by their ids. */
  async #linked(path: string, text: string): Promise<string> {
    if (![...addressesIn(text)].some((href) => this.#namedBy(path, href))) return text;
    const steps = replaceLinkTargetsInSteps(text, (href) => this.#byId(path, href));
    return this.#covered(path, await (this.tools.runSteps ?? runStepsAtOnce)(steps));
  }

  /** A text whose cover is named by its id. */
  #covered(path: string, text: string): string {
    const { cover } = parsePageSource(text).fields;
    const covered = cover === undefined ? undefined : this.#byId(path, cover);
    return covered === undefined ? text : updatePageSource(text, { cover: covered });
  }
}

/** A text whose links become links by id when it is its turn. */
class Linked implements Pick<BookText, "text" | "later"> {
  readonly text = "";

  constructor(
    private readonly adding: Adding,
    private readonly path: string,
  ) {}

  later(): Promise<string> {
    return this.adding.linkedText(this.path);
  }
}

const NO_REDIRECTS = "A redirect of a book works where the book is synchronized. An import adds pages at other paths.";

/** A text as it is added. One of mdBook has the files that it includes in it, because those keep no path of their own
 * here. */
async function shownText({ mdBook, texts, files }: Book, path: string, given: BookText): Promise<string> {
  const text = await textOf(given);
  if (!mdBook || !isExpandable(text, mdBook)) return text;
  const find = async (href: string, from = path) => {
    const there = joined(folderOf(from), href);
    const [file, page] = [files.get(there), texts.get(there)];
    const bytes = file && (await bytesOf(file));
    if (!bytes) return page && { path: there, text: await textOf(page) };
    const found = utf8Text(bytes);
    return "text" in found ? { path: there, text: found.text } : undefined;
  };
  return expandMdBook(text, mdBook, find);
}

function countOfPages(chapters: readonly Chapter[]): number {
  let count = 0;
  for (const _ of pagesIn(chapters)) count++;
  return count;
}

/** The page that a book begins with. */
function firstPage({ chapters, texts }: Book): PageChapter | undefined {
  const [first] = chapters;
  return first?.kind === "page" && !first.draft && texts.has(first.path) ? first : undefined;
}

/** Chapters within the allowed depth. Deeper ones become siblings of their parent. */
function fitted(chapters: readonly Chapter[], room: number): Chapter[] {
  return chapters.flatMap((chapter): Chapter[] => {
    if (!("chapters" in chapter)) return [chapter];
    if (room > 1) return [{ ...chapter, chapters: fitted(chapter.chapters, room - 1) }];
    return [{ ...chapter, chapters: [] }, ...below(chapter)];
  });
}

function below(chapter: Chapter): Chapter[] {
  const found: Chapter[] = [];
  const waiting = "chapters" in chapter ? chapter.chapters.toReversed() : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ("chapters" in next) for (const it of next.chapters.toReversed()) waiting.push(it);
    found.push("chapters" in next ? { ...next, chapters: [] } : next);
  }
  return found;
}
