// Pages and files that are computed from a source, such as an OpenAPI specification. They are entries like all others. Their
// ids come from their source: an operation of a specification stays the same page, even if its title changes.

import { parse, stringify } from "yaml";
import type { Steps } from "../../utils/concurrency/steps";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import { splitHref } from "../book/paths";
import type { ContentRef } from "../document";
import { isYamlTooDeep } from "../page-source/yaml";
import { addNumberToSlug, createSlug } from "../slugs";
import { type FileEntry, keys, type PageEntry } from "./entries";
import { HREF_PREFIXES, replaceLinkTargets } from "./link-targets";
import type { WithId } from "./view";

/** The definition of a computed page, which names its source. */
export interface ComputedDefinition {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** References to the things that the page depends on, by name. */
  readonly dependencies: Readonly<Record<string, unknown>>;
}

export interface ComputedPage {
  /** A stable key, which is unique among the pages of one computed page. */
  readonly key: string;
  readonly title: string;
  /** Default: made from the title. */
  readonly slug?: string;
  readonly description?: string;
  readonly emoji?: string;
  readonly icon?: string;
  /** The text. `lazy`: it is computed when it is read. Left out: the page has no text. */
  readonly markdown?: (() => string) | "lazy";
  /** The target of a link page. */
  readonly target?: ContentRef;
  readonly pages: readonly ComputedPage[];
}

/** A file that was computed. Its bytes are on another host. */
export interface ComputedFile extends Pick<FileEntry, "name" | "contentType" | "size" | "dimensions"> {
  /** The id that the texts of its source use, which is unique among the files of one computed page. */
  readonly id: string;
  readonly url: string;
}

/** The content of a source in its present state. */
export interface ComputedContent {
  /** Equal names mean equal pages and files. */
  readonly name: string;
  readonly updatedAt: string;
  readonly pages: () => Promise<readonly ComputedPage[]>;
  readonly files?: readonly ComputedFile[];
  /** Returns the text of a page whose text is lazy, by its key. */
  readonly readText?: (key: string) => Promise<string>;
}

/** The entries and texts of a computed page. */
export interface Expansion {
  readonly entries: ReadonlyMap<string, unknown>;
  /** The texts, by the hashes that the entries have for them. */
  readonly texts: ReadonlyMap<string, () => string>;
  /** The keys of pages whose texts are lazy, by the hashes that the entries have for those texts. */
  readonly lazyKeys: ReadonlyMap<string, string>;
  readonly pageIds: readonly string[];
  /** Returns a text of the source with its links to files changed to the ids that the files have here. */
  readonly replaceFileIds: (text: string) => string;
}

const MAX_DEFINITION_LENGTH = 10_000;
/** The most values in a definition, and the most levels of them. Aliases count each time, so a circular value has no end. */
const MAX_VALUES = 10_000;
const MAX_LEVELS = 32;

/** Parses the definition of a computed page. Returns undefined if it is not a valid one. */
export function parseDefinition(yaml: string): ComputedDefinition | undefined {
  if (yaml.length > MAX_DEFINITION_LENGTH || isYamlTooDeep(yaml)) return undefined;
  let definition: unknown;
  try {
    definition = parse(yaml, { maxAliasCount: 20 });
  } catch {
    return undefined;
  }
  if (!isJsonObject(definition) || typeof definition.type !== "string") return undefined;

  const pendingValues: [value: unknown, level: number][] = [[definition, 0]];
  let valueCount = 0;
  for (let next = pendingValues.pop(); next; next = pendingValues.pop()) {
    const [value, level] = next;
    if (++valueCount > MAX_VALUES || level > MAX_LEVELS) return undefined;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.values(value)) pendingValues.push([member, level + 1]);
  }

  const { type, props, dependencies } = definition;
  return {
    type,
    props: isJsonObject(props) ? props : {},
    dependencies: isJsonObject(dependencies) ? dependencies : {},
  };
}

/** Returns a definition as tables of contents write it, or undefined if `parseDefinition` could not read it back. */
export function serializeDefinition({ type, props, dependencies }: ComputedDefinition): string | undefined {
  const hasMembers = (value: object) => Object.keys(value).length > 0;
  const definition = omitUndefined({
    type,
    props: hasMembers(props) ? props : undefined,
    dependencies: hasMembers(dependencies) ? dependencies : undefined,
  });
  // Lines are never wrapped, and nothing is written as an alias.
  const yaml = stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false });
  return parseDefinition(yaml) ? yaml : undefined;
}

