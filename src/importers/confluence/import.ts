// The export of a Confluence space as a book, from either of its forms: XML or HTML.

import type { BookText, Chapter, SkippedItem } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getBaseName, getParentFolder } from "../../content/book/paths";
import { runSteps } from "../../utils/concurrency/event-loop";
import type { ArchiveLimits } from "../archive/limits";
import { addressFrom } from "../archive/paths";
import { openZip, type Zip } from "../archive/zip";
import { buildChapterTree } from "../build-chapter-tree";
import { download } from "../download";
import { getTooLongReason, ImportError } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { ImportedFiles } from "../imported-files";
import { UniquePaths } from "../unique-paths";
import { writeHtmlPageInSteps } from "../write-html-page";
import { ENTITIES, readEntities } from "./entities";
import { isIndex, readHtmlExport } from "./pages";
import type { Attachment, Space, SpaceAddresses, SpacePage } from "./space";

/** Imports the export of a space from an address. */
export async function importConfluence({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes } = await download(url, fetch, limits.maxBytes);
  return readConfluence(bytes, limits.archive);
}

/** Reads the export of a space. */
export async function readConfluence(bytes: Uint8Array, limits?: ArchiveLimits): Promise<ImportedBook> {
  const zip = openZip(bytes, limits);
  const skipped: SkippedItem[] = [];
  const entities = shallowest(zip, ENTITIES);
  if (entities !== undefined) {
    const space = readEntities(zip, below(entities), skipped);
    return new SpaceReader(space, space.users).read(zip, skipped);
  }
  const index = shallowest(zip, "index.html");
  if (index === undefined || !isIndex(zip, index))
    throw new ImportError("The archive is not the export of a Confluence space, neither as XML nor as HTML.");
  return new SpaceReader(readHtmlExport(zip, below(index)), new Map()).read(zip, skipped);
}

/** The path of a file that stands at the top, or as near to it as possible. */
function shallowest({ paths }: Zip, name: string): string | undefined {
  return paths.filter((path) => getBaseName(path) === name).toSorted((a, b) => a.length - b.length)[0];
}

function below(path: string): string {
  const folder = getParentFolder(path);
  return folder === "" ? "" : `${folder}/`;
}

class SpaceReader {
  readonly #assets = new ImportedFiles();
  readonly #paths = new Map<string, string>();
  readonly #byTitle = new Map<string, string>();
  readonly #children = new Map<string, SpacePage[]>();
  readonly #attached = new Map<string, Attachment>();
  readonly #ofPage = new Map<string, Attachment[]>();
  readonly #pages: readonly SpacePage[];

