// Reads a book from a repository. It either gives a book and says what it left out, or refuses with a sentence. Nothing
// in the tree is trusted, and nothing leads out of it.

import { omitUndefined } from "../../utils/objects";
import { type RunSteps, runStepsAtOnce, yieldOnce } from "../markdown/steps";
import type { VariableValue } from "../revision/entries";
import { sortInSteps } from "../revision/sort-in-steps";
import type { Book, BookFile, BookText, Chapter, PageChapter } from "./book";
import { contentsOf } from "./chapters";
import { type Layout, layoutIn } from "./config";
import { Includes } from "./includes";
import { filesMeantIn } from "./language-paths";
import { addressesIn } from "./named";
import { isMarkdown, joined, relativePath, splitHref } from "./paths";
import { BookRefused } from "./refused";
import { Tags } from "./tags";
import { FILES_A_TURN, Files, type FileTree, utf8Text } from "./tree";
import { isClosed, valuesIn, yamlMap } from "./yaml-values";

/** What is known already of what a book may hold, so that it is not read again: see `knownIn`. */
export interface Known {
  /** Texts by path, with the name that Git has for them. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files by path, with the name that Git has for them. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths that texts name where nothing stood. */
  readonly missing: ReadonlySet<string>;
  /** Whether the texts were read as those of mdBook, which name more files. */
  readonly isMdBook: boolean;
}

export interface ReadOptions {
  /** The folder of the repository that has the book. Default: the top. */
  readonly directory?: string | undefined;
  /** Default: nothing is known. */
  readonly known?: Known | undefined;
  /** Default: others wait. */
  readonly inTurns?: RunSteps | undefined;
}

/** The most bytes of all files and texts of a book. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** Texts and bytes of a book that are held in memory. What is beyond is read again when it is needed. */
const MOST_HELD = 8 * 1024 * 1024;
const MAX_VARIABLES = 1000;

/** Reads the book of a repository. Throws `BookRefused` when there is none, or too much of it. */
export async function readBook(tree: FileTree, options: ReadOptions = {}): Promise<Book> {
  const files = await Files.of(tree, options.inTurns);
  const layout = await layoutIn(files, options.directory ?? "");
  const { chapters } = await contentsOf(files, layout, options.inTurns);
  const { root, directory } = layout;
  const tags = await Tags.of(
    files,
    [root, directory].map((it) => joined(it, ".gitbook/tags.yaml")),
  );
  return new Reader(files, layout, options, tags).read(chapters);
}

const nothing: Known = { texts: new Map(), files: new Map(), missing: new Set(), isMdBook: false };

class Reader {
  readonly #texts = new Map<string, BookText>();
  readonly #unread = new Map<string, string>();
  readonly #reusable = new Map<string, BookText>();
  readonly #files = new Map<string, BookFile>();
  readonly #named = new Set<string>();
  readonly #includes: Includes;
  readonly #knownTexts: Known["texts"];
  #bytes = 0;
  #held = 0;
  readonly known: Known;

  constructor(
    readonly files: Files,
    readonly layout: Layout,
    readonly options: ReadOptions,
    readonly tags: Tags,
  ) {
    this.known = options.known ?? nothing;
    this.#includes = new Includes(files, layout, (path) => this.#isText(path));
    this.#knownTexts = this.known.isMdBook === (layout.flavour === "mdbook") ? this.known.texts : nothing.texts;
  }

