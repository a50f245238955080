// What a revision holds: an ordered map from short keys to small values, one kind of entry a prefix.
//
//   p/<page>                      the page's own fields, and the hash of its text
//   c/<parent>/<order>            the page at this place under a parent
//   s/<parent>/<slug>             the page with this slug; one that moved away leaves its old slug behind, until it is taken
//   h/<source>                    the anchors that links to a page may name, or to a page that includes this text
//   f/<file>   r/<content>        files and reusable contents
//   g/<path>                      what stands at a path of files: `.gitbook/assets/logo.png`, or a page from Git
//   v/<name>                      variables
//   w/<path>                      where a book leads the readers of an old path
//   a/<page>                      the old paths that its text states
//   b/mdbook                      that the texts are those of a book of mdBook
//   b/languages                   the languages that a book is written in, if there are several
//   o/<source>/<n>                the n-th link of a page or a reusable content
//   i/<target>/<source>/<n>       the same link, from where it leads
//   t/<target>                    how many links lead there
//
// The root is written as `-` where a parent is due.

import { sha256Hex } from "../../utils/sha256";
import type { ContentRef } from "../document";

/** A value of a variable. */
export type VariableValue = string | number | boolean;

export type PageType = "document" | "group" | "link" | "computed";

/** How a page is laid out. The renderer decides about fields that are left out. */
export interface LayoutSettings {
  readonly width?: "default" | "wide";
  readonly cover?: boolean;
  readonly coverSize?: "hero" | "full";
  readonly title?: boolean;
  readonly description?: boolean;
  readonly tableOfContents?: boolean;
  readonly outline?: boolean;
  readonly pagination?: boolean;
  readonly metadata?: boolean;
}

/** The layout of a document that says nothing about it. */
export const DEFAULT_LAYOUT = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
} as const satisfies Required<LayoutSettings>;

export interface PageCover {
  readonly ref: ContentRef;
  readonly refDark?: ContentRef;
  readonly yPos?: number;
}

/** The fields of a page that people set. */
export interface PageFields {
  readonly title: string;
  readonly slug: string;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly condition?: string;
  readonly layout?: LayoutSettings;
  readonly cover?: PageCover;
  readonly variables?: Readonly<Record<string, VariableValue>>;
}

/** A variable as it is stored. It has its name, because a long name is only a hash in its key. */
export interface VariableEntry {
  readonly name: string;
  readonly value: VariableValue;
}

/** A redirect of the book. It has its path, because a long one is only a hash in its key. */
export interface RedirectEntry {
  readonly from: string;
  /** A page, an anchor on a page, or a URL. */
  readonly to: ContentRef;
  /** The text of the page states it. Default: the settings of the book do. */
  readonly isAlias?: true;
}

/** What a book of mdBook says of all its texts. */
export interface MdBookEntry {
  /** What lines of code that are not shown begin with, by language. */
  readonly hidelines?: Readonly<Record<string, string>>;
}

