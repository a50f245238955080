// Imports the export of a Confluence space as a book, from either of its forms: XML or HTML.

import type { BookText, Chapter, SkippedItem } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getBaseName } from "../../content/book/paths";
import { runSteps } from "../../utils/concurrency/event-loop";
import { groupBy } from "../../utils/group-by";
import type { ArchiveLimits } from "../archive/limits";
import { formatRelativeHref } from "../archive/paths";
import { openZip, type ZipArchive } from "../archive/zip";
import { buildChapterTree } from "../build-chapter-tree";
import { download } from "../download";
import { getTooLongReason, ImportError } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { ImportedFiles } from "../imported-files";
import { UniquePaths } from "../unique-paths";
import { writeHtmlPageInSteps } from "../write-html-page";
import { readHtmlExport } from "./html-export";
import type { Attachment, ConfluenceSpace, SpaceLinks, SpacePage } from "./space";
import { ENTITIES_FILE, readXmlExport } from "./xml-export";

/** The most pages above a page that get their paths before it. */
const MAX_ANCESTORS = 32;

export async function importConfluence({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes } = await download(url, fetch, limits.maxBytes);
  return readConfluence(bytes, limits.archive);
}

/** Reads the export of a space. Throws `ImportError` if the archive is none. */
export async function readConfluence(bytes: Uint8Array, limits?: ArchiveLimits): Promise<ImportedBook> {
  const zip = openZip(bytes, limits);
  // The file with this name that is nearest to the top.
  const findFile = (name: string) =>
    zip.paths.filter((path) => getBaseName(path) === name).toSorted((a, b) => a.length - b.length)[0];
  const getFolder = (path: string) => path.slice(0, path.length - getBaseName(path).length);

  const skipped: SkippedItem[] = [];
  const entities = findFile(ENTITIES_FILE);
  if (entities !== undefined) {
    const space = readXmlExport(zip, getFolder(entities), skipped);
    return new SpaceReader(space, space.users).read(zip, skipped);
  }
  const index = findFile("index.html");
  const space = index === undefined ? undefined : readHtmlExport(zip, getFolder(index));
  if (!space) throw new ImportError("The archive is not the export of a Confluence space, neither as XML nor as HTML.");
  return new SpaceReader(space, new Map()).read(zip, skipped);
}

class SpaceReader {
  readonly #files = new ImportedFiles();
  readonly #pages: readonly SpacePage[];
  /** Paths in the book, by the id of the page. */
  readonly #paths = new Map<string, string>();
  readonly #idsByTitle = new Map<string, string>();
  readonly #children: ReadonlyMap<string | undefined, SpacePage[]>;
  /** Attachments by their path in the export, and by their page and name. */
  readonly #attachments = new Map<string, Attachment>();
  readonly #attachmentsByPage: ReadonlyMap<string, Attachment[]>;

  constructor(
    readonly space: ConfluenceSpace,
    readonly users: ReadonlyMap<string, string>,
  ) {
    // The home page comes first, and posts last.
    const rank = ({ id, isPost }: SpacePage) => (id === space.home ? 0 : isPost ? 2 : 1);
    this.#pages = space.pages.toSorted(
      (a, b) => rank(a) - rank(b) || a.position - b.position || (a.title < b.title ? -1 : 1),
    );
    for (const page of this.#pages) if (!this.#idsByTitle.has(page.title)) this.#idsByTitle.set(page.title, page.id);
    this.#children = groupBy(this.#pages, ({ parent }) => parent);
    this.#attachmentsByPage = groupBy(space.attachments, ({ page }) => page);
    for (const attachment of space.attachments) {
      this.#attachments.set(attachment.source, attachment);
      this.#attachments.set(`${attachment.page}\n${attachment.name}`, attachment);
    }
    this.#assignPaths();
  }

