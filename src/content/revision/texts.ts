// Texts of pages and reusable contents, with what is derived from them: the anchors, and the links in both
// directions. Indexing a text costs its own links and no others.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { omitUndefined } from "../../utils/objects";
import { type LinkUse, parseInSteps, readDocumentInSteps } from "../markdown/read";
import { readPageInSteps } from "../markdown/reader/page";
import { asWritten } from "../markdown/reader/reading";
import { type RunSteps, runStepsAtOnce, runStepsSync, type Steps, yieldOnce } from "../markdown/steps";
import { findDirectives, hasDirectives } from "../mdbook/directives";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { dropAliases, indexAliases, putAliases } from "./aliases";
import { type AnchorEntry, createAnchorEntry, withIncluded } from "./anchors";
import type { Batch } from "./batch";
import { checkTextLength } from "./document-input";
import type { Draft } from "./draft";
import { keys, type LinkEntry, type PageCover, type PageEntry, type ReusableEntry } from "./entries";
import {
  getFileContext,
  getLinkKey,
  getPageLinkContext,
  type LinkContext,
  type ResolvedLink,
  resolveLink,
} from "./links";
import type { RevisionView, WithId } from "./view";

/** The most links of one text that are kept. */
export const MAX_LINKS_PER_TEXT = 2000;
/** Longer addresses are text, not links. */
const MAX_HREF_BYTES = 2048;

