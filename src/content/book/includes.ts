// The files that texts of mdBook include, and those that these include in turn. What cannot be included is reported with
// the text that asks for it.

import { type Directive, findAnchorNames, findDirectives, hasDirectives } from "../mdbook/directives";
import type { BookFile } from "./book";
import type { Layout } from "./config";
import { folderOf, joined } from "./paths";
import type { Files } from "./tree";

interface Including {
  readonly from: string;
  readonly directives: readonly Directive[];
  readonly by: NonNullable<BookFile["includedBy"]>;
}

export class Includes {
  /** The files that were found, and what includes them. */
  readonly found = new Map<string, Including["by"]>();
  readonly #waiting: Including[] = [];
  /** The anchors of files that were read; undefined for one that is no text. */
  readonly #anchors = new Map<string, ReadonlySet<string> | undefined>();

  constructor(
    readonly files: Files,
    readonly layout: Layout,
    /** Whether a path is that of a text of the book. */
    readonly isText: (path: string) => boolean,
  ) {}

  /** Notes what a text includes. */
  add(from: string, text: string, by: Including["by"] = "text"): void {
    if (this.layout.flavour !== "mdbook" || !hasDirectives(text)) return;
    this.#waiting.push({ from, directives: findDirectives(text).filter(({ path }) => path !== ""), by });
  }

  /** Looks for all that was noted, and for what that includes. */
  async follow(): Promise<void> {
    for (const { from, directives, by } of this.#waiting) {
      for (const directive of directives) {
        const path = joined(folderOf(from), directive.path);
        const why = await this.#take(path, directive, by);
        if (why !== undefined)
          this.files.skip(joined(this.layout.root, from), `It includes ${directive.path}, ${why}.`);
      }
    }
  }

  /** Takes a file; gives why that cannot be done. */
  async #take(path: string, { anchor }: Directive, by: Including["by"]): Promise<string | undefined> {
    const whole = joined(this.layout.root, path);
    if (whole.startsWith("..")) return "which is outside of the repository";
    if (this.isText(path)) return undefined;
    if (!this.files.has(whole)) return "and there is no such file";
    if (!this.#anchors.has(path)) this.#anchors.set(path, await this.#read(path, whole));
    const anchors = this.#anchors.get(path);
    if (!anchors) return "which is not a text";
    if (this.found.get(path) !== "text") this.found.set(path, by);
    return anchor === undefined || anchors.has(anchor) ? undefined : `which has no anchor ${anchor}`;
  }

  async #read(path: string, whole: string): Promise<ReadonlySet<string> | undefined> {
    const read = await this.files.text(whole);
    if (!("text" in read)) return undefined;
    this.add(path, read.text, "file");
    return findAnchorNames(read.text);
  }
}
