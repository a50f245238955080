// The files that texts of mdBook include, and those that these include in turn. A file that cannot be included is reported with
// the text that asks for it.

import { ANCHOR, type Directive, findDirectives, hasDirectives } from "../mdbook/directives";
import type { BookFile } from "./book";
import type { BookLayout } from "./layout";
import { getParentFolder, joinPath } from "./paths";
import type { RepositoryFiles } from "./repository-files";

type IncludedBy = NonNullable<BookFile["includedBy"]>;

/** A text with the directives that include files. */
interface IncludingText {
  readonly path: string;
  readonly directives: readonly Directive[];
  readonly kind: IncludedBy;
}

/** Collects the files that texts include. */
export class IncludeCollector {
  /** The files that were found, and what includes them. A text that includes a file counts more than another file. */
  readonly includedFiles = new Map<string, IncludedBy>();
  readonly #includingTexts: IncludingText[] = [];
  /** The anchors of files that were read. Undefined for a file that is not a text. */
  readonly #anchors = new Map<string, ReadonlySet<string> | undefined>();

  constructor(
    readonly files: RepositoryFiles,
    readonly layout: BookLayout,
    readonly isText: (path: string) => boolean,
  ) {}

  add(path: string, text: string, kind: IncludedBy = "text"): void {
    if (this.layout.flavor !== "mdbook" || !hasDirectives(text)) return;
    this.#includingTexts.push({ path, directives: findDirectives(text).filter((it) => it.path !== ""), kind });
  }

  /** Looks up all files that were noted, and those that they include. */
  async collect(): Promise<void> {
    // The list grows in the loop.
    for (const { path: from, directives, kind } of this.#includingTexts) {
      for (const directive of directives) {
        const path = joinPath(getParentFolder(from), directive.path);
        const problem = await this.#collectFile(path, directive, kind);
        if (problem !== undefined)
          this.files.skip(joinPath(this.layout.root, from), `It includes ${directive.path}, ${problem}.`);
      }
    }
  }

  /** Collects a file. Returns why it cannot be included, or undefined if it can. */
  async #collectFile(path: string, { anchor }: Directive, kind: IncludedBy): Promise<string | undefined> {
    const fullPath = joinPath(this.layout.root, path);
    if (fullPath.startsWith("..")) return "which is outside of the repository";
    if (this.isText(path)) return undefined;
    if (!this.files.has(fullPath)) return "and there is no such file";

    if (!this.#anchors.has(path)) {
      const file = await this.files.readText(fullPath);
      let anchors: Set<string> | undefined;
      if ("text" in file) {
        this.add(path, file.text, "file");
        anchors = new Set(file.text.split("\n").flatMap((line) => ANCHOR.exec(line)?.[1] ?? []));
      }
      this.#anchors.set(path, anchors);
    }
    const anchors = this.#anchors.get(path);
    if (!anchors) return "which is not a text";

    if (this.includedFiles.get(path) !== "text") this.includedFiles.set(path, kind);
    return anchor === undefined || anchors.has(anchor) ? undefined : `which has no anchor ${anchor}`;
  }
}