/** Stores a text and gives its hash. Half of a surrogate pair has no bytes in UTF-8, so it is replaced before. */
function keepText(draft: Draft, text: string): string {
  return draft.storeObject(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
}

/** Indexes the texts of a batch, when everything that they may link to is in its place. */
export async function indexPendingTexts(batch: Batch): Promise<void> {
  for (const [id, { index, text, kind: of }] of batch.pendingTexts) {
    batch.index = index;
    await (of === "page" ? finishPage(batch, id, text) : finishReusable(batch, id, text));
  }
}

async function finishPage(batch: Batch, id: string, raw: string): Promise<void> {
  const { draft } = batch;
  const page = await draft.getPage(id);
  if (!page) return;
  const place = await getPageLinkContext(draft, page);
  const read = await inTurns(batch, readWithRefs(batch, raw));
  await putText(draft, page, place, keepText(draft, read.text));
  await indexAliases(draft, id, read.text, folderOf(place));
  await indexText(batch, id, await withIncludes(batch, read), place);
}

/** Gives a page its text, by the hash of it. */
async function putText(draft: Draft, page: WithId<PageEntry>, place: LinkContext, body: string): Promise<void> {
  const { id, ...entry } = page;
  const cover = page.cover && (await settledCover(draft, place, page.cover));
  if (cover === page.cover && body === page.body) return;
  draft.put(keys.page(id), { ...entry, ...omitUndefined({ cover }), body });
}

/** The path of the folder that a page stands in. */
function folderOf({ bases }: LinkContext): string {
  const beside = bases.find((base) => bases.every((other) => base.length <= other.length)) ?? [];
  return beside.join("/");
}

async function finishReusable(batch: Batch, id: string, raw: string): Promise<void> {
  const { draft } = batch;
  const reusable = await draft.getReusable(id);
  if (!reusable) return;
  const read = await inTurns(batch, readWithRefs(batch, raw));
  const { id: _, ...entry } = reusable;
  draft.put(keys.reusable(id), { ...entry, body: keepText(draft, read.text) });
  await indexText(batch, id, await withIncludes(batch, read), await placeIn(draft, reusable));
}

/** A text that another revision has, by its hash. */
export interface KnownText {
  readonly kind: "page" | "reusable";
  readonly body: string;
  /** The revision. What is derived from the text is taken from there. */
  readonly view: RevisionView;
  /** The links that it has there. */
  readonly links: readonly LinkEntry[];
}

/**
 * Gives a page or a reusable content a text that another revision has. Its links lead where they do from their present place.
 * The text is not read, unless it states old paths and stands in another folder there.
 */
export async function reuseIndexedText(batch: Batch, id: string, known: KnownText): Promise<void> {
  const { view: from, body, links } = known;
  const entry = (await from.get(keys.anchors(id))) as AnchorEntry | undefined;
  const indexed: Indexed = {
    links,
    *anchors() {
      yield;
      return entry;
    },
  };
  await (known.kind === "page" ? bringPage(batch, id, known, indexed) : bringReusable(batch, id, body, indexed));
}

async function bringPage(batch: Batch, id: string, { body, view: from }: KnownText, indexed: Indexed): Promise<void> {
  const { draft } = batch;
  const page = await draft.getPage(id);
  if (!page) return;
  const place = await getPageLinkContext(draft, page);
  await putText(draft, page, place, body);
  const aliases = ((await from.get(keys.aliases(id))) ?? []) as readonly string[];
  const isInSameFolder = async () =>
    folderOf(place) === folderOf(await getPageLinkContext(from, (await from.getPage(id))!));
  if (aliases.length === 0 || (await isInSameFolder())) await putAliases(draft, id, aliases);
  else await indexAliases(draft, id, await batch.tools.readText(body), folderOf(place));
  await indexText(batch, id, indexed, place);
}

async function bringReusable(batch: Batch, id: string, body: string, indexed: Indexed): Promise<void> {
  const { draft } = batch;
  const reusable = await draft.getReusable(id);
  if (!reusable) return;
  const { id: _, ...entry } = reusable;
  if (entry.body !== body) draft.put(keys.reusable(id), { ...entry, body });
  await indexText(batch, id, indexed, await placeIn(draft, reusable));
}

/** In a book of mdBook, the files that a text includes are links of it. */
async function withIncludes(batch: Batch, read: ReadText): Promise<ReadText> {
  if (!hasDirectives(read.text) || (await batch.draft.get(keys.mdBook)) === undefined) return read;
  return { ...read, links: [...read.links, ...(await inTurns(batch, includesOf(read.text)))] };
}

function* includesOf(text: string): Steps<LinkUse[]> {
  const { parts } = yield* readPageInSteps(text, yield* parseInSteps(text), asWritten);
  return findDirectives(text)
    .filter(({ path }) => path !== "")
    .map(({ path, start, end }) => {
      const around = parts.find(({ node }) => node.start <= start && end <= node.end);
      return { href: path, as: "include", text: path, block: around?.block.key ?? "", start, end };
    });
}

function inTurns<Result>({ tools }: Batch, steps: Steps<Result>): Promise<Result> {
  return (tools.runSteps ?? runStepsAtOnce)(steps);
}

/** The place from which links of a reusable content start. */
async function placeIn(draft: Draft, reusable: ReusableEntry): Promise<LinkContext> {
  return { page: undefined, bases: [[]], ...(await getFileContext(draft, reusable)) };
}

/** Resolves some links of a page or reusable content again, because other things are around it now. */
export async function resolveLinksAgain(
  draft: Draft,
  source: string,
  isMeant: (link: LinkEntry) => boolean,
  inTurns: RunSteps = runStepsAtOnce,
): Promise<void> {
  const page = await draft.getPage(source);
  const reusable = page ? undefined : await draft.getReusable(source);
  const place = page ? await getPageLinkContext(draft, page) : reusable && (await placeIn(draft, reusable));
  if (!place) return;
  const before = await draft.getLinks(source);
  const after: LinkEntry[] = [];
  for (const link of before) {
    await inTurns(yieldOnce());
    const { href, as, block } = link;
    after.push(isMeant(link) ? { ...(await resolveLink(draft, place, href, as)), href, as, block } : link);
  }
  if (after.some((link, n) => link.to !== before[n]!.to)) await replaceLinks(draft, source, before, after);
}

/** A cover that a text states by a path, as the file at that path. */
async function settledCover(draft: Draft, place: LinkContext, cover: PageCover): Promise<PageCover> {
  if (cover.ref.kind !== "url") return cover;
  const { ref } = await resolveLink(draft, place, cover.ref.url);
  return ref.kind === "file" ? { ...cover, ref } : cover;
}

/** What is indexed of a text. */
interface Indexed {
  readonly links: readonly Pick<LinkEntry, "href" | "as" | "block">[];
  readonly anchors: () => Steps<AnchorEntry | undefined>;
}

/** A text with what is indexed of it. */
interface ReadText extends Indexed {
  readonly text: string;
  readonly links: readonly LinkUse[];
}

function* readText(text: string): Steps<ReadText> {
  const { links, anchors, aliases } = yield* readDocumentInSteps(text, yield* parseInSteps(text));
  return {
    text,
    links,
    *anchors() {
      return createAnchorEntry(anchors, yield* aliases());
    },
  };
}

/**
 * A text whose links to refs of the batch lead to what those stand for. Parsing takes the most time of a batch, so the links
 * are first changed where they seem to be. If the parsed result has exactly these links, it is parsed once. If not, the links
 * of the text as it was given are found by parsing it.
 */
function* readWithRefs({ refs }: Batch, given: string): Steps<ReadText> {
  if (refs.size === 0) return yield* readText(given);
  const targetFor = (href: string) => {
    const [, ref = "", anchor = ""] = /^(?:\.\/)?([A-Za-z0-9_-]{1,64})(?:\.md)?(#.*)?$/.exec(href) ?? [];
    const referred = refs.get(ref);
    return referred && `${HREF_PREFIXES[referred.kind]}${referred.id}${anchor}`;
  };
  const likely = likelyEdits(given, targetFor);
  const read = yield* readText(checkTextLength(applyTextEdits(given, likely)));
  if (areLinks(likely, read.links) && !read.links.some(({ href }) => targetFor(href) !== undefined)) return read;
  const { links } = likely.length === 0 ? read : yield* readText(given);
  const edits = yield* targetEdits(given, links, targetFor, "anywhere");
  return edits.length === 0 && likely.length === 0
    ? read
    : yield* readText(checkTextLength(applyTextEdits(given, edits)));
}

/** What seems to be the target of a link: in brackets, in a tag, or in an element. */
const likelyTarget =
  /(?:\]\(|\b(?:href|src|srcset|url|page)=["']|\{% include ")((?:\.\/)?[A-Za-z0-9_-]{1,64}(?:\.md)?(?:#[^\s()<>"']*)?)(?=[)"'])/g;

/** The edits that give another target to what seems to be a link, in the order of the text. */
function likelyEdits(text: string, targetFor: (href: string) => string | undefined): TextEdit[] {
  return [...text.matchAll(likelyTarget)].flatMap(({ 0: whole, 1: href = "", index }) => {
    const target = targetFor(href);
    const to = index + whole.length;
    return target === undefined ? [] : [{ from: to - href.length, to, text: target }];
  });
}

/** Whether each edit gave its target to a link of its own: the innermost one around it in the edited text. */
function areLinks(edits: readonly TextEdit[], links: readonly LinkUse[]): boolean {
  const coming = links.toSorted((a, b) => b.start - a.start || a.end - b.end);
  const around: LinkUse[] = [];
  const met = new Set<LinkUse>();
  let moved = 0;
  return edits.every(({ from, to, text }) => {
    const at = from + moved;
    moved += text.length - (to - from);
    while (coming.length > 0 && coming.at(-1)!.start <= at) around.push(coming.pop()!);
    while (around.length > 0 && around.at(-1)!.end < at + text.length) around.pop();
    const link = around.at(-1);
    if (link?.href !== text || met.has(link)) return false;
    met.add(link);
    return true;
  });
}

/** A text in which some links get another target. It takes time linear in the text: a target that is not found within
 * that stays. With `near`, only the places around the links are searched, and a target is found at once. */
export function replaceLinkTargets(
  text: string,
  targetFor: (href: string) => string | undefined,
  where: "near" | "anywhere" = "anywhere",
): string {
  return runStepsSync(replaceLinkTargetsInSteps(text, targetFor, where));
}

/** The same, with turns for others. */
export function* replaceLinkTargetsInSteps(
  text: string,
  targetFor: (href: string) => string | undefined,
  where: "near" | "anywhere" = "anywhere",
): Steps<string> {
  const { links } = yield* readText(text);
  const edits = yield* targetEdits(text, links, targetFor, where);
  return edits.length === 0 ? text : applyTextEdits(text, edits);
}

/** The edits that give another target to some links of a text, step by step. */
function* targetEdits(
  text: string,
  links: readonly LinkUse[],
  targetFor: (href: string) => string | undefined,
  where: "near" | "anywhere",
): Steps<TextEdit[]> {
  const edits = new Map<number, TextEdit>();
  const targets = new Targets(text);
  for (const { href, start, end } of links) {
    const target = targetFor(href);
    if (target === undefined || target === href) continue;
    // The target of a link may be in a definition elsewhere.
    const far = () => (where === "near" ? undefined : targets.find(href, 0, text.length));
    const from = targets.find(href, start, end) ?? far();
    if (from !== undefined) edits.set(from, { from, to: from + href.length, text: target });
    yield;
  }
  return [...edits.values()];
}

/** What stands directly before the target of a link: of one in brackets, a definition, a tag, or an element. */
const beforeTarget = /(?:\]\(\s*<?|\]:\s*<?|\b(?:href|src|srcset|url|page)\s*=\s*["']?|\{%\s*include\s+["'])$/;
/** How far before a target that can be. */
const BEFORE = 40;
/** How often a text may be searched for targets; a short text more often. */
const MAX_READINGS = 8;
const MORE_ROOM = 100_000;

/** Finds the targets of links in a text. */
class Targets {
  readonly #known = new Map<string, number | undefined>();
  /** How many characters may still be looked at. */
  #room: number;

  constructor(readonly text: string) {
    this.#room = MAX_READINGS * text.length + MORE_ROOM;
  }

  /** The position of a target in a part of the text: the last one, because the text of a link may hold links itself. */
  find(href: string, start: number, end: number): number | undefined {
    const part = `${start} ${end} ${href}`;
    if (!this.#known.has(part)) this.#known.set(part, this.#search(href, start, end));
    return this.#known.get(part);
  }

  #search(href: string, start: number, end: number): number | undefined {
    this.#room -= end - start;
    if (this.#room < 0) return undefined;
    const part = this.text.slice(start, end);
    for (let i = part.lastIndexOf(href); i >= 0; i = i === 0 ? -1 : part.lastIndexOf(href, i - 1)) {
      const at = start + i;
      if (beforeTarget.test(this.text.slice(Math.max(0, at - BEFORE), at))) return at;
      this.#room -= BEFORE;
      if (this.#room < 0) return undefined;
    }
    return undefined;
  }
}

/** How links name things by their ids. */
export const HREF_PREFIXES = { page: "/pages/", file: "/files/", reusable: "/reusable-contents/" } as const;

/** Brings the links and anchors of a source up to date with its text. */
async function indexText(batch: Batch, source: string, { links, anchors }: Indexed, place: LinkContext): Promise<void> {
  const { draft } = batch;
  const before = await draft.getLinks(source);
  const known = new Map(before.map((link) => [getLinkKey(link), link]));
  const after: LinkEntry[] = [];
  for (const { href, as, block } of links.slice(0, MAX_LINKS_PER_TEXT)) {
    if (utf8ToBytes(href).length > MAX_HREF_BYTES) continue;
    after.push({ ...(await found(draft, place, { href, as }, known)), href, as, block });
    await inTurns(batch, yieldOnce());
  }
  await inTurns(batch, yieldOnce());
  await replaceLinks(draft, source, before, after);
  await inTurns(batch, yieldOnce());
  const own = await inTurns(batch, anchors());
  const entry = links.some(({ as }) => as === "include") ? withIncluded(own) : own;
  if (entry) draft.put(keys.anchors(source), entry);
  else draft.delete(keys.anchors(source));
}

/** Indexes the anchors of a text that is a file, because pages include it. */
export async function indexFileAnchors(
  draft: Draft,
  id: string,
  text: string,
  inTurns: RunSteps = runStepsAtOnce,
): Promise<void> {
  const { anchors } = await inTurns(readText(text));
  const entry = await inTurns(anchors());
  if (entry) draft.put(keys.anchors(id), entry);
  else draft.delete(keys.anchors(id));
}

/** Removes what was derived from a source's text. */
export async function removeTextIndex(draft: Draft, source: string): Promise<void> {
  await replaceLinks(draft, source, await draft.getLinks(source), []);
  draft.delete(keys.anchors(source));
  await dropAliases(draft, source);
}

/** A link with the same text as before leads where it did, even if its page has moved and the path is no longer
 * right. */
async function found(
  draft: Draft,
  place: LinkContext,
  link: Pick<LinkEntry, "href" | "as">,
  known: ReadonlyMap<string, LinkEntry>,
): Promise<ResolvedLink> {
  const now = await resolveLink(draft, place, link.href, link.as);
  const earlier = known.get(getLinkKey(link));
  const isLost = now.path !== undefined && earlier !== undefined && earlier.path === undefined;
  return isLost ? { to: earlier.to, ref: earlier.ref } : now;
}

async function replaceLinks(
  draft: Draft,
  source: string,
  before: readonly LinkEntry[],
  after: readonly LinkEntry[],
): Promise<void> {
  const counts = new Map<string, number>();
  const add = (target: string, amount: number) => counts.set(target, (counts.get(target) ?? 0) + amount);
  for (let n = 0; n < Math.max(before.length, after.length); n++) {
    const [old, next] = [before[n], after[n]];
    if (old && old.to !== next?.to) draft.delete(keys.incomingLink(old.to, source, n));
    if (old) add(old.to, -1);
    if (!next) draft.delete(keys.link(source, n));
    else {
      draft.put(keys.link(source, n), next);
      if (old?.to !== next.to) draft.put(keys.incomingLink(next.to, source, n), 0);
      add(next.to, 1);
    }
  }
  for (const [target, amount] of counts) {
    if (amount === 0) continue;
    const total = (((await draft.get(keys.linkCount(target))) as number | undefined) ?? 0) + amount;
    if (total > 0) draft.put(keys.linkCount(target), total);
    else draft.delete(keys.linkCount(target));
  }
}
