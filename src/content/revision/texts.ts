// The texts of pages and reusable contents, with what is derived from them: the anchors, and the links in both directions.
// Indexing a text costs its own links and no others.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { type LinkUse, readDocumentInSteps, readPageBlocksInSteps } from "../markdown/read";
import { findDirectives, hasDirectives } from "../mdbook/directives";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { indexAliases, putAliases } from "./aliases";
import { type AnchorEntry, createAnchorEntry } from "./anchors";
import type { Batch, PendingText } from "./batch";
import { checkTextLength } from "./document-input";
import type { Draft } from "./draft";
import { keys, type LinkEntry, type PageEntry, type ReusableEntry } from "./entries";
import { findTargetEditsInSteps, HREF_PREFIXES, isEachEditOwnLink, simpleTarget } from "./link-targets";
import { getFileContext, getLinkKey, getPageLinkContext, type LinkContext, resolveLink } from "./links";
import type { RevisionView, WithId } from "./view";

/** The most links of one text that are stored. */
export const MAX_LINKS_PER_TEXT = 2000;
/** Longer URLs are text, not links. */
const MAX_HREF_BYTES = 2048;

interface TextIndex {
  readonly links: readonly Pick<LinkEntry, "href" | "as" | "block">[];
  readonly readAnchors: (runSteps: RunSteps) => Promise<AnchorEntry | undefined>;
}

interface ParsedText extends TextIndex {
  readonly text: string;
  readonly links: readonly LinkUse[];
}

type TextOwner =
  | { readonly page: WithId<PageEntry>; readonly reusable?: never; readonly context: LinkContext }
  | { readonly page?: never; readonly reusable: WithId<ReusableEntry>; readonly context: LinkContext };

