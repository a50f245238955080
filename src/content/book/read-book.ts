// Reads a book from a repository. It returns a book that says what was left out, or throws an error with a sentence. Nothing
// in the tree is trusted, and nothing leads out of it.

import { isMap, isScalar, isSeq } from "yaml";
import { type RunSteps, runStepsAtOnce, yieldOnce } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { parsePageSource } from "../page-source";
import type { VariableValue } from "../revision/entries";
import { sortInSteps } from "../revision/sort-in-steps";
import { type Book, type BookFile, type BookText, type Chapter, removePages, walkPages } from "./book";
import { BookError } from "./errors";
import { IncludeCollector } from "./includes";
import { listCandidatePathsByLanguage } from "./language-paths";
import { type BookLayout, detectLayout } from "./layout";
import { extractLocalHrefs } from "./local-hrefs";
import { getRelativePath, isMarkdown, joinPath, splitHref } from "./paths";
import { decodeUtf8, FILES_PER_YIELD, type FileTree, RepositoryFiles } from "./repository-files";
import { readTableOfContents } from "./table-of-contents";
import { getScalarValues, isValidVariable, parseSmallYaml, parseYamlMap } from "./yaml-values";

/** The objects of a book that a revision has already, so that they are not read again. See `loadKnownFiles`. */
export interface KnownFiles {
  /** The Git ids of texts by path. */
  readonly textOids: ReadonlyMap<string, string>;
  /** The Git ids of files by path. */
  readonly fileOids: ReadonlyMap<string, string>;
  /** Paths that texts name, and that had no file. */
  readonly missingPaths: ReadonlySet<string>;
  /** The texts were read as those of mdBook, which name more files. */
  readonly isMdBook: boolean;
}

export interface ReadBookOptions {
  /** The folder of the repository that has the book. Default: the top. */
  readonly directory?: string | undefined;
  /** Default: nothing is known. */
  readonly known?: KnownFiles | undefined;
  /** Default: without yielding. */
  readonly runSteps?: RunSteps | undefined;
}

/** The most bytes of all files and texts of a book. */
const MAX_BOOK_BYTES = 1024 * 1024 * 1024;
/** The size of the texts and files that stay in memory. The rest is read again when it is needed. */
const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;
const MAX_VARIABLES = 1000;

const NOTHING_KNOWN: KnownFiles = {
  textOids: new Map(),
  fileOids: new Map(),
  missingPaths: new Set(),
  isMdBook: false,
};

/** Reads the book of a repository. Throws `BookError` if there is none, or if it is too large. */
export async function readBook(tree: FileTree, options: ReadBookOptions = {}): Promise<Book> {
  const { directory = "", runSteps } = options;
  const files = await RepositoryFiles.load(tree, runSteps);
  const layout = await detectLayout(files, directory);
  const { chapters } = await readTableOfContents(files, layout, runSteps);
  const tagPaths = [layout.root, layout.directory].map((folder) => joinPath(folder, ".gitbook/tags.yaml"));
  const tags = await TagList.load(files, tagPaths);
  return new BookReader(files, layout, options, tags).read(chapters);
}

class BookReader {
  readonly #texts = new Map<string, BookText>();
  readonly #unreadOids = new Map<string, string>();
  readonly #reusables = new Map<string, BookText>();
  readonly #files = new Map<string, BookFile>();
  /** The paths of files that texts name. */
  readonly #namedFiles = new Set<string>();
  readonly #includes: IncludeCollector;
  readonly #known: KnownFiles;
  readonly #knownTextOids: KnownFiles["textOids"];
  readonly #runSteps: RunSteps;
  #bytes = 0;
  #bytesInMemory = 0;

