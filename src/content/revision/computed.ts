// Pages and files that are computed from something else. They are entries like others. Their ids come from their
// source: the same operation is the same page, even if its words change.

import { parse, stringify } from "yaml";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import type { ContentRef } from "../document";
import type { Steps } from "../markdown/steps";
import { isMapping, isYamlTooDeep } from "../page-source/yaml";
import { addNumberToSlug, createSlug } from "../slugs";
import { type FileEntry, keys, type PageEntry } from "./entries";
import { HREF_PREFIXES, replaceLinkTargets } from "./texts";
import type { WithId } from "./view";

/** The source of a computed page, as its definition says it. */
export interface ComputedDefinition {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** What it depends on, by name: references. */
  readonly dependencies: Readonly<Record<string, unknown>>;
}

/** A page that was computed. */
export interface ComputedPage {
  /** A lasting key. Each page of one computed page has its own. */
  readonly key: string;
  readonly title: string;
  /** Default: made from the title. */
  readonly slug?: string;
  readonly description?: string;
  readonly emoji?: string;
  readonly icon?: string;
  /** Its text. `lazyKeys`: it is computed when somebody reads it. Left out: it has none. */
  readonly markdown?: (() => string) | "late";
  /** Where a page leads that is a link. */
  readonly target?: ContentRef;
  readonly pages: readonly ComputedPage[];
}

/** A file that was computed: it is at an address elsewhere. */
export interface ComputedFile extends Pick<FileEntry, "name" | "contentType" | "size" | "dimensions"> {
  /** The id that the texts of its source use. Each file of one computed page has its own. */
  readonly id: string;
  readonly url: string;
}

/** The source of a computed page, at its present state. */
export interface ComputedContent {
  /** Equal names mean equal pages and files. */
  readonly name: string;
  readonly updatedAt: string;
  readonly pages: () => Promise<readonly ComputedPage[]>;
  readonly files?: readonly ComputedFile[];
  /** The text of a page whose text is late, by its key. */
  readonly readText?: (key: string) => Promise<string>;
}

/** Everything that a computed page gives. */
export interface Expansion {
  readonly entries: ReadonlyMap<string, unknown>;
  /** Texts by the names that the entries have for them. */
  readonly texts: ReadonlyMap<string, () => string>;
  /** The keys of pages whose texts are late, by the names that the entries have for those. */
  readonly lazyKeys: ReadonlyMap<string, string>;
  /** The ids of the pages. */
  readonly pageIds: readonly string[];
  /** A text of the source, in which links to its files name them as they are called here. */
  readonly replaceFileIds: (text: string) => string;
}

/** The longest definition that is read. */
const MAX_DEFINITION = 10_000;

/** Reads the definition of a computed page; undefined when it cannot be understood. */
export function parseDefinition(yaml: string): ComputedDefinition | undefined {
  if (yaml.length > MAX_DEFINITION || isYamlTooDeep(yaml)) return undefined;
  let value: unknown;
  try {
    value = parse(yaml, { maxAliasCount: 20 });
  } catch {
    return undefined;
  }
  if (!isMapping(value) || typeof value.type !== "string" || !isBounded(value)) return undefined;
  const { type, props, dependencies } = value;
  return { type, props: isMapping(props) ? props : {}, dependencies: isMapping(dependencies) ? dependencies : {} };
}

/** A definition as tables of contents write it; undefined when it could not be read again. */
export function serializeDefinition({ type, props, dependencies }: ComputedDefinition): string | undefined {
  const hasMembers = (value: object) => Object.keys(value).length > 0;
  const stated = {
    type,
    ...omitUndefined({
      props: hasMembers(props) ? props : undefined,
      dependencies: hasMembers(dependencies) ? dependencies : undefined,
    }),
  };
  // Lines are never wrapped, and nothing is said by reference.
  const yaml = stringify(stated, { lineWidth: 0, aliasDuplicateObjects: false });
  return parseDefinition(yaml) ? yaml : undefined;
}

/** The most values, and levels of them, in a definition. Aliases count each time, so what refers to itself has no end. */
const MAX_VALUES = 10_000;
const MAX_LEVELS = 32;

function isBounded(root: unknown): boolean {
  const ahead: [value: unknown, level: number][] = [[root, 0]];
  let seen = 0;
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const [value, level] = next;
    if (++seen > MAX_VALUES || level > MAX_LEVELS) return false;
    if (typeof value === "object" && value !== null)
      for (const inside of Object.values(value)) ahead.push([inside, level + 1]);
  }
  return true;
}

