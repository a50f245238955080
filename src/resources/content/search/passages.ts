// What a model is given of pages that were found: the text of the sections that match.

import type { SearchSection, SectionHit } from "../../../content/search";
import type { Passage } from "../../../ports/answer-model";
import { getShownContent } from "../revisions/computed-content";
import { type Finding, type FoundPages, findPages } from "./find-pages";
import { sectionsOf } from "./indexes";

/** The most pages that are found for a question. */
export const MAX_PASSAGES = 8;
const MAX_TEXT = 4000;

/** The sections that match, or all of a page that was found by its title; cut where it is too long. */
export function passageText(sections: readonly SearchSection[], hits: readonly Pick<SectionHit, "anchor">[]): string {
  const anchors = new Set(hits.map(({ anchor }) => anchor));
  const matching = sections.filter(({ anchor }) => anchors.has(anchor));
  const texts = (matching.length > 0 ? matching : sections).map(({ title, text }) =>
    title === undefined ? text : `${title}\n${text}`,
  );
  return texts.join("\n\n").slice(0, MAX_TEXT);
}

/** The best pages of a space for a question. */
export async function passagesIn(context: Finding, query: string, limit: number): Promise<readonly Passage[]> {
  return passagesOf(context, await findPages(context, query, { offset: 0, limit }));
}

/** Pages that were found, for a model. */
export async function passagesOf(context: Finding, found: FoundPages): Promise<readonly Passage[]> {
  const { view, availableObjects: atHand } = getShownContent(context, context.revision);
  const entries = await view.getPages(found.pages.map(({ id }) => id));
  return Promise.all(
    found.pages.map(async ({ id, title, path, sections: hits, urls }, i): Promise<Passage> => {
      const sections = await sectionsOf(atHand, entries[i]?.body);
      const anchors = hits.map((hit) => (hit.id === id ? {} : { anchor: hit.id }));
      return { page: id, space: context.space.id, title, path, url: urls.app, text: passageText(sections, anchors) };
    }),
  );
}
