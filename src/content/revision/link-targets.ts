// Replaces the targets of links in a text. Every byte around the targets stays as it is.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { type LinkUse, readDocumentInSteps } from "../markdown/read";
import { applyTextEdits, type TextEdit } from "../text-edits";

/** The beginnings of links that name things by their ids. */
export const HREF_PREFIXES = { page: "/pages/", file: "/files/", reusable: "/reusable-contents/" } as const;

/** Returns the new target of a link, or undefined if the link stays as it is. */
export type GetTarget = (href: string) => string | undefined;

/** The places that are searched for a target: near its link, or in the whole text, since it may be in a definition elsewhere. */
export type TargetPlace = "near" | "anywhere";

/** Returns a text with new targets. A target that is not found in time linear in the text stays as it is. */
export function replaceLinkTargets(text: string, getTarget: GetTarget, place: TargetPlace = "anywhere"): string {
  return runStepsSync(replaceLinkTargetsInSteps(text, getTarget, place));
}

/** Does the same as `replaceLinkTargets`, in steps. */
export function* replaceLinkTargetsInSteps(
  text: string,
  getTarget: GetTarget,
  place: TargetPlace = "anywhere",
): Steps<string> {
  const { links } = yield* readDocumentInSteps(text);
  const edits = yield* findTargetEditsInSteps(text, links, getTarget, place);
  return edits.length === 0 ? text : applyTextEdits(text, edits);
}

/** Returns the edits that give some links of a text new targets. */
export function* findTargetEditsInSteps(
  text: string,
  links: readonly LinkUse[],
  getTarget: GetTarget,
  place: TargetPlace,
): Steps<TextEdit[]> {
  const edits = new Map<number, TextEdit>();
  const finder = new TargetFinder(text);
  for (const { href, start, end } of links) {
    const target = getTarget(href);
    if (target === undefined || target === href) continue;
    const from = finder.find(href, start, end) ?? (place === "near" ? undefined : finder.find(href, 0, text.length));
    if (from !== undefined) edits.set(from, { from, to: from + href.length, text: target });
    yield;
  }
  return [...edits.values()];
}

/** Matches a simple target where a link seems to be: in brackets, in a tag, or in an element. */
export const simpleTarget =
  /(?:\]\(|\b(?:href|src|srcset|url|page)=["']|\{% include ")((?:\.\/)?[A-Za-z0-9_-]{1,64}(?:\.md)?(?:#[^\s()<>"']*)?)(?=[)"'])/g;

/** Checks that each edit gave its target to a link of its own, the innermost around it, among `links` after it. */
export function isEachEditOwnLink(edits: readonly TextEdit[], links: readonly LinkUse[]): boolean {
  const upcoming = links.toSorted((a, b) => b.start - a.start || a.end - b.end);
  const enclosing: LinkUse[] = [];
  const used = new Set<LinkUse>();
  let shift = 0;
  return edits.every(({ from, to, text }) => {
    const start = from + shift;
    shift += text.length - (to - from);
    while (upcoming.length > 0 && upcoming.at(-1)!.start <= start) enclosing.push(upcoming.pop()!);
    while (enclosing.length > 0 && enclosing.at(-1)!.end < start + text.length) enclosing.pop();
    const link = enclosing.at(-1);
    if (link?.href !== text || used.has(link)) return false;
    used.add(link);
    return true;
  });
}

/** Matches the text directly before the target of a link: one in brackets, a definition, a tag, or an element. */
const beforeTarget = /(?:\]\(\s*<?|\]:\s*<?|\b(?:href|src|srcset|url|page)\s*=\s*["']?|\{%\s*include\s+["'])$/;
/** The longest text before a target that is looked at. */
const MAX_BEFORE_LENGTH = 40;
/** A text may be searched this many times, and a short text more often. */
const MAX_SEARCHES = 8;
const EXTRA_CHARACTERS = 100_000;

/** Finds the targets of links in a text, within a budget of characters, so that all searches together take linear time. */
class TargetFinder {
  readonly #results = new Map<string, number | undefined>();
  /** The number of characters that may still be looked at. */
  #remainingCharacters: number;

  constructor(readonly text: string) {
    this.#remainingCharacters = MAX_SEARCHES * text.length + EXTRA_CHARACTERS;
  }

  /** Returns the index of a target between `start` and `end`: the last one, because the text of a link may contain links. */
  find(href: string, start: number, end: number): number | undefined {
    const key = `${start} ${end} ${href}`;
    if (!this.#results.has(key)) this.#results.set(key, this.#search(href, start, end));
    return this.#results.get(key);
  }

  #search(href: string, start: number, end: number): number | undefined {
    this.#remainingCharacters -= end - start;
    if (this.#remainingCharacters < 0) return undefined;
    const part = this.text.slice(start, end);
    for (let i = part.lastIndexOf(href); i >= 0; i = i === 0 ? -1 : part.lastIndexOf(href, i - 1)) {
      const index = start + i;
      if (beforeTarget.test(this.text.slice(Math.max(0, index - MAX_BEFORE_LENGTH), index))) return index;
      this.#remainingCharacters -= MAX_BEFORE_LENGTH;
      if (this.#remainingCharacters < 0) return undefined;
    }
    return undefined;
  }
}