  constructor(
    readonly files: RepositoryFiles,
    readonly layout: BookLayout,
    { known = NOTHING_KNOWN, runSteps = runStepsAtOnce }: ReadBookOptions,
    readonly tags: TagList,
  ) {
    this.#known = known;
    this.#runSteps = runSteps;
    this.#includes = new IncludeCollector(files, layout, (path) => this.#isText(path));
    const isSameSyntax = known.isMdBook === (layout.flavor === "mdbook");
    this.#knownTextOids = isSameSyntax ? known.textOids : NOTHING_KNOWN.textOids;
  }

  async read(listed: readonly Chapter[]): Promise<Book> {
    const unreadablePaths = new Set<string>();
    for (const { path, isDraft } of walkPages(listed)) {
      if (isDraft) this.#texts.set(path, { text: "" });
      else if (!(await this.#readText(path, this.#texts))) unreadablePaths.add(path);
      await this.#yieldIfDue();
    }
    const chapters = unreadablePaths.size === 0 ? listed : removePages(listed, unreadablePaths);

    await this.#readGitBookFolders();
    this.#nameLinkedFiles(chapters);
    for (const path of this.#known.missingPaths) this.#nameFile(path);
    // A text that was not read may name a file that is known.
    if (this.#unreadOids.size > 0) for (const path of this.#known.fileOids.keys()) this.#nameFile(path, true);
    await this.#includes.collect();
    await this.#readFiles();
    const variables = await this.#readVariables();

    if (chapters.length === 0 && this.#reusables.size === 0)
      throw new BookError("No page was found: neither a table of contents that lists one, nor a Markdown file.");
    const { redirects, flavor, hidelines, languages } = this.layout;
    return {
      chapters,
      texts: this.#texts,
      ...omitUndefined({ unreadOids: this.#unreadOids.size > 0 ? this.#unreadOids : undefined }),
      files: this.#files,
      reusables: this.#reusables,
      variables,
      redirects,
      ...omitUndefined({
        mdBook: flavor === "mdbook" ? omitUndefined({ hidelines }) : undefined,
        languages,
      }),
      skipped: this.files.listSkipped(),
    };
  }

  /** Reads a text with everything that it names. Returns false if the file is not a text. */
  async #readText(path: string, texts: Map<string, BookText>): Promise<boolean> {
    const fullPath = this.files.intern(joinPath(this.layout.root, path));
    const oid = this.files.byPath.get(fullPath)?.oid;
    if (oid !== undefined && this.#knownTextOids.get(path) === oid) {
      this.#unreadOids.set(path, oid);
      return true;
    }

    const file = await this.files.readText(fullPath);
    if ("reason" in file) {
      this.files.skip(fullPath, file.reason);
      return false;
    }
    const { text } = file;
    this.#countBytes(text.length);
    const identity = omitUndefined({ oid });
    const fitsInMemory = this.#reserveMemory(text.length);
    texts.set(path, fitsInMemory ? { text, ...identity } : new DeferredText(this.files.tree, fullPath, identity));

    for (const href of extractLocalHrefs(text))
      for (const candidate of listCandidatePathsByLanguage(this.layout.languages, path, splitHref(href).path))
        this.#nameFile(candidate);
    this.#includes.add(path, text);
    this.tags.check(fullPath, text);
    return true;
  }

  /** Reads everything in `.gitbook/assets` and `.gitbook/includes`, next to the texts or next to the settings. */
  async #readGitBookFolders(): Promise<void> {
    const { root, directory } = this.layout;
    const folders = new Set([joinPath(root, ".gitbook"), joinPath(directory, ".gitbook")]);
    let seenCount = 0;
    for (const fullPath of this.files.byPath.keys()) {
      if (++seenCount % FILES_PER_YIELD === 0) await this.#yieldIfDue();
      for (const folder of folders) {
        if (!fullPath.startsWith(`${folder}/`)) continue;
        const path = getRelativePath(joinPath(root, "x"), fullPath);
        if (fullPath.startsWith(`${folder}/assets/`)) this.#namedFiles.add(path);
        if (fullPath.startsWith(`${folder}/includes/`) && isMarkdown(path)) await this.#readText(path, this.#reusables);
      }
    }
  }

  #nameLinkedFiles(chapters: readonly Chapter[]): void {
    for (const chapter of chapters) {
      if (chapter.kind === "link") this.#nameFile(splitHref(chapter.href).path);
      else if (chapter.kind !== "computed") this.#nameLinkedFiles(chapter.chapters);
    }
  }

  /** Notes that a path is named. A text outside of the book is a file only if another text includes it. */
  #nameFile(path: string, isKnownFile = false): void {
    const isFile = !this.#isText(path) && path !== this.layout.summary && (isKnownFile || !isMarkdown(path));
    if (isFile && this.files.has(joinPath(this.layout.root, path))) this.#namedFiles.add(this.files.intern(path));
  }

  #isText(path: string): boolean {
    return this.#texts.has(path) || this.#unreadOids.has(path) || this.#reusables.has(path);
  }

  /** Reads the files that texts name or include, but those that are known. */
  async #readFiles(): Promise<void> {
    const { includedFiles } = this.#includes;
    const knownOids = new Set(this.#known.fileOids.values());
    const paths = [...new Set([...this.#namedFiles, ...includedFiles.keys()])];
    for (const path of await this.#runSteps(sortInSteps(paths))) {
      await this.#yieldIfDue();
      const fullPath = this.files.intern(joinPath(this.layout.root, path));
      const oid = this.files.byPath.get(fullPath)?.oid;
      const includedBy = this.#namedFiles.has(path) ? undefined : includedFiles.get(path);
      const identity = omitUndefined({ oid, includedBy });
      if (oid !== undefined && knownOids.has(oid)) {
        this.#files.set(path, identity);
        continue;
      }
      const bytes = await this.files.readBytes(fullPath);
      if (!bytes) {
        this.files.skip(fullPath, "It could not be read, or is too large.");
        continue;
      }
      this.#countBytes(bytes.length);
      const fitsInMemory = this.#reserveMemory(bytes.length);
      this.#files.set(
        path,
        fitsInMemory ? { bytes, ...identity } : new DeferredFile(this.files.tree, fullPath, identity),
      );
    }
  }

  /** Reads the variables of the settings and those of `.gitbook/vars.yaml`. The latter count if both name one. */
  async #readVariables(): Promise<Record<string, VariableValue>> {
    const { root, directory, variables } = this.layout;
    const fromSettings = Object.entries(variables).filter(([name, value]) => {
      if (isValidVariable(name, value)) return true;
      this.files.skip(`variables.${name}`, "Its name or value isn't valid for a variable, so it is ignored.");
      return false;
    });
    const path = [root, directory]
      .map((folder) => joinPath(folder, ".gitbook/vars.yaml"))
      .find((candidate) => this.files.has(candidate));
    if (path === undefined) return Object.fromEntries(fromSettings.slice(0, MAX_VARIABLES));

    const file = await this.files.readText(path);
    const map = "text" in file ? parseYamlMap(file.text) : undefined;
    if (!map) this.files.skip(path, "It is not a map in YAML, and is ignored.");
    const fromFile = [...getScalarValues(map)]
      .filter(([name, value]) => isValidVariable(name, value))
      .slice(0, MAX_VARIABLES);
    if (fromFile.length < (map?.items.length ?? 0))
      this.files.skip(path, "Some of its names or values aren't valid for variables and are ignored.");
    return Object.fromEntries([...fromSettings, ...fromFile].slice(-MAX_VARIABLES));
  }

  #yieldIfDue(): Promise<void> {
    return this.#runSteps(yieldOnce());
  }

  /** Returns whether a text or a file stays in memory: the first ones do, up to the limit. */
  #reserveMemory(size: number): boolean {
    this.#bytesInMemory += size;
    return this.#bytesInMemory <= MAX_BYTES_IN_MEMORY;
  }

  #countBytes(size: number): void {
    this.#bytes += size;
    if (this.#bytes > MAX_BOOK_BYTES) throw new BookError("The book is larger than 1 GB.");
  }
}

/**
 * A text that is read when it is needed. Objects of a class take a third of the memory of closures, and retain nothing that
 * was only needed to read the book. A large book has a hundred thousand of them.
 */
class DeferredText implements BookText {
  readonly text = "";
  readonly oid?: string;

