// Which scripts integrations add to a site, and the signed URLs of them.

import type { Urls } from "../../../ports/urls";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import type { SiteRecord } from "../../sites/records";
import type { IntegrationLookupContext, PublishedScript } from "../../sites/site-integrations";
import { getSpaceIds, readStructure } from "../../sites/structure/structure";
import type { IntegrationScope } from "../definitions/schema";
import {
  elsewhere,
  type FromIntegration,
  getOrBuildFromIntegrations,
  type IntegrationCacheContext,
} from "../installations/active-integrations";
import { installations, type PlacementRecord, placements } from "../records";
import {
  type ActiveInstallation,
  formatContentSecurityPolicy,
  isActiveOnPlace,
  listActiveInstallations,
  loadActiveInstallation,
} from "./active-installations";

/** Where an installation adds its script: on the whole site, or in one space of it. */
export interface ScriptPlace extends ActiveInstallation {
  readonly site: string;
  readonly space?: string;
  /** Its own record there. */
  readonly on: PlacementRecord | undefined;
}

/** An installation that adds scripts to a site: to all of it, or in these spaces. */
interface Injecting extends FromIntegration {
  readonly installation: string;
  readonly isOnSite: boolean;
  readonly spaces: readonly string[];
}

/** One script of a site, as far as it is remembered. */
export interface SiteScript {
  readonly installation: string;
  readonly space?: string;
}

/** The scripts of a site for somebody who sees these spaces, in the order of installation. Which installations add scripts
 * is remembered. An installation gets a scope only by an agreement, which changes the installation: so a change of an
 * integration that adds none cannot make it add one. */
export async function listSiteScripts(
  looking: IntegrationCacheContext,
  site: SiteRecord,
  spaces: readonly string[],
): Promise<SiteScript[]> {
  const structure = await readStructure(looking.tx, site, looking.ports);
  const make = (from: IntegrationLookupContext) => injectingOn(from, site.id, getSpaceIds(structure));
  const stamp = structure.stamp ?? String(looking.tx.version);
  const found = await getOrBuildFromIntegrations(looking, `${site.id} scripts`, stamp, make);
  const seen = new Set(spaces);
  return found.flatMap(({ installation, isOnSite, spaces: inside }): SiteScript[] =>
    isOnSite ? [{ installation }] : inside.flatMap((space) => (seen.has(space) ? [{ installation, space }] : [])),
  );
}

const INJECTING: readonly IntegrationScope[] = ["site:script:inject", "space:script:inject"];

async function injectingOn(
  from: IntegrationLookupContext,
  site: string,
  spaces: readonly string[],
): Promise<Injecting[]> {
  const active = await Promise.all(
    (await listActiveInstallations(from.tx)).map((it) => loadActiveInstallation(from, it)),
  );
  const able = active.flatMap((it) => (it && INJECTING.some((scope) => it.scopes.includes(scope)) ? [it] : []));
  const found = await Promise.all(able.map((it) => findScriptPlaces(from.tx, it, site, spaces)));
  return found.flatMap((places, i): Injecting[] => {
    if (places.length === 0) return [];
    const { installation } = able[i]!;
    const inside = places.flatMap(({ space }) => space ?? []);
    const isOnSite = inside.length === 0;
    return [{ installation: installation.id, isOnSite, spaces: inside, ...elsewhere(installation) }];
  });
}

/** Scripts on the wire, as they are now. One that is gone is left out. */
export async function presentScripts(
  looking: IntegrationLookupContext & { readonly urls: Urls; readonly secrets: Secrets },
  site: string,
  some: readonly SiteScript[],
): Promise<PublishedScript[]> {
  const spaces = new Map<string, string[]>();
  for (const { installation, space } of some) {
    const others = spaces.get(installation) ?? [];
    spaces.set(installation, space === undefined ? others : [...others, space]);
  }
  const ids = [...spaces.keys()].map((id) => [id]);
  const found = await Promise.all(
    (await installations.getMany(looking.tx, ids)).map(async (installation) => {
      const it = installation && (await loadActiveInstallation(looking, installation));
      return it ? findScriptPlaces(looking.tx, it, site, spaces.get(it.installation.id)!) : [];
    }),
  );
  return found.flat().map((place) => scriptView(looking, place));
}

/** The scripts of a site with these spaces, in the order of installation. */
export async function listPublishedScripts(
  looking: IntegrationCacheContext & { readonly urls: Urls; readonly secrets: Secrets },
  site: SiteRecord,
  spaces: readonly string[],
): Promise<PublishedScript[]> {
  return presentScripts(looking, site.id, await listSiteScripts(looking, site, spaces));
}

/** Where an installation adds its script. An installation on the site adds it once, whatever spaces it is on. */
export async function findScriptPlaces(
  tx: Reader,
  it: ActiveInstallation,
  site: string,
  spaces: readonly string[],
): Promise<readonly ScriptPlace[]> {
  const { installation, scopes: held } = it;
  const there = [["site", site], ...spaces.map((space) => ["space", space])];
  const [onSite, ...onSpaces] = await placements.getMany(
    tx,
    there.map((place) => [installation.id, ...place]),
  );
  if (isActiveOnPlace(installation, "site", onSite) && held.includes("site:script:inject"))
    return [{ ...it, site, on: onSite }];
  if (!held.includes("space:script:inject")) return [];
  return spaces.flatMap((space, i) =>
    isActiveOnPlace(installation, "space", onSpaces[i]) ? [{ ...it, site, space, on: onSpaces[i] }] : [],
  );
}

function scriptView(
  { urls, secrets }: { readonly urls: Urls; readonly secrets: Secrets },
  place: ScriptPlace,
): PublishedScript {
  const { installation, integration, site, space } = place;
  const policy = formatContentSecurityPolicy(integration);
  const name = toBase64url(secrets.digest("published-script", getScriptSignatureInput(place)));
  const at = `/integrations/${integration.name}/scripts/${installation.id}/${site}/${name}`;
  return {
    script: urls.api(space === undefined ? at : `${at}?space=${space}`),
    ...omitUndefined({ contentSecurityPolicy: policy }),
    cookies: place.scopes.includes(space === undefined ? "site:script:cookies" : "space:script:cookies"),
    ...omitUndefined({ space }),
  };
}

/** Everything that the text of a script may depend on. The name in its URL is a signature over it. */
export function getScriptSignatureInput({ installation, integration, site, space, on }: ScriptPlace): string {
  const { id, version } = integration;
  const sealed = [id, version, installation.id, installation.updatedAt, site, space ?? null, on?.updatedAt ?? null];
  return JSON.stringify(sealed);
}
