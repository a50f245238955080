// The passages that a model gets of matching pages: the text of the sections that match.

import type { SearchSection, SectionHit } from "../../../content/search";
import type { Passage } from "../../../ports/answer-model";
import { getShownContent } from "../revisions/computed-content";
import { type PresentedPages, presentRankedPages, rankPages, type SpaceSearchContext } from "./find-pages";
import { readSections } from "./indexes";

/** The most pages of which passages are read for a question. */
export const MAX_PASSAGES = 8;
const MAX_TEXT = 4000;

/** Joins the sections that match, or all sections of a page that was found by its title, and truncates the text. */
export function formatPassageText(
  sections: readonly SearchSection[],
  hits: readonly Pick<SectionHit, "anchor">[],
): string {
  const anchors = new Set(hits.map(({ anchor }) => anchor));
  const matching = sections.filter(({ anchor }) => anchors.has(anchor));
  const texts = (matching.length > 0 ? matching : sections).map(({ title, text }) =>
    title === undefined ? text : `${title}\n${text}`,
  );
  return texts.join("\n\n").slice(0, MAX_TEXT);
}

/** Finds the best passages of a space for a question. */
export async function findPassages(
  context: SpaceSearchContext,
  query: string,
  limit: number,
): Promise<readonly Passage[]> {
  return readPassages(
    context,
    await presentRankedPages(context, await rankPages(context, query, { offset: 0, limit })),
  );
}

/** Reads the passages of matching pages. */
export async function readPassages(context: SpaceSearchContext, found: PresentedPages): Promise<readonly Passage[]> {
  const { view, availableObjects } = getShownContent(context, context.revision);
  const entries = await view.getPages(found.pages.map(({ id }) => id));
  return Promise.all(
    found.pages.map(async ({ id, title, path, sections: hits, urls }, i): Promise<Passage> => {
      const sections = await readSections(availableObjects, entries[i]?.body);
      const anchors = hits.map((hit) => (hit.id === id ? {} : { anchor: hit.id }));
      return {
        page: id,
        space: context.space.id,
        title,
        path,
        url: urls.app,
        text: formatPassageText(sections, anchors),
      };
    }),
  );
}
