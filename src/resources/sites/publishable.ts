// Which spaces somebody may put on a site: publishing shows a space to the world, so it takes the right to set the space up.
// `showing.ts` has the same for spaces that are on a site.

import { failure, invalid } from "../../errors";
import { atLeast } from "../../roles";
import type { Reader } from "../../store/transaction";
import type { InOrganization } from "../organizations/rules";
import { isTrashed, nodes, type Path, pathOf, type SpaceRecord } from "../tree/records";
import { mayShow, roleIn, type Viewer, viewerOf, viewerOn } from "../tree/rules";
import { siteItems } from "./records";

/** More sites than this with one space on them are not looked for. */
const MAX_SITES = 10_000;

interface Asking {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/** The space that a body names at `at`; one that the caller does not see is not there. */
export async function spaceToPublish(context: Asking, id: string, at: string): Promise<SpaceRecord> {
  return find(context.tx, (path) => viewerOn(context.tx, context.actor.user.id, path), id, at);
}

/** The spaces of a list that stands at `at`. */
export async function spacesToPublish(context: Asking, ids: readonly string[], at: string): Promise<SpaceRecord[]> {
  const viewer = await viewerOf(context.tx, context.actor.user.id);
  return Promise.all(ids.map((id, i) => find(context.tx, async () => viewer, id, `${at}.${i}`)));
}

/** The sites that a space is on; none, for those who neither see the space nor edit sites. */
export async function sitesOf(
  context: Asking & { readonly me: InOrganization["me"] },
  space: string,
): Promise<ReadonlySet<string>> {
  const { tx, actor, me } = context;
  const node = await nodes.get(tx, space);
  const path = node && (await pathOf(tx, node));
  const sees = path && !isTrashed(path) && roleIn(await viewerOf(tx, actor.user.id), path) !== null;
  if (!sees && !atLeast(me?.role ?? null, "create")) return new Set();
  const rows = await siteItems.list(tx, "ofSpace", { under: [space], limit: MAX_SITES });
  return new Set(rows.map(({ record }) => record.site));
}

async function find(tx: Reader, viewer: (path: Path) => Promise<Viewer>, id: string, at: string): Promise<SpaceRecord> {
  const node = await nodes.get(tx, id);
  const path = node?.type === "space" ? await pathOf(tx, node) : undefined;
  const seen = path && !isTrashed(path) ? { path, by: await viewer(path) } : undefined;
  const role = seen ? roleIn(seen.by, seen.path) : null;
  if (!seen || role === null) throw invalid(at, "The organization has no such space");
  if (!mayShow(seen.by, seen.path)) throw failure("forbidden");
  return node as SpaceRecord;
}
