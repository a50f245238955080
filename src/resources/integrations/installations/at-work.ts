// The integrations that work on a space or a site: their installation is active there, and the integration still exists.

import type { Looking } from "../../sites/served-by-integrations";
import { activeIn, type Working, working, worksOn } from "../published/for-sites";
import { type PlaceKind, placed } from "../records";

/** The installations that work on a space or a site, in the order of installation. */
export async function atWorkOn(looking: Looking, kind: PlaceKind, place: string): Promise<Working[]> {
  const active = await activeIn(looking.tx);
  const there = await placed.getMany(
    looking.tx,
    active.map(({ id }) => [id, kind, place]),
  );
  const here = active.filter((it, i) => worksOn(it, kind, there[i]));
  const found = await Promise.all(here.map((it) => working(looking, it)));
  return found.filter((it) => it !== undefined);
}
