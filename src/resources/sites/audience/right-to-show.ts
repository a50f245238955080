// Who may show the spaces of a site to more people. Whatever does so takes the right to set up each space that it shows, of a
// translation also that of its source: to publish a site, to let more people in, to take a condition away. What shows the
// spaces to fewer people, or to nobody because the site is not published, takes the right to edit the site alone.

import { DocsError } from "../../../errors";
import type { Reader } from "../../../store/transaction";
import { nodes, pathsOf } from "../../library/tree/records";
import { mayShow, roleIn, viewerOf } from "../../library/tree/rules";
import type { SiteRecord, SiteSpaceRecord, SiteVisibility } from "../records";
import { isSection, readStructure, type Structure, siteSpacesIn, spacesOf } from "../structure/structure";

interface Showing {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/** Refuses to show spaces to more people unless the caller may set up each of them, also those in the trash, which may be
 * restored. Says which of them are in the way as far as the caller sees them, and of others nothing. */
export async function checkShowing(context: Showing, spaces: readonly string[]): Promise<void> {
  if (spaces.length === 0) return;
  // Whose role or grant is taken away meanwhile shows nothing: that is checked. The spaces are more than one commit can
  // check; where they lie is one check for all, and of each of them this is one moment.
  const viewer = await viewerOf(context.tx, context.actor.user.id);
  if (viewer.own === "admin") return;
  const tx = await nodes.guarded(context.tx, "folders", [[]]);
  const found = await nodes.getMany(
    tx,
    spaces.map((id) => [id]),
  );
  const paths = await pathsOf(
    tx,
    found.flatMap((node) => (node ? [node] : [])),
  );
  const refused = paths.filter((path) => !mayShow(viewer, path));
  if (refused.length === 0) return;
  const seen = refused.filter((path) => roleIn(viewer, path) !== null).slice(0, MAX_NAMED);
  const issues = seen.map(([{ id, title }]) => ({
    path: `spaces.${id}`,
    message: `You need the role create on "${title}", and on what it is a translation of`,
  }));
  throw new DocsError("not_yours_to_show", issues.length === 0 ? {} : { issues });
}

/** The most spaces that a refusal names. */
const MAX_NAMED = 20;

/** The same for all spaces of a published site, where something lets more people in. */
export async function checkShowingAll(context: Showing, site: SiteRecord): Promise<void> {
  if (site.published) await checkShowing(context, spacesOf(await readStructure(context.tx, site)));
}

/** Whether a change of a site may let somebody in who was not, or show something to visitors that was not shown to them. */
export function letsMoreIn(before: SiteRecord, after: SiteRecord): boolean {
  if (!after.published) return false;
  if (!before.published || !isNarrower(before.visibility, after.visibility)) return true;
  // With claims, and without them, other conditions hold.
  return before.adaptiveContent !== after.adaptiveContent;
}

/** Whether all of an audience were in the one before. Who has a key need not have a JWT, nor the other way around. */
function isNarrower(before: SiteVisibility, after: SiteVisibility): boolean {
  return before === after || before === "public" || (before === "unlisted" && after !== "public");
}

/** The spaces that a changed structure shows to visitors who did not see them: those that are new, and those that stand under
 * fewer or other conditions. */
export function shownToMore(before: Structure, after: Structure): string[] {
  const known = new Map(siteSpacesIn(before).map((item) => [item.space, conditionsOn(before, item)]));
  return siteSpacesIn(after)
    .filter((item) => {
      const held = conditionsOn(after, item);
      return known.get(item.space)?.every((condition) => held.includes(condition)) !== true;
    })
    .map(({ space }) => space);
}

function conditionsOn(structure: Structure, { parent, condition }: SiteSpaceRecord): string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return [condition, isSection(section) ? section.condition : null].filter((it) => it !== null);
}
