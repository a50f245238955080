// Adds a book to a revision, as an import does: everything in it is new, and nothing existing is changed. Links between its parts
// become links by id, because their paths belong to another place.

import { runStepsAtOnce, yieldToOthers } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { describeFile } from "../files";
import { appendInSteps } from "../markdown/append";
import { expandMdBook, isExpandable } from "../mdbook/expand";
import { parsePageSource, updatePageSource } from "../page-source";
import { findFreePath } from "../revision/change-files";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { Draft } from "../revision/draft";
import { type FileEntry, keys, type PageEntry, type RedirectEntry, type ReusableEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { HREF_PREFIXES, replaceLinkTargetsInSteps } from "../revision/link-targets";
import { MAX_PAGE_DEPTH, normalizeRedirectPath } from "../revision/view";
import { createSlug } from "../slugs";
import { type BookTools, type PendingTexts, readStatedFields, writePendingTexts } from "./apply-context";
import { listBrokenAliases } from "./apply-redirects";
import { createAscendingIds } from "./ascending-ids";
import {
  type Book,
  type BookText,
  type Chapter,
  type PageChapter,
  readBookText,
  type SkippedItem,
  walkPages,
} from "./book";
import { groupTranslations, listCandidatePathsByLanguage } from "./language-paths";
import { extractLocalHrefs } from "./local-hrefs";
import { getBaseName, getParentFolder, isUrl, joinPath, splitHref } from "./paths";
import { decodeUtf8 } from "./repository-files";
import { assignOrders, assignSlugs, type Sibling } from "./siblings";
import { deriveSlug, deriveTitle, getChapterTitle, truncateTitle } from "./titles";
import { isValidVariable } from "./yaml-values";

/** The place where a book is added: at the end of the pages under a parent. */
export interface AddBookTarget {
  /** A document or a group. Null: the top level. */
  readonly parentId: string | null;
  /** The text of the first page is appended to the text of the parent, which is a document. Default: it becomes a page. */
  readonly shouldExtendParent?: boolean;
}

/** The number of things that were added. */
export interface AddBookResult {
  readonly pages: number;
  readonly files: number;
  readonly reusableContents: number;
  /** Parts of the book that could not be taken, in addition to those that the book itself lists. */
  readonly skipped: readonly SkippedItem[];
}

interface AddedPart {
  readonly kind: keyof typeof HREF_PREFIXES;
  readonly id: string;
}

/** A page whose siblings are not known yet. */
type UnplacedPage = Omit<PageEntry, "parent" | "order"> & { readonly id: string };

const REDIRECTS_NOTE = "Redirects only work for synchronized books, because an import adds pages at other paths.";

/** Adds a book to a draft. Throws `ChangeError` if the parent cannot have pages below it. */
export async function addBook(
  draft: Draft,
  book: Book,
  target: AddBookTarget,
  tools: BookTools,
): Promise<AddBookResult> {
  return new BookAddition(draft, book, tools).add(target);
}

class BookAddition {
  readonly #parts = new Map<string, AddedPart>();
  readonly #pendingTexts: PendingTexts = new Map();
  readonly #skipped: SkippedItem[] = [];
  #translations: ReturnType<typeof groupTranslations> = new Map();
  #pageCount = 0;

  constructor(
    readonly draft: Draft,
    readonly book: Book,
    readonly tools: BookTools,
  ) {}

  async add({ parentId, shouldExtendParent }: AddBookTarget): Promise<AddBookResult> {
    const { draft, book, tools } = this;
    const firstPage = shouldExtendParent ? this.#findFirstPage() : undefined;
    const chapters = firstPage
      ? [...firstPage.chapters, ...book.chapters.filter((chapter) => chapter !== firstPage)]
      : book.chapters;
    const depth = firstPage && chapters.length === 0 ? 0 : await this.#measureDepth(parentId);
    for (const from of Object.keys(book.redirects)) this.#skipped.push({ resource: from, reason: REDIRECTS_NOTE });
    const fileCount = await this.#addFiles();

    // Pages get their ids before the first text is read that links to one.
    const pagePaths = Array.from(walkPages(book.chapters), ({ path }) => path);
    const createId = await createAscendingIds(tools, "page", pagePaths.length);
    for (const path of pagePaths) this.#parts.set(path, { kind: "page", id: createId() });
    if (firstPage && parentId !== null) await this.#extendPage(parentId, firstPage.path);
    const pageIds = new Map(pagePaths.map((path) => [path, this.#parts.get(path)!.id]));
    if (book.languages) this.#translations = groupTranslations(book.languages, pageIds);

    await this.#addReusables();
    const siblings = await draft.getPages((await draft.listChildIds(parentId)).map(({ id }) => id));
    const usedSlugs = new Set(siblings.map((sibling) => sibling?.slug));
    const lastOrder = siblings.at(-1)?.order;
    const fittingChapters = limitDepth(chapters, MAX_PAGE_DEPTH - depth);
    await this.#addPages(fittingChapters, parentId, lastOrder, (slug) => usedSlugs.has(slug));

    const variables = await draft.getVariables();
    for (const [name, value] of Object.entries(book.variables))
      if (isValidVariable(name, value) && !Object.hasOwn(variables, name))
        draft.put(keys.variable(name), { name, value });

    await writePendingTexts({ draft, tools, pendingTexts: this.#pendingTexts });
    for (const item of await listBrokenAliases(this, pageIds.values())) this.#skipped.push(item);

    // The former paths of pages on a website lead to them, unless something else leads from there.
    for (const [path, websitePath] of book.websitePaths ?? []) {
      const from = normalizeRedirectPath(websitePath);
      const part = this.#parts.get(path);
      if (from === "" || from.startsWith("..") || part?.kind !== "page") continue;
      if ((await draft.get(keys.redirect(from))) !== undefined) continue;
      draft.put(keys.redirect(from), { from, to: { kind: "page", page: part.id } } satisfies RedirectEntry);
      await draft.flushIfFull();
      await yieldToOthers(this.tools);
    }
    return { pages: this.#pageCount, files: fileCount, reusableContents: book.reusables.size, skipped: this.#skipped };
  }

  /** Returns the page that the book begins with, if it has a text. */
  #findFirstPage(): PageChapter | undefined {
    const [first] = this.book.chapters;
    return first?.kind === "page" && !first.isDraft && this.book.texts.has(first.path) ? first : undefined;
  }

  async #measureDepth(parentId: string | null): Promise<number> {
    if (parentId === null) return 0;
    const ancestry = await this.draft.getAncestry(parentId);
    const type = ancestry[0]?.type;
    if (type !== "document" && type !== "group")
      throw new ChangeError("into", "Only documents and groups have pages below them");
    if (ancestry.length >= MAX_PAGE_DEPTH)
      throw new ChangeError("into", `Pages can be nested ${MAX_PAGE_DEPTH} deep at the most`);
    return ancestry.length;
  }

  /** Appends the body of a page of the book to the text of an existing page. */
  async #extendPage(id: string, path: string): Promise<void> {
    const { draft, tools } = this;
    this.#parts.set(path, { kind: "page", id });
    const { id: _, ...page } = (await draft.getPage(id))!;
    const before = page.body === undefined ? "" : await tools.readText(page.body);
    const added = await this.#linkById(path, await this.#readPageText(path));
    const body = added.slice(parsePageSource(added).bodyStart);
    const text = await (tools.runSteps ?? runStepsAtOnce)(appendInSteps(before, body));
    if (text.length > MAX_TEXT_LENGTH)
      throw new ChangeError("into", `The text of the page would be longer than ${MAX_TEXT_LENGTH} characters`);
    draft.put(keys.page(id), { ...page, updatedAt: tools.now });
    this.#pendingTexts.set(id, { source: { text }, kind: "page" });
  }

  /** Adds the files that texts name, and returns their number. Files with the same bytes become one. */
  async #addFiles(): Promise<number> {
    const { draft, tools } = this;
    const idsByObject = new Map<string, string>();
    const createId = await createAscendingIds(tools, "file", this.book.files.size);
    for (const [path, file] of this.book.files) {
      const { contentType, includedBy } = file;
      if (includedBy) continue;
      const bytes = file.bytes ?? (await file.readBytes?.());
      if (!bytes) {
        this.#skipped.push({ resource: path, reason: "Its content is missing." });
        continue;
      }
      const object = draft.storeObject(bytes);
      const knownId = idsByObject.get(object);
      const id = knownId ?? createId();
      this.#parts.set(path, { kind: "file", id });
      if (knownId !== undefined) continue;
      idsByObject.set(object, id);

      const description = describeFile(bytes, { name: getBaseName(path), contentType });
      const newPath = await findFreePath(draft, `.gitbook/assets/${description.name}`);
      const entry: FileEntry = { ...description, size: bytes.length, object, path: newPath, createdAt: tools.now };
      draft.put(keys.file(id), entry);
      draft.put(keys.filePath(newPath), { file: id });
      await draft.flushIfFull();
      await yieldToOthers(this.tools);
    }
    return idsByObject.size;
  }

  async #addReusables(): Promise<void> {
    const { draft, tools, book } = this;
    for (const path of book.reusables.keys())
      this.#parts.set(path, { kind: "reusable", id: tools.newId("reusableContent") });
    for (const [path, source] of book.reusables) {
      const { id } = this.#parts.get(path)!;
      const title = truncateTitle(parsePageSource(await readBookText(source)).title ?? deriveTitle(path));
      const newPath = await findFreePath(draft, `.gitbook/includes/${createSlug(title)}.md`);
      const times = { createdAt: tools.now, updatedAt: tools.now };
      draft.put(keys.reusable(id), { title, body: "", path: newPath, ...times } satisfies ReusableEntry);
      draft.put(keys.filePath(newPath), { reusable: id });
      const readText = async () => this.#linkById(path, await readBookText(source));
      this.#pendingTexts.set(id, { source: { text: "", readText }, kind: "reusable" });
    }
  }

  /** Adds chapters under a parent, after the sibling at the position `after`, and then those below them. */
  async #addPages(
    chapters: readonly Chapter[],
    parent: string | null,
    after: string | undefined,
    isTaken: (slug: string) => boolean,
  ): Promise<void> {
    const pages: UnplacedPage[] = [];
    for (const chapter of chapters) {
      pages.push(await this.#createPage(chapter, parent));
      await yieldToOthers(this.tools);
    }
    const siblings = pages.map(({ slug }): Sibling => ({ order: undefined, slug, hasSlug: false }));
    const [orders, slugs] = [assignOrders(siblings, after), assignSlugs(siblings, isTaken)];
    for (const [i, { id, ...page }] of pages.entries()) {
      const [order, slug] = [orders[i]!, slugs[i]!];
      this.draft.put(keys.page(id), { ...page, parent, order, slug });
      this.draft.put(keys.child(parent, order), id);
      this.draft.put(keys.slug(parent, slug), { page: id });
      await this.draft.flushIfFull();
      this.#pageCount++;
      const chapter = chapters[i]!;
      if ("chapters" in chapter) await this.#addPages(chapter.chapters, id, undefined, () => false);
    }
  }

  async #createPage(chapter: Chapter, parent: string | null): Promise<UnplacedPage> {
    const { tools } = this;
    const times = { createdAt: tools.now, updatedAt: tools.now };
    if (chapter.kind === "page") return { ...(await this.#createDocument(chapter)), ...times };

    const id = tools.newId("page");
    const title = getChapterTitle(chapter);
    const slug = ("slug" in chapter ? chapter.slug : undefined) ?? createSlug(title);
    if (chapter.kind === "computed") return { type: "computed", id, title, slug, computed: chapter.yaml, ...times };
    if (chapter.kind === "link")
      return { type: "link", id, title, slug, target: this.#resolveTarget(chapter.href), ...times };
    const { language } = chapter;
    const stated = omitUndefined({ translations: language === undefined ? undefined : { [language]: id } });
    if (parent === null) return { type: "group", id, title, slug, ...stated, ...times };
    // Groups exist at the top level only.
    this.#pendingTexts.set(id, { source: { text: "" }, kind: "page" });
    return { type: "document", id, title, slug, stated: [], ...stated, ...times };
  }

  async #createDocument({
    path,
    title: listedTitle,
  }: PageChapter): Promise<Omit<UnplacedPage, "createdAt" | "updatedAt">> {
    const { id } = this.#parts.get(path)!;
    const text = await this.#readPageText(path);
    // Until the text is written, it need not stay in memory.
    this.#pendingTexts.set(id, { source: text === "" ? { text } : new LinkedText(this, path), kind: "page" });
    const { fields, names } = readStatedFields(path, this.#nameCoverById(path, text), this.#skipped);
    const title = fields.title || truncateTitle(listedTitle ?? deriveTitle(path));
    const slug = deriveSlug(path) ?? createSlug(title);
    const translations = this.#translations.get(path);
    return { type: "document", id, ...fields, title, slug, stated: names, ...omitUndefined({ translations }) };
  }

  /** Returns the text of a page as it is added, or an empty one if it is too long. */
  async #readPageText(path: string): Promise<string> {
    const source = this.book.texts.get(path);
    const text = source ? await readExpandedText(this.book, path, source) : "";
    if (text.length <= MAX_TEXT_LENGTH) return text;
    this.#skipped.push({ resource: path, reason: `Its text is longer than ${MAX_TEXT_LENGTH} characters.` });
    return "";
  }

  /** Returns the text of a page with its links by id. */
  async readLinkedText(path: string): Promise<string> {
    const source = this.book.texts.get(path);
    return source ? this.#linkById(path, await readExpandedText(this.book, path, source)) : "";
  }

  #resolveTarget(href: string): NonNullable<PageEntry["target"]> {
    const part = this.#findPart("README.md", href);
    if (part?.kind === "file") return { kind: "file", file: part.id };
    if (part?.kind !== "page") return { kind: "url", url: href };
    const { anchor } = splitHref(href);
    return anchor ? { kind: "anchor", page: part.id, anchor } : { kind: "page", page: part.id };
  }

  #findPart(from: string, href: string): AddedPart | undefined {
    if (isUrl(href) || href.startsWith("#")) return undefined;
    for (const path of listCandidatePathsByLanguage(this.book.languages, from, splitHref(href).path)) {
      const part = this.#parts.get(path);
      if (part) return part;
    }
    return undefined;
  }

  /** Returns the href by id for an href that names a part of the book. */
  #findHrefById(from: string, href: string): string | undefined {
    const part = this.#findPart(from, href);
    const hash = href.indexOf("#");
    return part && `${HREF_PREFIXES[part.kind]}${part.id}${hash < 0 ? "" : href.slice(hash)}`;
  }

  /** Rewrites the links of a text to parts of the book so that they lead to their ids. */
  async #linkById(path: string, text: string): Promise<string> {
    if (![...extractLocalHrefs(text)].some((href) => this.#findPart(path, href))) return text;
    const steps = replaceLinkTargetsInSteps(text, (href) => this.#findHrefById(path, href));
    return this.#nameCoverById(path, await (this.tools.runSteps ?? runStepsAtOnce)(steps));
  }

  /** Rewrites the cover of a text so that it is named by its id. */
  #nameCoverById(path: string, text: string): string {
    const { cover } = parsePageSource(text).fields;
    const href = cover === undefined ? undefined : this.#findHrefById(path, cover);
    return href === undefined ? text : updatePageSource(text, { cover: href });
  }
}