  constructor(
    private readonly tree: FileTree,
    private readonly path: string,
    { oid }: Pick<BookText, "oid">,
  ) {
    if (oid !== undefined) this.oid = oid;
  }

  async readText(): Promise<string> {
    const bytes = await this.tree.read(this.path);
    const result = bytes && decodeUtf8(bytes);
    if (result && "text" in result) return result.text;
    throw new BookError(`${this.path} could be read once and not again.`);
  }
}

/** A file whose bytes are read when they are needed. */
class DeferredFile implements BookFile {
  readonly oid?: string;
  readonly includedBy?: NonNullable<BookFile["includedBy"]>;

  constructor(
    private readonly tree: FileTree,
    private readonly path: string,
    { oid, includedBy }: Pick<BookFile, "oid" | "includedBy">,
  ) {
    if (oid !== undefined) this.oid = oid;
    if (includedBy !== undefined) this.includedBy = includedBy;
  }

  readBytes(): Promise<Uint8Array | undefined> {
    return this.tree.read(this.path);
  }
}

// The tags of a book: those that `.gitbook/tags.yaml` lists, and those that its texts name.

const UPDATE_TAGS = /\{%[ \t]*update\b[^%\n]*?\btags[ \t]*=[ \t]*"([^"\n]*)"/g;