  async read(listed: readonly Chapter[]): Promise<Book> {
    const lost = await this.#readPages(listed);
    const chapters = lost.size === 0 ? listed : without(listed, lost);
    await this.#readFolders();
    this.#nameChapters(chapters);
    for (const path of this.known.missing) this.#name(path);
    // A text that was not read may name a file that is known.
    if (this.#unread.size > 0) for (const path of this.known.files.keys()) this.#name(path, true);
    await this.#includes.follow();
    await this.#readNamed();
    const variables = await this.#variables();
    if (chapters.length === 0 && this.#reusable.size === 0)
      throw new BookRefused(
        "There is no page to be found: no table of contents that lists one, and no text in Markdown.",
      );
    const { redirects, flavour, hidelines, translated } = this.layout;
    return {
      chapters,
      texts: this.#texts,
      ...omitUndefined({ unread: this.#unread.size > 0 ? this.#unread : undefined }),
      files: this.#files,
      reusable: this.#reusable,
      variables,
      redirects,
      ...omitUndefined({
        mdBook: flavour === "mdbook" ? (hidelines ? { hidelines } : {}) : undefined,
        languages: translated,
      }),
      skipped: this.files.allSkipped(),
    };
  }

  /** Reads the texts of pages; gives the paths of files that are not text. */
  async #readPages(listed: readonly Chapter[]): Promise<Set<string>> {
    const lost = new Set<string>();
    for (const { path, draft } of pagesIn(listed)) {
      if (draft) this.#texts.set(path, { text: "" });
      else if (!(await this.#readText(path, this.#texts))) lost.add(path);
      await this.#turn();
    }
    return lost;
  }

  async #readText(path: string, into: Map<string, BookText>): Promise<boolean> {
    const whole = this.files.held(joined(this.layout.root, path));
    const oid = this.files.plain.get(whole)?.oid;
    if (oid !== undefined && this.#knownTexts.get(path) === oid) {
      this.#unread.set(path, oid);
      return true;
    }
    const found = await this.files.text(whole);
    if ("reason" in found) {
      this.files.skip(whole, found.reason);
      return false;
    }
    const { text } = found;
    this.#take(text.length);
    const named = oid === undefined ? {} : { oid };
    into.set(path, this.#holds(text.length) ? { text, ...named } : new TextAgain(this.files.tree, whole, named));
    for (const href of addressesIn(text))
      for (const meant of filesMeantIn(this.layout.translated, path, splitHref(href).path)) this.#name(meant);
    this.#includes.add(path, text);
    this.tags.check(whole, text);
    return true;
  }

  /** Everything in `.gitbook/assets` and `.gitbook/includes`, beside the texts or beside the settings. */
  async #readFolders(): Promise<void> {
    const { root, directory } = this.layout;
    const places = new Set([joined(root, ".gitbook"), joined(directory, ".gitbook")]);
    let seen = 0;
    for (const whole of this.files.plain.keys()) {
      if (++seen % FILES_A_TURN === 0) await this.#turn();
      for (const place of places) {
        const path = whole.startsWith(`${place}/`) ? relativePath(joined(root, "x"), whole) : undefined;
        if (path === undefined) continue;
        if (whole.startsWith(`${place}/assets/`)) this.#named.add(path);
        if (whole.startsWith(`${place}/includes/`) && isMarkdown(path)) await this.#readText(path, this.#reusable);
      }
    }
  }

  #nameChapters(chapters: readonly Chapter[]): void {
    for (const chapter of chapters) {
      if (chapter.kind === "link") this.#name(splitHref(chapter.href).path);
      else if (chapter.kind !== "computed") this.#nameChapters(chapter.chapters);
    }
  }

  /** Records that a path is named. A text is a file only if it does not belong to the book, and is known as one: another
   * one includes it. */
  #name(path: string, isKnown = false): void {
    const isFile = !this.#isText(path) && path !== this.layout.summary && (isKnown || !isMarkdown(path));
    if (isFile && this.files.has(joined(this.layout.root, path))) this.#named.add(this.files.held(path));
  }

  #isText(path: string): boolean {
    return this.#texts.has(path) || this.#unread.has(path) || this.#reusable.has(path);
  }

  async #readNamed(): Promise<void> {
    const included = this.#includes.found;
    const oids = new Set(this.known.files.values());
    const paths = [...new Set([...this.#named, ...included.keys()])];
    for (const path of await (this.options.inTurns ?? runStepsAtOnce)(sortInSteps(paths))) {
      await this.#turn();
      const whole = this.files.held(joined(this.layout.root, path));
      const oid = this.files.plain.get(whole)?.oid;
      const includedBy = this.#named.has(path) ? undefined : included.get(path);
      const named = { ...omitUndefined({ oid, includedBy: includedBy ? includedBy : undefined }) };
      if (oid !== undefined && oids.has(oid)) {
        this.#files.set(path, named);
        continue;
      }
      const bytes = await this.files.bytes(whole);
      if (!bytes) this.files.skip(whole, "It could not be read, or is too large.");
      else {
        this.#take(bytes.length);
        const isHeld = this.#holds(bytes.length);
        this.#files.set(path, isHeld ? { bytes, ...named } : new BytesAgain(this.files.tree, whole, named));
      }
    }
  }

  /** The variables of the settings, and those of `.gitbook/vars.yaml`, which count where both name one. */
  async #variables(): Promise<Record<string, VariableValue>> {
    const { root, directory, variables } = this.layout;
    const stated = Object.entries(variables).filter(([name, value]) => this.#fits(name, value));
    const path = [root, directory].map((it) => joined(it, ".gitbook/vars.yaml")).find((it) => this.files.has(it));
    if (path === undefined) return Object.fromEntries(stated.slice(0, MAX_VARIABLES));
    const found = await this.files.text(path);
    const map = "text" in found ? yamlMap(found.text) : undefined;
    if (!map) this.files.skip(path, "It is not a map in YAML, and is ignored.");
    const fitting = [...valuesIn(map)].filter(([name, value]) => isVariable(name, value)).slice(0, MAX_VARIABLES);
    if (fitting.length < (map?.items.length ?? 0))
      this.files.skip(path, "Some of its names or values cannot be variables, and are ignored.");
    return Object.fromEntries([...stated, ...fitting].slice(-MAX_VARIABLES));
  }

  #fits(name: string, value: VariableValue): boolean {
    if (isVariable(name, value)) return true;
    this.files.skip(`variables.${name}`, "Its name or its value cannot be that of a variable, and it is ignored.");
    return false;
  }

  #turn(): Promise<void> {
    return (this.options.inTurns ?? runStepsAtOnce)(yieldOnce());
  }

  /** Whether a text or a file stays in memory: the first ones do, as far as there is room. */
  #holds(size: number): boolean {
    this.#held += size;
    return this.#held <= MOST_HELD;
  }