  constructor(
    readonly space: Space,
    readonly users: ReadonlyMap<string, string>,
  ) {
    this.#pages = space.pages.toSorted(
      (a, b) => this.#rank(a) - this.#rank(b) || a.place - b.place || (a.title < b.title ? -1 : 1),
    );
    for (const page of this.#pages) {
      if (!this.#byTitle.has(page.title)) this.#byTitle.set(page.title, page.id);
      if (page.parent !== undefined) addTo(this.#children, page.parent, page);
    }
    for (const attachment of space.attachments) {
      this.#attached.set(attachment.source, attachment);
      this.#attached.set(`${attachment.page}\n${attachment.name}`, attachment);
      addTo(this.#ofPage, attachment.page, attachment);
    }
    this.#givePaths();
  }

  async read(zip: Zip, skipped: SkippedItem[]): Promise<ImportedBook> {
    const texts = new Map<string, BookText>();
    const tooLong = new Map<string, string>();
    for (const page of this.#pages) {
      const nodes = page.body(this.#addressesOn(page));
      const path = this.#paths.get(page.id)!;
      try {
        texts.set(path, { text: await runSteps(writeHtmlPageInSteps(page.title, nodes, {})) });
      } catch (error) {
        tooLong.set(path, getTooLongReason(error));
      }
    }
    this.#takeAttachments(skipped);
    const { files } = this.#assets;
    const all = [...zip.skipped, ...skipped];
    return createImportedBook(
      createBook({
        chapters: this.#chapters(),
        texts,
        files,
        skipped: all,
      }),
      tooLong,
    );
  }

  /** The home page comes first, and posts last. */
  #rank({ id, isPost }: SpacePage): number {
    if (id === this.space.home) return 0;
    return isPost ? 2 : 1;
  }

  #givePaths(): void {
    const paths = new UniquePaths(["readme.md"]);
    const known = new Map(this.#pages.map((page) => [page.id, page]));
    const give = (page: SpacePage, depth: number): void => {
      if (this.#paths.has(page.id)) return;
      const parent = this.#parentOf(page);
      const above = parent === undefined ? undefined : known.get(parent);
      if (above && depth < 32) give(above, depth + 1);
      if (this.#paths.has(page.id)) return;
      const folder = above && this.#paths.get(above.id)?.replace(/\.md$/, "");
      const path = page.id === this.space.home ? "README.md" : paths.claimForTitle(page.title, folder);
      this.#paths.set(page.id, path);
    };
    for (const page of this.#pages) give(page, 0);
  }

  /** All pages of a space are below its home page, which only repeats the space. Here it becomes the first page. */
  #parentOf({ parent }: SpacePage): string | undefined {
    return parent === this.space.home ? undefined : parent;
  }

  #chapters(): Chapter[] {
    const tree = (pages: readonly SpacePage[]) =>
      buildChapterTree(
        pages.map((page) => {
          const chapter = { kind: "page" as const, path: this.#paths.get(page.id)!, title: page.title };
          return { id: page.id, parentId: this.#parentOf(page), chapter };
        }),
      );
    const posts = tree(this.#pages.filter(({ isPost }) => isPost));
    const blog: Chapter[] = posts.length === 0 ? [] : [{ kind: "group", title: "Blog", chapters: posts }];
    return [...tree(this.#pages.filter(({ isPost }) => !isPost)), ...blog];
  }

  /** Everything that is attached to a page is taken, even if no text shows it. */
  #takeAttachments(skipped: SkippedItem[]): void {
    for (const attachment of this.space.attachments) {
      if (this.#take(attachment) === undefined)
        skipped.push({
          resource: attachment.source,
          reason: `The export does not hold the file "${attachment.name}".`,
        });
    }
  }

  #take({ source, name, read }: Attachment): string | undefined {
    return this.#assets.add(source, name, read);
  }

  #addressesOn(page: SpacePage): SpaceAddresses {
    const from = this.#paths.get(page.id)!;
    const toPage = (id: string | undefined) => {
      const path = id === undefined ? undefined : this.#paths.get(id);
      return path === undefined ? undefined : addressFrom(from, path);
    };
    const toFile = (attachment: Attachment | undefined) => {
      const path = attachment && this.#take(attachment);
      return path === undefined ? undefined : addressFrom(from, path);
    };
    return {
      page: (title) => toPage(this.#byTitle.get(title)),
      pageById: toPage,
      attachment: (name, title) => {
        const owner = title === undefined || title === "" ? page.id : this.#byTitle.get(title);
        return toFile(this.#attached.get(`${owner}\n${name}`) ?? this.#attached.get(name));
      },
      children: once(() => (this.#children.get(page.id) ?? []).map(({ id, title }) => ({ title, href: toPage(id)! }))),
      attachments: once(() =>
        (this.#ofPage.get(page.id) ?? []).flatMap((attachment) => {
          const href = toFile(attachment);
          return href === undefined ? [] : [{ title: attachment.name, href }];
        }),
      ),
      user: (key) => this.users.get(key),
    };
  }
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/** A list that is given once and is empty afterwards, so that a page cannot become huge by asking for it again and
 * again. */
function once<Value>(list: () => Value[]): () => Value[] {
  let isGiven = false;
  return () => {
    if (isGiven) return [];
    isGiven = true;
    return list();
  };
}