/** Stores and indexes the texts of a batch. Call it when everything that they may link to is in its place. */
export async function indexPendingTexts(batch: Batch): Promise<void> {
  const { draft, tools } = batch;
  const runSteps = tools.runSteps ?? runStepsAtOnce;
  for (const [id, { index, text: input, kind }] of batch.pendingTexts) {
    batch.index = index;
    const owner = await findTextOwner(draft, id, kind);
    if (!owner) continue;
    const parsed = await runSteps(parseWithRefsInSteps(batch, input));
    const { text } = parsed;
    // Half of a surrogate pair has no bytes in UTF-8, so it is replaced.
    const body = draft.storeObject(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
    await putBody(draft, owner, body);
    if (owner.page) await indexAliases(draft, id, text, getFolderPath(owner.context));
    // In an mdBook book, the files that a text includes are links of it.
    const links = [...parsed.links];
    if (hasDirectives(text) && (await draft.get(keys.mdBook)) !== undefined) {
      const { parts } = await runSteps(readPageBlocksInSteps(text));
      for (const { path, start, end } of findDirectives(text)) {
        if (path === "") continue;
        const part = parts.find(({ node }) => node.start <= start && end <= node.end);
        links.push({ href: path, as: "include", text: path, block: part?.block.key ?? "", start, end });
      }
    }
    await indexText(batch, id, { ...parsed, links }, owner.context);
  }
}

/** A text that another revision has, by its hash. */
export interface KnownText {
  readonly kind: PendingText["kind"];
  readonly body: string;
  /** The other revision, which has an index of the text. */
  readonly view: RevisionView;
  readonly links: readonly LinkEntry[];
}

/**
 * Sets a text of a page or a reusable content that another revision has indexed already. Its links are resolved from their
 * present place. The text is not read, unless it states old paths and its page is in another folder now.
 */
export async function reuseIndexedText(batch: Batch, id: string, known: KnownText): Promise<void> {
  const { draft, tools } = batch;
  const { kind, body, view, links } = known;
  const anchors = (await view.get(keys.anchors(id))) as AnchorEntry | undefined;
  const owner = await findTextOwner(draft, id, kind);
  if (!owner) return;
  await putBody(draft, owner, body);
  if (owner.page) {
    const aliases = ((await view.get(keys.aliases(id))) ?? []) as readonly string[];
    const folder = getFolderPath(owner.context);
    const isInSameFolder = async () =>
      folder === getFolderPath(await getPageLinkContext(view, (await view.getPage(id))!));
    if (aliases.length === 0 || (await isInSameFolder())) await putAliases(draft, id, aliases);
    else await indexAliases(draft, id, await tools.readText(body), folder);
  }
  await indexText(batch, id, { links, readAnchors: async () => anchors }, owner.context);
}

/** Resolves some links of a page or a reusable content again, because other things are around it now. */
export async function resolveLinksAgain(
  draft: Draft,
  source: string,
  isAffected: (link: LinkEntry) => boolean,
  runSteps: RunSteps = runStepsAtOnce,
): Promise<void> {
  const owner = await findTextOwner(draft, source);
  if (!owner) return;
  const before = await draft.getLinks(source);
  const after: LinkEntry[] = [];
  for (const link of before) {
    await runSteps(yieldOnce());
    const { href, as, block } = link;
    after.push(isAffected(link) ? { ...(await resolveLink(draft, owner.context, href, as)), href, as, block } : link);
  }
  if (after.some((link, n) => link.to !== before[n]!.to)) await replaceLinks(draft, source, before, after);
}

/** Indexes the anchors of a text that is a file, because pages include it. */
export async function indexFileAnchors(
  draft: Draft,
  id: string,
  text: string,
  runSteps: RunSteps = runStepsAtOnce,
): Promise<void> {
  const { readAnchors } = await runSteps(parseTextInSteps(text));
  putAnchors(draft, id, await readAnchors(runSteps));
}

/** Removes everything that was derived from the text of a source. */
export async function removeTextIndex(draft: Draft, source: string): Promise<void> {
  await replaceLinks(draft, source, await draft.getLinks(source), []);
  draft.delete(keys.anchors(source));
  await putAliases(draft, source, []);
}

async function findTextOwner(draft: Draft, id: string, kind?: PendingText["kind"]): Promise<TextOwner | undefined> {
  const page = kind === "reusable" ? undefined : await draft.getPage(id);
  if (page) return { page, context: await getPageLinkContext(draft, page) };
  const reusable = kind === "page" ? undefined : await draft.getReusable(id);
  if (!reusable) return undefined;
  return { reusable, context: { page: undefined, bases: [[]], ...(await getFileContext(draft, reusable)) } };
}

/** Returns the path of the folder that contains a page: the shortest of the paths that its links may start from. */
function getFolderPath({ bases }: LinkContext): string {
  const folder = bases.find((base) => bases.every((other) => base.length <= other.length)) ?? [];
  return folder.join("/");
}

/** Sets the text of a page or a reusable content, by its hash. */
async function putBody(draft: Draft, { page, reusable, context }: TextOwner, body: string): Promise<void> {
  if (reusable) {
    const { id, ...entry } = reusable;
    if (entry.body !== body) draft.put(keys.reusable(id), { ...entry, body });
    return;
  }
  // A cover that the text states by a path is stored as the file at that path.
  let { cover } = page;
  if (cover?.ref.kind === "url") {
    const { ref } = await resolveLink(draft, context, cover.ref.url);
    if (ref.kind === "file") cover = { ...cover, ref };
  }
  if (cover === page.cover && body === page.body) return;
  const { id, ...entry } = page;
  draft.put(keys.page(id), { ...entry, ...omitUndefined({ cover }), body });
}

function* parseTextInSteps(text: string): Steps<ParsedText> {
  const { links, anchors, aliases } = yield* readDocumentInSteps(text);
  return { text, links, readAnchors: async (runSteps) => createAnchorEntry(anchors, await runSteps(aliases())) };
}

/**
 * Parses a text and replaces the links to refs of the batch by links to what the refs stand for.
 *
 * Parsing takes most of the time of a batch. So the links are first replaced where they seem to be. If the parsed result has
 * exactly these links, the text is parsed once. If not, the links are found by parsing the text as it was given.
 */
function* parseWithRefsInSteps({ refs }: Batch, input: string): Steps<ParsedText> {
  if (refs.size === 0) return yield* parseTextInSteps(input);
  const getTarget = (href: string) => {
    const [, ref = "", anchor = ""] = /^(?:\.\/)?([A-Za-z0-9_-]{1,64})(?:\.md)?(#.*)?$/.exec(href) ?? [];
    const target = refs.get(ref);
    return target && `${HREF_PREFIXES[target.kind]}${target.id}${anchor}`;
  };
  const guesses: TextEdit[] = [];
  for (const { 0: match, 1: href = "", index } of input.matchAll(simpleTarget)) {
    const target = getTarget(href);
    const to = index + match.length;
    if (target !== undefined) guesses.push({ from: to - href.length, to, text: target });
  }
  const parsed = yield* parseTextInSteps(checkTextLength(applyTextEdits(input, guesses)));
  const hasRefsLeft = parsed.links.some(({ href }) => getTarget(href) !== undefined);
  if (isEachEditOwnLink(guesses, parsed.links) && !hasRefsLeft) return parsed;

  const { links } = guesses.length === 0 ? parsed : yield* parseTextInSteps(input);
  const edits = yield* findTargetEditsInSteps(input, links, getTarget, "anywhere");
  if (edits.length === 0 && guesses.length === 0) return parsed;
  return yield* parseTextInSteps(checkTextLength(applyTextEdits(input, edits)));
}

async function indexText(
  batch: Batch,
  source: string,
  { links, readAnchors }: TextIndex,
  context: LinkContext,
): Promise<void> {
  const { draft } = batch;
  const runSteps = batch.tools.runSteps ?? runStepsAtOnce;
  const before = await draft.getLinks(source);
  const linksBefore = new Map(before.map((link) => [getLinkKey(link), link]));
  const after: LinkEntry[] = [];
  for (const { href, as, block } of links.slice(0, MAX_LINKS_PER_TEXT)) {
    if (utf8ToBytes(href).length > MAX_HREF_BYTES) continue;
    // A link with the same text as before keeps its target, even if its page has moved and the path is wrong now.
    const resolved = await resolveLink(draft, context, href, as);
    const earlier = linksBefore.get(getLinkKey({ href, as }));
    const isLost = resolved.path !== undefined && earlier !== undefined && earlier.path === undefined;
    after.push({ ...(isLost ? { to: earlier.to, ref: earlier.ref } : resolved), href, as, block });
    await runSteps(yieldOnce());
  }
  await runSteps(yieldOnce());
  await replaceLinks(draft, source, before, after);
  await runSteps(yieldOnce());
  const anchors = await readAnchors(runSteps);
  const hasIncludes = links.some(({ as }) => as === "include");
  putAnchors(
    draft,
    source,
    hasIncludes ? { ...(anchors ?? { anchors: [], isWhole: true }), hasIncludes: true } : anchors,
  );
}

function putAnchors(draft: Draft, source: string, anchors: AnchorEntry | undefined): void {
  if (anchors) draft.put(keys.anchors(source), anchors);
  else draft.delete(keys.anchors(source));
}

/** Replaces the stored links of a source, in both directions, and updates the numbers of links to their targets. */
async function replaceLinks(
  draft: Draft,
  source: string,
  before: readonly LinkEntry[],
  after: readonly LinkEntry[],
): Promise<void> {
  const changesByTarget = new Map<string, number>();
  const addChange = (target: string, amount: number) =>
    changesByTarget.set(target, (changesByTarget.get(target) ?? 0) + amount);
  for (let n = 0; n < Math.max(before.length, after.length); n++) {
    const [oldLink, newLink] = [before[n], after[n]];
    if (oldLink && oldLink.to !== newLink?.to) draft.delete(keys.incomingLink(oldLink.to, source, n));
    if (oldLink) addChange(oldLink.to, -1);
    if (!newLink) {
      draft.delete(keys.link(source, n));
      continue;
    }
    draft.put(keys.link(source, n), newLink);
    if (oldLink?.to !== newLink.to) draft.put(keys.incomingLink(newLink.to, source, n), 0);
    addChange(newLink.to, 1);
  }
  for (const [target, change] of changesByTarget) {
    if (change === 0) continue;
    const count = (((await draft.get(keys.linkCount(target))) as number | undefined) ?? 0) + change;
    if (count > 0) draft.put(keys.linkCount(target), count);
    else draft.delete(keys.linkCount(target));
  }
}
