// The entries of a revision: an ordered map from short keys to small values, with one prefix for each kind of entry.
//
//   p/<page>                      the fields of a page, and the hash of its text
//   c/<parent>/<order>            the id of the page at this position below a parent
//   s/<parent>/<slug>             the page with this slug; a page that moved away keeps its former slug until it is taken
//   h/<source>                    the anchors that links may name on a page, or on a page that includes this text
//   f/<file>   r/<content>        files and reusable contents
//   g/<path>                      the thing at a path of files: `.gitbook/assets/logo.png`, or a page from Git
//   v/<name>                      variables
//   w/<path>                      the target of a redirect that a book states for an old path
//   a/<page>                      the old paths that the text of a page states
//   b/mdbook                      present if the texts are those of an mdBook book
//   b/languages                   the languages of the book, if it has several
//   o/<source>/<n>                the n-th link of a page or a reusable content
//   i/<target>/<source>/<n>       the same link, listed by its target
//   t/<target>                    the number of links to a target
//
// The root of the page tree is written as `-` in place of a parent.

import { sha256Hex } from "../../utils/sha256";
import type { ContentRef } from "../document";

export type VariableValue = string | number | boolean;

/** The layout that a page asks for. The renderer decides about the members that are left out. */
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

/** The layout of a document that states none. */
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

/** The fields of a page that users set. */
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

/** A variable as it is stored. It includes its name, because the key has only a hash of a long name. */
export interface VariableEntry {
  readonly name: string;
  readonly value: VariableValue;
}

/** A redirect of the book. It includes its path, because the key has only a hash of a long path. */
export interface RedirectEntry {
  readonly from: string;
  /** A page, an anchor on a page, or a URL. */
  readonly to: ContentRef;
  /** The text of the page states the redirect. Default: the settings of the book state it. */
  readonly isAlias?: true;
}

/** The settings of an mdBook book that apply to all its texts. */
export interface MdBookEntry {
  /** The prefix of code lines that are hidden, by language. */
  readonly hidelines?: Readonly<Record<string, string>>;
}

export interface LanguagesEntry {
  /** The folder of the first language. All paths of the book start from it. */
  readonly root: string;
  /** Folders by language. They and `root` are relative to the folder above all of them. */
  readonly folders: Readonly<Record<string, string>>;
}

/** The position of a thing in a Git repository. */
export interface GitOrigin {
  readonly oid: string;
  readonly path: string;
}

/** The thing at a path of files: exactly one of page, file and reusable content. */
export interface PathEntry {
  readonly page?: string;
  readonly file?: string;
  readonly reusable?: string;
  /** The object id that Git had for the object under `hash` when they were last compared. */
  readonly oid?: string;
  readonly hash?: string;
}

export interface PageEntry extends PageFields {
  readonly type: "document" | "group" | "link" | "computed";
  /** Null for pages at the top. */
  readonly parent: string | null;
  readonly order: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The hash of the page's text. Only documents have one. */
  readonly body?: string;
  /** The names of the fields that the text itself states, in its front matter or its title. */
  readonly stated?: readonly string[];
  /** The target of a link page. */
  readonly target?: ContentRef;
  /** The definition of a computed page, in YAML. Its computed documents have it as well, but are never stored. */
  readonly computed?: string;
  /** The key of a computed document in its source. */
  readonly computedKey?: string;
  /** The computed page that a computed document belongs to. */
  readonly computedFrom?: string;
  readonly git?: GitOrigin;
  /** In a book with several languages: the translations of the page, by language, including the page itself. */
  readonly translations?: Readonly<Record<string, string>>;
}

export interface FileEntry {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** The hash of the file's bytes. Empty if the bytes are on another host. */
  readonly object: string;
  /** The URL of a computed file, whose bytes are not stored here. */
  readonly url?: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
  /** The path that links may use. */
  readonly path: string;
  /** The file was imported because another file includes it. No text links to it. */
  readonly isNested?: true;
  readonly createdAt: string;
  readonly git?: GitOrigin;
}

export interface ReusableEntry {
  readonly title: string;
  /** The hash of the text. */
  readonly body: string;
  /** The path that links may use. */
  readonly path: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly git?: GitOrigin;
}

export interface LinkEntry {
  /** The target as a part of a key, as `linkTargets` builds it. */
  readonly to: string;
  /** The target as a reference. A broken link refers to its own text. */
  readonly ref: ContentRef;
  /** The path that a broken link names. */
  readonly path?: string;
  /** The link as the text writes it. */
  readonly href: string;
  /** The purpose of the link, such as showing an image or including a text. */
  readonly as: string;
  /** The key of the block that contains the link. */
  readonly block: string;
}

const ROOT = "-";
/** Longer names are replaced by their hash, so that keys stay within their limit. */
const MAX_NAME_LENGTH = 200;

/** Encodes a user's text as a part of a key. */
function encodeName(text: string): string {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
  return encoded.length <= MAX_NAME_LENGTH ? encoded : `~${sha256Hex(encoded)}`;
}

/** Builds the keys of a revision. The strings are prefixes of the keys of one kind. */
export const keys = {
  page: (id: string) => `p/${id}`,
  pages: "p/",
  children: (parent: string | null) => `c/${parent ?? ROOT}/`,
  child: (parent: string | null, order: string) => `c/${parent ?? ROOT}/${order}`,
  slug: (parent: string | null, slug: string) => `s/${parent ?? ROOT}/${encodeName(slug)}`,
  anchors: (page: string) => `h/${page}`,
  file: (id: string) => `f/${id}`,
  files: "f/",
  reusable: (id: string) => `r/${id}`,
  reusables: "r/",
  filePath: (path: string) => `g/${encodeName(path)}`,
  filePaths: "g/",
  variable: (name: string) => `v/${encodeName(name)}`,
  variables: "v/",
  redirect: (path: string) => `w/${encodeName(path)}`,
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

/** Builds the targets of links, as parts of keys. */
export const linkTargets = {
  page: (id: string, anchor?: string) => (anchor === undefined ? `p:${id}` : `p:${id}:${encodeName(anchor)}`),
  file: (id: string) => `f:${id}`,
  reusable: (id: string) => `r:${id}`,
  /** A target outside the space, by its reference as one line of text. */
  external: (line: string) => `x:${encodeName(line)}`,
  /** A path at which there was nothing when the link was written. */
  missing: (path: string) => `n:${encodeName(path)}`,
} as const;

/** Returns the hash of the text or the file that an entry names, if it names one. */
export function getObjectHash({ key, value }: { readonly key: string; readonly value: unknown }): string | undefined {
  if (key.startsWith(keys.files)) return (value as FileEntry).object;
  if (key.startsWith(keys.pages)) return (value as PageEntry).body;
  return key.startsWith(keys.reusables) ? (value as ReusableEntry).body : undefined;
}