/** The title of a computed page that was given none: what its source is called. */
export function getDefaultTitle(yaml: string): string {
  const source = /^integration:[^:]+:([^:]+)$/.exec(parseDefinition(yaml)?.type ?? "")?.[1] ?? "";
  const words = source.replace(/[-_.]+/g, " ").trim();
  return words === "" ? "API" : words[0]!.toUpperCase() + words.slice(1);
}

/** The most characters of a title. */
const MAX_TITLE = 200;

/** How many pages are made into entries in one step. */
const STEP = 50;

/** The entries that a computed page gives, step by step. `name` identifies the source and its state. */
export function* expandComputedPageInSteps(
  page: WithId<PageEntry>,
  { name, updatedAt, files = [] }: Omit<ComputedContent, "pages">,
  pages: readonly ComputedPage[],
): Steps<Expansion> {
  const entries = new Map<string, unknown>();
  const texts = new Map<string, () => string>();
  const late = new Map<string, string>();
  const ids: string[] = [];
  const times = { createdAt: page.createdAt, updatedAt };
  const source = page.computed ?? "";
  const { id: place } = page;
  // The id begins like that of its computed page, because it belongs to the same partition.
  const idOf = (key: string) => place.slice(0, -16) + sha256Hex(`${place} ${key}`).slice(0, 16);
  const fileIds = new Map(files.map(({ id }) => [id, idOf(`file ${id}`).replace(/^pag_/, "fil_")]));
  const withFiles = (text: string) => withFileIds(text, fileIds);

  function* put(parent: string, below: readonly ComputedPage[]): Steps<void> {
    const slugs = new Map<string, number>();
    for (const [i, page] of below.entries()) {
      const { key, title, slug, description, emoji, icon, markdown, target, pages } = page;
      const id = idOf(key);
      const order = String(i).padStart(6, "0");
      // The same answer has other file ids at another computed page.
      const body = sha256Hex(`${files.length === 0 ? "" : `${place} `}${name} ${key}`);
      const own = takeFreeSlug(createSlug(slug ?? title), slugs);
      const entry: PageEntry = {
        type: target === undefined ? "document" : "link",
        title: title.slice(0, MAX_TITLE),
        slug: own,
        ...omitUndefined({
          emoji,
          icon,
          description: description === undefined ? undefined : description.slice(0, MAX_TITLE),
          target,
        }),
        parent,
        order,
        ...times,
        ...(markdown === undefined ? {} : { body, computed: source, computedKey: key }),
      };
      ids.push(id);
      if (markdown === "late") late.set(body, key);
      else if (markdown) texts.set(body, () => withFiles(markdown()));
      entries.set(keys.page(id), entry);
      entries.set(keys.child(parent, order), id);
      entries.set(keys.slug(parent, own), { page: id });
      if (ids.length % STEP === 0) yield;
      yield* put(id, pages);
    }
  }
  yield* put(place, pages);
  for (const { id, ...file } of files) {
    const entry: FileEntry = { ...file, object: "", path: "", createdAt: page.createdAt };
    entries.set(keys.file(fileIds.get(id)!), entry);
  }
  return { entries, texts, lazyKeys: late, pageIds: ids, replaceFileIds: withFiles };
}

/** A text in which links to files are changed to the ids that the files have here. */
function withFileIds(text: string, ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0 || !text.includes(HREF_PREFIXES.file)) return text;
  const targetFor = (href: string) => {
    const [, own, behind = ""] = /^\/files\/([^#?]+)([#?].*)?$/s.exec(href) ?? [];
    const id = own === undefined ? undefined : (ids.get(own) ?? ids.get(decoded(own)));
    return id === undefined ? undefined : `${HREF_PREFIXES.file}${id}${behind}`;
  };
  return replaceLinkTargets(text, targetFor, "near");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The slug, or the first free one with a number behind it, which is then taken. */
export function takeFreeSlug(slug: string, taken: Map<string, number>): string {
  // The last number that was given, so that a thousand equal titles are not each tried from 1.
  let n = taken.get(slug) ?? 0;
  let free = slug;
  while (taken.has(free)) free = addNumberToSlug(slug, ++n + 1);
  taken.set(slug, n);
  if (free !== slug) taken.set(free, 0);
  return free;
}
