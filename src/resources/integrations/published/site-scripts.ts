// Lists the scripts that integrations add to a site, and signs their URLs.

import type { Urls } from "../../../ports/urls";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import type { SiteRecord } from "../../sites/records";
import type { IntegrationLookupContext, PublishedScript } from "../../sites/site-integrations";
import { getSpaceIds, readStructure } from "../../sites/structure/structure";
import type { IntegrationScope } from "../definitions/schema";
import {
  getOrBuildFromIntegrations,
  type IntegrationCacheContext,
  tagForeignPartition,
} from "../installations/active-integrations";
import { installations, type PlacementRecord, placements } from "../records";
import {
  type ActiveInstallation,
  formatContentSecurityPolicy,
  isActiveOnPlace,
  listActiveInstallations,
  loadActiveInstallation,
} from "./active-installations";

/** A place to which an installation adds its script: the whole site, or one space of it. */
export interface ScriptPlace extends ActiveInstallation {
  readonly site: string;
  readonly space?: string;
  /** Its own record there. */
  readonly placement: PlacementRecord | undefined;
}

/** One script of a site, as far as it is cached. */
export interface SiteScript {
  readonly installation: string;
  readonly space?: string;
}

const INJECTION_SCOPES: readonly IntegrationScope[] = ["site:script:inject", "space:script:inject"];

/**
 * Lists the scripts of a site for somebody who sees these spaces, in the order of installation. The installations that add scripts
 * are cached. An installation gets a scope only by an agreement, which changes the installation: so a change of an integration that
 * adds none cannot make it add one.
 */
export async function listSiteScripts(
  context: IntegrationCacheContext,
  site: SiteRecord,
  visibleSpaces: readonly string[],
): Promise<SiteScript[]> {
  const structure = await readStructure(context.tx, site, context.ports);
  const allSpaces = getSpaceIds(structure);
  const findScriptInstallations = async (lookup: IntegrationLookupContext) => {
    const { tx } = lookup;
    const active = await Promise.all(
      (await listActiveInstallations(tx)).map((it) => loadActiveInstallation(lookup, it)),
    );
    const able = active.flatMap((it) =>
      it && INJECTION_SCOPES.some((scope) => it.scopes.includes(scope)) ? [it] : [],
    );
    const placesOfEach = await Promise.all(able.map((it) => findScriptPlaces(tx, it, site.id, allSpaces)));
    return placesOfEach.flatMap((places, i) => {
      if (places.length === 0) return [];
      const { installation } = able[i]!;
      const spaces = places.flatMap(({ space }) => space ?? []);
      const isOnSite = spaces.length === 0;
      return [{ installation: installation.id, isOnSite, spaces, ...tagForeignPartition(installation) }];
    });
  };
  const stamp = structure.stamp ?? String(context.tx.version);
  const found = await getOrBuildFromIntegrations(context, `${site.id} scripts`, stamp, findScriptInstallations);
  const visible = new Set(visibleSpaces);
  return found.flatMap(({ installation, isOnSite, spaces }): SiteScript[] =>
    isOnSite ? [{ installation }] : spaces.flatMap((space) => (visible.has(space) ? [{ installation, space }] : [])),
  );
}

/** Returns current scripts as they are on the wire. One that is gone is left out. */
export async function presentScripts(
  context: IntegrationLookupContext & { readonly urls: Urls; readonly secrets: Secrets },
  siteId: string,
  scripts: readonly SiteScript[],
): Promise<PublishedScript[]> {
  const { tx, urls, secrets } = context;
  const spacesByInstallation = new Map<string, string[]>();
  for (const { installation, space } of scripts) {
    const others = spacesByInstallation.get(installation) ?? [];
    spacesByInstallation.set(installation, space === undefined ? others : [...others, space]);
  }
  const keys = [...spacesByInstallation.keys()].map((id) => [id]);
  const places = await Promise.all(
    (await installations.getMany(tx, keys)).map(async (installation) => {
      const active = installation && (await loadActiveInstallation(context, installation));
      const spaces = installation && spacesByInstallation.get(installation.id);
      return active && spaces ? findScriptPlaces(tx, active, siteId, spaces) : [];
    }),
  );
  return places.flat().map((place) => {
    const { installation, integration, site, space, scopes } = place;
    const policy = formatContentSecurityPolicy(integration);
    const signature = toBase64url(secrets.digest("published-script", getScriptSignatureInput(place)));
    const path = `/integrations/${integration.name}/scripts/${installation.id}/${site}/${signature}`;
    return {
      script: urls.api(space === undefined ? path : `${path}?space=${space}`),
      ...omitUndefined({ contentSecurityPolicy: policy }),
      cookies: scopes.includes(space === undefined ? "site:script:cookies" : "space:script:cookies"),
      ...omitUndefined({ space }),
    };
  });
}

/** Finds the places to which an installation adds its script. One on the site adds it once, whatever spaces it is on. */
export async function findScriptPlaces(
  tx: Reader,
  active: ActiveInstallation,
  site: string,
  spaces: readonly string[],
): Promise<readonly ScriptPlace[]> {
  const { installation, scopes } = active;
  const keys = [["site", site], ...spaces.map((space) => ["space", space])].map((key) => [installation.id, ...key]);
  const [onSite, ...onSpaces] = await placements.getMany(tx, keys);
  if (isActiveOnPlace(installation, "site", onSite) && scopes.includes("site:script:inject"))
    return [{ ...active, site, placement: onSite }];
  if (!scopes.includes("space:script:inject")) return [];
  return spaces.flatMap((space, i) =>
    isActiveOnPlace(installation, "space", onSpaces[i]) ? [{ ...active, site, space, placement: onSpaces[i] }] : [],
  );
}

/** Returns everything that a script may depend on, as one text. The name in its URL is a signature of this text. */
export function getScriptSignatureInput({ installation, integration, site, space, placement }: ScriptPlace): string {
  const { id, version } = integration;
  return JSON.stringify([
    id,
    version,
    installation.id,
    installation.updatedAt,
    site,
    space ?? null,
    placement?.updatedAt ?? null,
  ]);
}