/** The list of tags. Without one, every tag is known. */
class TagList {
  private constructor(
    readonly files: RepositoryFiles,
    readonly knownTags: ReadonlySet<string> | undefined,
  ) {}

  static async load(files: RepositoryFiles, paths: readonly string[]): Promise<TagList> {
    const path = paths.find((it) => files.has(it));
    const file = path === undefined ? undefined : await files.readText(path);
    const contents = file && "text" in file ? parseSmallYaml(file.text)?.contents : undefined;
    // The list is a map by name, or a list of names or of maps with a name.
    const tags = isMap(contents) ? contents.get("tags", true) : undefined;
    const list: unknown = isMap(tags) || isSeq(tags) ? tags : contents;
    let knownTags: ReadonlySet<string> | undefined;
    if (isMap(list)) knownTags = new Set(list.items.flatMap(({ key }) => listTagNames(key)));
    else if (isSeq(list)) knownTags = new Set(list.items.flatMap(listTagNames));
    else if (contents === null) knownTags = new Set();
    if (path !== undefined && !knownTags) files.skip(path, "It is not a list of tags in YAML, and is ignored.");
    return new TagList(files, knownTags);
  }

  /** Reports the tags that a page and the updates on it name, and that the list does not have. */
  check(path: string, text: string): void {
    if (!this.knownTags || !/\btags\b/.test(text)) return;
    const updateTags = [...text.matchAll(UPDATE_TAGS)].flatMap(([, tags = ""]) => tags.split(","));
    const tags = [...(parsePageSource(text).fields.tags ?? []), ...updateTags].map((tag) => tag.trim());
    for (const tag of new Set(tags))
      if (tag !== "" && !this.knownTags.has(tag))
        this.files.skip(path, `Its tag "${tag}" is not in .gitbook/tags.yaml.`);
  }
}

function listTagNames(node: unknown): string[] {
  if (isScalar(node)) return node.value === null ? [] : [String(node.value)];
  if (!isMap(node)) return [];
  return ["tag", "id", "slug", "name"].flatMap((key) => listTagNames(node.get(key, true))).slice(0, 1);
}