  async read(zip: ZipArchive, skipped: SkippedItem[]): Promise<ImportedBook> {
    const texts = new Map<string, BookText>();
    const tooLong = new Map<string, string>();
    for (const page of this.#pages) {
      const nodes = page.createBody(this.#createLinks(page));
      const path = this.#paths.get(page.id)!;
      try {
        texts.set(path, { text: await runSteps(writeHtmlPageInSteps(page.title, nodes, {})) });
      } catch (error) {
        tooLong.set(path, getTooLongReason(error));
      }
    }

    // All attachments of a page are taken, even if no text shows them.
    for (const attachment of this.space.attachments) {
      const { source, name } = attachment;
      if (this.#addFile(attachment) === undefined)
        skipped.push({ resource: source, reason: `The export doesn't contain the file "${name}".` });
    }
    const { files } = this.#files;
    const chapters = this.#buildChapters();
    return createImportedBook(createBook({ chapters, texts, files, skipped: [...zip.skipped, ...skipped] }), tooLong);
  }

  #assignPaths(): void {
    const uniquePaths = new UniquePaths(["readme.md"]);
    const pagesById = new Map(this.#pages.map((page) => [page.id, page]));
    const assignPath = (page: SpacePage, depth: number): void => {
      if (this.#paths.has(page.id)) return;
      const parentId = this.#getParentId(page);
      const parent = parentId === undefined ? undefined : pagesById.get(parentId);
      if (parent && depth < MAX_ANCESTORS) assignPath(parent, depth + 1);
      if (this.#paths.has(page.id)) return;
      const folder = parent && this.#paths.get(parent.id)?.replace(/\.md$/, "");
      const isHome = page.id === this.space.home;
      this.#paths.set(page.id, isHome ? "README.md" : uniquePaths.claimForTitle(page.title, folder));
    };
    for (const page of this.#pages) assignPath(page, 0);
  }

  /** Returns the id of the parent in the book. All pages of a space are below its home page, which becomes the first page here. */
  #getParentId({ parent }: SpacePage): string | undefined {
    return parent === this.space.home ? undefined : parent;
  }

  #buildChapters(): Chapter[] {
    const buildTree = (pages: readonly SpacePage[]) =>
      buildChapterTree(
        pages.map((page) => {
          const chapter = { kind: "page" as const, path: this.#paths.get(page.id)!, title: page.title };
          return { id: page.id, parentId: this.#getParentId(page), chapter };
        }),
      );
    const chapters: Chapter[] = buildTree(this.#pages.filter(({ isPost }) => !isPost));
    const posts = buildTree(this.#pages.filter(({ isPost }) => isPost));
    if (posts.length > 0) chapters.push({ kind: "group", title: "Blog", chapters: posts });
    return chapters;
  }

  #addFile({ source, name, read }: Attachment): string | undefined {
    return this.#files.add(source, name, read);
  }

  #createLinks(page: SpacePage): SpaceLinks {
    const from = this.#paths.get(page.id)!;
    const linkToPage = (id: string | undefined) => {
      const path = id === undefined ? undefined : this.#paths.get(id);
      return path === undefined ? undefined : formatRelativeHref(from, path);
    };
    const linkToFile = (attachment: Attachment | undefined) => {
      const path = attachment && this.#addFile(attachment);
      return path === undefined ? undefined : formatRelativeHref(from, path);
    };
    return {
      findPage: (title) => linkToPage(this.#idsByTitle.get(title)),
      findPageById: linkToPage,
      findAttachment: (name, title) => {
        const owner = title === undefined || title === "" ? page.id : this.#idsByTitle.get(title);
        return linkToFile(this.#attachments.get(`${owner}\n${name}`) ?? this.#attachments.get(name));
      },
      takeChildren: createOneTimeList(() =>
        (this.#children.get(page.id) ?? []).map(({ id, title }) => ({ title, href: linkToPage(id)! })),
      ),
      takeAttachments: createOneTimeList(() =>
        (this.#attachmentsByPage.get(page.id) ?? []).flatMap((attachment) => {
          const href = linkToFile(attachment);
          return href === undefined ? [] : [{ title: attachment.name, href }];
        }),
      ),
      findUser: (key) => this.users.get(key),
    };
  }
}

/** Returns a function that returns a list once, and then an empty one, so that a page cannot become huge by repeating it. */
function createOneTimeList<Value>(list: () => Value[]): () => Value[] {
  let isTaken = false;
  return () => {
    if (isTaken) return [];
    isTaken = true;
    return list();
  };
}