/** A text whose links become links by id when it is read. */
class LinkedText implements Pick<BookText, "text" | "readText"> {
  readonly text = "";

  constructor(
    private readonly addition: BookAddition,
    private readonly path: string,
  ) {}

  readText(): Promise<string> {
    return this.addition.readLinkedText(this.path);
  }
}

/** Reads a text. A text of mdBook gets the files that it includes, because they keep no path in the revision. */
async function readExpandedText({ mdBook, texts, files }: Book, textPath: string, source: BookText): Promise<string> {
  const text = await readBookText(source);
  if (!mdBook || !isExpandable(text, mdBook)) return text;
  return expandMdBook(text, mdBook, async (href, from = textPath) => {
    const path = joinPath(getParentFolder(from), href);
    const [file, page] = [files.get(path), texts.get(path)];
    const bytes = file?.bytes ?? (await file?.readBytes?.());
    if (!bytes) return page && { path, text: await readBookText(page) };
    const content = decodeUtf8(bytes);
    return "text" in content ? { path, text: content.text } : undefined;
  });
}

/** Returns chapters within the allowed depth. Deeper ones become siblings of their parent. */
function limitDepth(chapters: readonly Chapter[], depth: number): Chapter[] {
  return chapters.flatMap((chapter): Chapter[] => {
    if (!("chapters" in chapter)) return [chapter];
    if (depth > 1) return [{ ...chapter, chapters: limitDepth(chapter.chapters, depth - 1) }];

    const flat: Chapter[] = [{ ...chapter, chapters: [] }];
    // All chapters below follow in the order of the table of contents.
    const stack = chapter.chapters.toReversed();
    for (let next = stack.pop(); next; next = stack.pop()) {
      flat.push("chapters" in next ? { ...next, chapters: [] } : next);
      if ("chapters" in next) for (const child of next.chapters.toReversed()) stack.push(child);
    }
    return flat;
  });
}
