// Which spaces somebody may put on a site: publishing shows a space to the world, so it takes the right to set the space up.
// `showing.ts` has the same for spaces that are on a site.

import { failure, invalid } from "../../../errors";
import { atLeast } from "../../../roles";
import type { Reader } from "../../../store/transaction";
import { checkedPathsOf, isTrashed, nodes, type Path, pathOf, type SpaceRecord } from "../../library/tree/records";
import { mayShow, roleIn, type Viewer, viewerOf, viewerOn } from "../../library/tree/rules";
import type { InOrganization } from "../../people/organizations/rules";
import { siteItems } from "../records";

/** More sites than this with one space on them are not looked for. */
const MAX_SITES = 10_000;

interface Asking {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/** The space that a body names at `at`; one that the caller does not see is not there. */
export async function spaceToPublish(context: Asking, id: string, at: string): Promise<SpaceRecord> {
  const { tx, actor } = context;
  const node = await nodes.get(tx, id);
  const path = node?.type === "space" ? await pathOf(tx, node) : undefined;
  const viewer = path ? await viewerOn(tx, actor.user.id, path) : NOBODY;
  return publishable(viewer, path, at);
}

/** The spaces of a list that stands at `at`. */
export async function spacesToPublish(context: Asking, ids: readonly string[], at: string): Promise<SpaceRecord[]> {
  const { tx, actor } = context;
  const viewer = await viewerOf(tx, actor.user.id);
  const found = await nodes.getMany(
    tx,
    ids.map((id) => [id]),
  );
  const paths = await checkedPathsOf(
    tx,
    found.flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  const pathTo = new Map(paths.map((path) => [path[0].id, path]));
  return ids.map((id, i) => publishable(viewer, pathTo.get(id), `${at}.${i}`));
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

const NOBODY: Viewer = { own: undefined, given: new Map() };

/** The space that a way up begins at, if the viewer may show it. */
function publishable(viewer: Viewer, path: Path | undefined, at: string): SpaceRecord {
  if (!path || isTrashed(path) || roleIn(viewer, path) === null)
    throw invalid(at, "The organization has no such space");
  if (!mayShow(viewer, path)) throw failure("forbidden");
  return path[0] as SpaceRecord;
}
