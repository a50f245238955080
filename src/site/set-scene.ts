// Sets the scene of a page: finds everything that its blocks are drawn with.

import type { Block } from "../content/document";
import type * as Resources from "../generated/resources";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../utils/expansion-budget";
import type { Markup } from "../utils/html";
import { fileHref, outward } from "./frame/links";
import { loadNeeds, type Needs, needsOf } from "./needs";
import { NoteCollector } from "./notes";
import { lookUpOthers, type Others } from "./others";
import type { References } from "./references";
import type { RenderContext } from "./scene";
import type { Visit } from "./visit";

/** A scene, and what drawing in it leaves for the rest of the page. */
export interface SetScene {
  readonly scene: RenderContext;
  /** The bodies of notes. */
  readonly notes: readonly Markup[];
  readonly others: Others;
}

export async function setScene(
  visit: Visit,
  page: Resources.PublishedPage,
  { place, file }: References,
): Promise<SetScene> {
  const nodes = (page.document?.nodes ?? []) as Block[];
  const others = await lookUpOthers({ ...page, nodes }, visit, { file });
  return { ...(await sceneOf(visit, needsOf(nodes), { place, file }, others.draw)), others };
}

/** A scene for blocks with these needs. */
export async function sceneOf(
  visit: Visit,
  needs: Needs,
  { place, file }: References,
  draw: Others["draw"],
): Promise<Omit<SetScene, "others">> {
  const { code, formula } = await loadNeeds(needs);
  const notes = new NoteCollector(visit.words);
  let last = 0;
  const budget = new ExpansionBudget(MAX_EXPANSION_CHARACTERS);
  const scene: RenderContext = {
    words: visit.words,
    budget,
    place(ref) {
      const found = place(ref);
      return found && budget.take(found.href.length) ? found : undefined;
    },
    link: (href) => outward(visit, href),
    file(ref) {
      const found = file(ref);
      const url = found && fileHref(found.url);
      return url !== undefined && budget.take(url.length) ? { ...found!, url } : undefined;
    },
    formula,
    code,
    icon(name) {
      const icon = visit.icon(name);
      return icon && budget.take(icon.text.length) ? icon : undefined;
    },
    block: (block) => draw(block, scene),
    note: notes.add,
    next: () => ++last,
  };
  return { scene, notes: notes.bodies };
}