/** Returns the title of a computed page without one: the name of its source. */
export function getDefaultTitle(yaml: string): string {
  const source = /^integration:[^:]+:([^:]+)$/.exec(parseDefinition(yaml)?.type ?? "")?.[1] ?? "";
  const words = source.replace(/[-_.]+/g, " ").trim();
  return words === "" ? "API" : words[0]!.toUpperCase() + words.slice(1);
}

/** The longest title and description of a computed page, in characters. */
const MAX_TITLE_LENGTH = 200;

const PAGES_PER_STEP = 50;

/** Returns the entries and texts of a computed page. `name` identifies the source and its state. */
export function* expandComputedPageInSteps(
  root: WithId<PageEntry>,
  { name, updatedAt, files = [] }: Omit<ComputedContent, "pages">,
  pages: readonly ComputedPage[],
): Steps<Expansion> {
  const entries = new Map<string, unknown>();
  const texts = new Map<string, () => string>();
  const lazyKeys = new Map<string, string>();
  const pageIds: string[] = [];
  // An id begins like that of the computed page, because it belongs to the same partition.
  const createId = (key: string) => root.id.slice(0, -16) + sha256Hex(`${root.id} ${key}`).slice(0, 16);

  const fileIds = new Map(files.map(({ id }) => [id, createId(`file ${id}`).replace(/^pag_/, "fil_")]));
  for (const { id, ...file } of files) {
    const entry: FileEntry = { ...file, object: "", path: "", createdAt: root.createdAt };
    entries.set(keys.file(fileIds.get(id)!), entry);
  }
  const replaceFileIds = (text: string) => {
    if (fileIds.size === 0 || !text.includes(HREF_PREFIXES.file)) return text;
    const getTarget = (href: string) => {
      const [, encodedId, suffix = ""] = /^\/files\/([^#?]+)([#?].*)?$/s.exec(href) ?? [];
      if (encodedId === undefined) return undefined;
      const id = fileIds.get(encodedId) ?? fileIds.get(splitHref(encodedId).path);
      return id === undefined ? undefined : `${HREF_PREFIXES.file}${id}${suffix}`;
    };
    return replaceLinkTargets(text, getTarget, "near");
  };

  function* addPagesInSteps(parent: string, siblings: readonly ComputedPage[]): Steps<void> {
    const slugs = new Map<string, number>();
    for (const [i, page] of siblings.entries()) {
      const { key, title, description, emoji, icon, markdown, target } = page;
      const id = createId(key);
      const order = String(i).padStart(6, "0");
      const slug = takeFreeSlug(createSlug(page.slug ?? title), slugs);
      // The same content has other file ids at another computed page.
      const textName = files.length === 0 ? `${name} ${key}` : `${root.id} ${name} ${key}`;
      const body = markdown === undefined ? undefined : sha256Hex(textName);
      const entry: PageEntry = omitUndefined({
        type: target === undefined ? "document" : "link",
        title: title.slice(0, MAX_TITLE_LENGTH),
        slug,
        emoji,
        icon,
        description: description?.slice(0, MAX_TITLE_LENGTH),
        target,
        parent,
        order,
        createdAt: root.createdAt,
        updatedAt,
        body,
        computed: body === undefined ? undefined : (root.computed ?? ""),
        computedKey: body === undefined ? undefined : key,
        computedFrom: body === undefined ? undefined : root.id,
      });
      pageIds.push(id);
      if (body !== undefined && markdown === "lazy") lazyKeys.set(body, key);
      if (body !== undefined && typeof markdown === "function") texts.set(body, () => replaceFileIds(markdown()));
      entries.set(keys.page(id), entry);
      entries.set(keys.child(parent, order), id);
      entries.set(keys.slug(parent, slug), { page: id });
      if (pageIds.length % PAGES_PER_STEP === 0) yield;
      yield* addPagesInSteps(id, page.pages);
    }
  }
  yield* addPagesInSteps(root.id, pages);
  return { entries, texts, lazyKeys, pageIds, replaceFileIds };
}

/** Returns the slug, or the first free one with a number at its end, and marks it as taken. */
export function takeFreeSlug(slug: string, taken: Map<string, number>): string {
  // The last number that was used, so that a thousand equal titles do not each try all numbers from 1.
  let n = taken.get(slug) ?? 0;
  let freeSlug = slug;
  while (taken.has(freeSlug)) freeSlug = addNumberToSlug(slug, ++n + 1);
  taken.set(slug, n);
  if (freeSlug !== slug) taken.set(freeSlug, 0);
  return freeSlug;
}