  #take(size: number): void {
    this.#bytes += size;
    if (this.#bytes > MAX_BYTES) throw new BookRefused("The book is larger than 1 GB.");
  }
}

/** A text that is not held. Such objects take a third of the memory of functions, and hold nothing that was only needed to
 * read the book. A large book has a hundred thousand of them. */
class TextAgain implements BookText {
  readonly text = "";
  readonly oid?: string;

  constructor(
    private readonly tree: FileTree,
    private readonly path: string,
    { oid }: Pick<BookText, "oid">,
  ) {
    if (oid !== undefined) this.oid = oid;
  }

  async later(): Promise<string> {
    const bytes = await this.tree.read(this.path);
    const found = bytes && utf8Text(bytes);
    if (found && "text" in found) return found.text;
    throw new BookRefused(`${this.path} could be read once and not again.`);
  }
}

/** A file whose bytes are not held. */
class BytesAgain implements BookFile {
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

  later(): Promise<Uint8Array | undefined> {
    return this.tree.read(this.path);
  }
}

/** Whether a name and a value can be a variable of a space. */
export function isVariable(name: string, value: VariableValue): boolean {
  const isName = /^\p{L}[\p{L}\p{N}_]{0,99}$/u.test(name) && !isClosed(name);
  return isName && (typeof value !== "string" || value.length <= 256);
}

/** Every page among chapters, those below others as well. */
export function* pagesIn(chapters: readonly Chapter[]): Generator<PageChapter> {
  for (const chapter of chapters) {
    if (chapter.kind === "page") yield chapter;
    if (chapter.kind === "page" || chapter.kind === "group") yield* pagesIn(chapter.chapters);
  }
}

/** How many chapters are computed, those below others as well. */
export function countOfComputed(chapters: readonly Chapter[]): number {
  let count = 0;
  for (const chapter of chapters) {
    if (chapter.kind === "computed") count++;
    else if (chapter.kind !== "link") count += countOfComputed(chapter.chapters);
  }
  return count;
}

/** Chapters without some pages; what is below those moves up. */
export function without(chapters: readonly Chapter[], lost: ReadonlySet<string>): Chapter[] {
  return chapters.flatMap((chapter): Chapter[] => {
    if (chapter.kind === "link" || chapter.kind === "computed") return [chapter];
    const inside = without(chapter.chapters, lost);
    if (chapter.kind === "page" && lost.has(chapter.path)) return inside;
    return [{ ...chapter, chapters: inside }];
  });
}