/** The languages that a book is written in. */
export interface LanguagesEntry {
  /** The folder of the first one, from which all paths of the book lead. */
  readonly root: string;
  /** Folders by language. They and the root are seen from one folder above all of them. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Where something stands in a Git repository. */
export interface GitOrigin {
  readonly oid: string;
  readonly path: string;
}

/** What stands at a path of files: one of the three. */
export interface PathEntry {
  readonly page?: string;
  readonly file?: string;
  readonly reusable?: string;
  /** The name that Git has for the object under `hash`, when it was last compared with Git. */
  readonly oid?: string;
  readonly hash?: string;
}

/** A page as it is stored. */
export interface PageEntry extends PageFields {
  readonly type: PageType;
  /** Null: the root. */
  readonly parent: string | null;
  readonly order: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The hash of its text; only documents have one. */
  readonly body?: string;
  /** The fields that the text itself states, in its front matter or its title. */
  readonly stated?: readonly string[];
  /** Where a link page leads. */
  readonly target?: ContentRef;
  /** What a computed page is computed from, in YAML; also of the documents that came of it, which are never stored. */
  readonly computed?: string;
  /** Its key in that source, where it came of one. */
  readonly computedKey?: string;
  readonly git?: GitOrigin;
  /** In a book of several languages: the pages that say the same, by language. The page itself is one of them. */
  readonly translations?: Readonly<Record<string, string>>;
}

export interface FileEntry {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** The hash of its bytes; empty if those are elsewhere. */
  readonly object: string;
  /** Where a file is that was computed: no bytes of it are kept here. */
  readonly url?: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
  /** Where it stands among files, for links that name it so. */
  readonly path: string;
  /** Whether it came because another file includes it. No text links to it. */
  readonly isNested?: true;
  readonly createdAt: string;
  readonly git?: GitOrigin;
}

export interface ReusableEntry {
  readonly title: string;
  /** The hash of its text. */
  readonly body: string;
  /** Where it stands among files, for links that name it so. */
  readonly path: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly git?: GitOrigin;
}

/** A link in a text. */
export interface LinkEntry {
  /** What it leads to, as a part of a key. */
  readonly to: string;
  /** The same as a reference; a link that leads nowhere refers to its own text. */
  readonly ref: ContentRef;
  /** The path that a link names which leads nowhere. */
  readonly path?: string;
  /** As it stands in the text. */
  readonly href: string;
  readonly as: string;
  /** The key of the block that it is in. */
  readonly block: string;
}

const ROOT = "-";
/** Longer names are replaced by their hash, so that keys stay within their limit. */
const LONGEST_NAME = 200;

/** A text of users as a part of a key. */
function named(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
  return encoded.length <= LONGEST_NAME ? encoded : `~${sha256Hex(encoded)}`;
}

/** The keys of a revision. */
export const keys = {
  page: (id: string) => `p/${id}`,
  pages: "p/",
  children: (parent: string | null) => `c/${parent ?? ROOT}/`,
  child: (parent: string | null, order: string) => `c/${parent ?? ROOT}/${order}`,
  slug: (parent: string | null, slug: string) => `s/${parent ?? ROOT}/${named(slug)}`,
  anchors: (page: string) => `h/${page}`,
  file: (id: string) => `f/${id}`,
  files: "f/",
  reusable: (id: string) => `r/${id}`,
  reusables: "r/",
  filePath: (path: string) => `g/${named(path)}`,
  filePaths: "g/",
  variable: (name: string) => `v/${named(name)}`,
  variables: "v/",
  redirect: (path: string) => `w/${named(path)}`,
  redirects: "w/",
  aliases: (page: string) => `a/${page}`,
  allAliases: "a/",
  mdBook: "b/mdbook",
  languages: "b/languages",
  link: (source: string, n: number) => `o/${source}/${String(n).padStart(6, "0")}`,
  sourceLinks: (source: string) => `o/${source}/`,
  links: "o/",
  incomingLink: (target: string, source: string, n: number) => `i/${target}/${source}/${String(n).padStart(6, "0")}`,
  allIncomingLinks: "i/",
  incomingLinks: (target: string) => `i/${target}/`,
  linkCount: (target: string) => `t/${target}`,
  linkCounts: "t/",
} as const;

/** What a link leads to, as a part of a key. */
export const linkTargets = {
  page: (id: string, anchor?: string) => (anchor === undefined ? `p:${id}` : `p:${id}:${named(anchor)}`),
  file: (id: string) => `f:${id}`,
  reusable: (id: string) => `r:${id}`,
  /** Something outside of the space, by its reference in one line. */
  external: (line: string) => `x:${named(line)}`,
  /** A path that led nowhere when the link was written. */
  missing: (path: string) => `n:${named(path)}`,
} as const;

/** The hash of the text or file that an entry names. */
export function getObjectHash({ key, value }: { readonly key: string; readonly value: unknown }): string | undefined {
  if (key.startsWith(keys.files)) return (value as FileEntry).object;
  if (key.startsWith(keys.pages)) return (value as PageEntry).body;
  return key.startsWith(keys.reusables) ? (value as ReusableEntry).body : undefined;
}
