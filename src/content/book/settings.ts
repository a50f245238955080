// What the settings of a book say, whichever tool they were written for.

import type { VariableValue } from "../revision/entries";
import type { Redirects } from "./book";

/** Whose conventions a table of contents follows. */
export type Flavour = "gitbook" | "mdbook" | "honkit";

/** What settings say, as far as they say something. Names of files are not checked yet. */
export interface Settings {
  readonly root?: unknown;
  readonly readme?: unknown;
  readonly summary?: unknown;
  /** A page that comes last if nothing lists it. */
  readonly glossary?: unknown;
  readonly redirects?: Redirects;
  readonly variables?: Readonly<Record<string, VariableValue>>;
  /** For mdBook: what lines of code that are not shown begin with, by language. */
  readonly hidelines?: Readonly<Record<string, string>> | undefined;
}
