// The scripts of integrations on published sites. The profile of a site lists their URLs without calling anybody; a
// request to such a URL calls the integration. A URL is signed over everything that it depends on. So only readers of
// the profile have it, and it ends when the installation, the integration or the site is changed, paused or deleted.

import * as v from "valibot";
import { operation, type Target } from "../../../operation/operation";
import { type Secrets, toBase64url } from "../../../secrets";
import { Bytes, Sent } from "../../../sent";
import { Id } from "../../../shapes";
import type { Reader } from "../../../store/transaction";
import type { Urls } from "../../../urls";
import { type SiteRecord, siteItems, sites } from "../../sites/records";
import type { ListedScript, Looking } from "../../sites/served-by-integrations";
import { readStructure, spacesOf } from "../../sites/structure/structure";
import { answerOf } from "../calls/pass-on";
import { type Answered, headerOf } from "../calls/question";
import type { IntegrationScope } from "../definitions/schema";
import { reaches } from "../delivery/reach";
import { elsewhere, type FromIntegration, knownOfIntegrations, type Remembering } from "../installations/at-work";
import { installation } from "../installations/rules";
import { type InstallationRecord, type IntegrationRecord, installations, type PlacedRecord, placed } from "../records";
import { activeIn, type Working, working, worksOn } from "./for-sites";

/** Where an installation adds its script: on the whole site, or in one space of it. */
interface ScriptPlace extends Working {
  readonly site: string;
  readonly space?: string;
  /** Its own record there. */
  readonly on: PlacedRecord | undefined;
}

/** An installation that adds scripts to a site: to all of it, or in these spaces. */
interface Injecting extends FromIntegration {
  readonly installation: string;
  readonly isOnSite: boolean;
  readonly spaces: readonly string[];
}

/** One script of a site, as far as it is remembered. */
export interface KnownScript {
  readonly installation: string;
  readonly space?: string;
}

/** The scripts of a site for somebody who sees these spaces, in the order of installation. Which installations add scripts
 * is remembered. An installation gets a scope only by an agreement, which changes the installation: so a change of an
 * integration that adds none cannot make it add one. */
export async function scriptsOn(
  looking: Remembering,
  site: SiteRecord,
  spaces: readonly string[],
): Promise<KnownScript[]> {
  const structure = await readStructure(looking.tx, site, looking.parts);
  const make = (from: Looking) => injectingOn(from, site.id, spacesOf(structure));
  const stamp = structure.stamp ?? String(looking.tx.version);
  const found = await knownOfIntegrations(looking, `${site.id} scripts`, stamp, make);
  const seen = new Set(spaces);
  return found.flatMap(({ installation, isOnSite, spaces: inside }): KnownScript[] =>
    isOnSite ? [{ installation }] : inside.flatMap((space) => (seen.has(space) ? [{ installation, space }] : [])),
  );
}

const INJECTING: readonly IntegrationScope[] = ["site:script:inject", "space:script:inject"];

async function injectingOn(from: Looking, site: string, spaces: readonly string[]): Promise<Injecting[]> {
  const active = await Promise.all((await activeIn(from.tx)).map((it) => working(from, it)));
  const able = active.flatMap((it) => (it && INJECTING.some((scope) => it.held.includes(scope)) ? [it] : []));
  const found = await Promise.all(able.map((it) => placesOf(from.tx, it, site, spaces)));
  return found.flatMap((places, i): Injecting[] => {
    if (places.length === 0) return [];
    const { installation } = able[i]!;
    const inside = places.flatMap(({ space }) => space ?? []);
    const isOnSite = inside.length === 0;
    return [{ installation: installation.id, isOnSite, spaces: inside, ...elsewhere(installation) }];
  });
}

/** Scripts on the wire, as they are now. One that is gone is left out. */
export async function scriptViews(
  looking: Looking & { readonly urls: Urls; readonly secrets: Secrets },
  site: string,
  some: readonly KnownScript[],
): Promise<ListedScript[]> {
  const spaces = new Map<string, string[]>();
  for (const { installation, space } of some) {
    const others = spaces.get(installation) ?? [];
    spaces.set(installation, space === undefined ? others : [...others, space]);
  }
  const ids = [...spaces.keys()].map((id) => [id]);
  const found = await Promise.all(
    (await installations.getMany(looking.tx, ids)).map(async (installation) => {
      const it = installation && (await working(looking, installation));
      return it ? placesOf(looking.tx, it, site, spaces.get(it.installation.id)!) : [];
    }),
  );
  return found.flat().map((place) => scriptView(looking, place));
}

/** The scripts of a site with these spaces, in the order of installation. */
export async function publishedScripts(
  looking: Remembering & { readonly urls: Urls; readonly secrets: Secrets },
  site: SiteRecord,
  spaces: readonly string[],
): Promise<ListedScript[]> {
  return scriptViews(looking, site.id, await scriptsOn(looking, site, spaces));
}

/** Where an installation adds its script. An installation on the site adds it once, whatever spaces it is on. */
async function placesOf(
  tx: Reader,
  it: Working,
  site: string,
  spaces: readonly string[],
): Promise<readonly ScriptPlace[]> {
  const { installation, held } = it;
  const there = [["site", site], ...spaces.map((space) => ["space", space])];
  const [onSite, ...onSpaces] = await placed.getMany(
    tx,
    there.map((place) => [installation.id, ...place]),
  );
  if (worksOn(installation, "site", onSite) && held.includes("site:script:inject"))
    return [{ ...it, site, on: onSite }];
  if (!held.includes("space:script:inject")) return [];
  return spaces.flatMap((space, i) =>
    worksOn(installation, "space", onSpaces[i]) ? [{ ...it, site, space, on: onSpaces[i] }] : [],
  );
}

function scriptView(
  { urls, secrets }: { readonly urls: Urls; readonly secrets: Secrets },
  place: ScriptPlace,
): ListedScript {
  const { installation, integration, site, space } = place;
  const policy = policyOf(integration);
  const name = toBase64url(secrets.digest("published-script", namedBy(place)));
  const at = `/integrations/${integration.name}/scripts/${installation.id}/${site}/${name}`;
  return {
    script: urls.api(space === undefined ? at : `${at}?space=${space}`),
    ...(policy === undefined ? {} : { contentSecurityPolicy: policy }),
    cookies: place.held.includes(space === undefined ? "site:script:cookies" : "space:script:cookies"),
    ...(space === undefined ? {} : { space }),
  };
}

/** Everything that the text of a script may depend on. The name in its URL is a signature over it. */
function namedBy({ installation, integration, site, space, on }: ScriptPlace): string {
  const { id, version } = integration;
  const sealed = [id, version, installation.id, installation.updatedAt, site, space ?? null, on?.updatedAt ?? null];
  return JSON.stringify(sealed);
}

/** The content security policy of an integration as one text. */
function policyOf({ contentSecurityPolicy: policy }: IntegrationRecord): string | undefined {
  if (policy === null || typeof policy === "string") return policy ?? undefined;
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return directives.length === 0 ? undefined : directives.join("; ");
}

/** A script that a site includes now, by its signed URL. */
const publishedScript: Target<{ readonly place: ScriptPlace }, "view"> = {
  partition: installation.partition,
  async load(scope) {
    const { tx, params, query, secrets } = scope;
    const site = await sites.get(tx, params.siteId!);
    const found = await installations.get(tx, params.installationId!);
    if (!site?.published || !found || found.integration !== params.integrationName) return undefined;
    const space = query.space as string | undefined;
    const isShown = space === undefined || (await isOnSite(tx, found, site.id, space));
    if (found.status !== "active" || !isShown) return undefined;
    const it = await working(scope, found);
    const places = it ? await placesOf(tx, it, site.id, space === undefined ? [] : [space]) : [];
    const place = places.find((one) => secrets.isDigest("published-script", namedBy(one), params.signature!));
    return place && { place };
  },
  absent: "file_not_found",
  rights: { view: () => true },
  open: true,
};

/** Whether a space of an installation is on a site. */
async function isOnSite(tx: Reader, it: InstallationRecord, site: string, space: string): Promise<boolean> {
  return (await siteItems.find(tx, "space", site, space)) !== undefined && reaches(tx, it, { spaceId: space });
}

export const fetchPublishedScript = operation(
  "GET /integrations/:integrationName/scripts/:installationId/:siteId/:signature",
  {
    summary: "Fetch a script that an integration brings to a published site, with a URL of the published profile",
    description: "The URL cannot be guessed, and ends when the installation or the site changes; no token is needed.",
    on: publishedScript,
    takesAnyQuery: true,
    right: "view",
    query: { space: v.optional(v.pipe(Id, v.description("The space of the site that the script is for."))) },
    returns: Bytes,
    sends: ["text/javascript"],
    asksIntegration: true,
    async handle({ place, work }) {
      const { installation, integration, site, space } = place;
      const about = space === undefined ? { siteId: site } : { spaceId: space };
      const event = { type: "fetch_published_script", ...about };
      const within = { installation, ...about };
      return scriptSent(await answerOf(work, { integration, event, within, wrong: noScript }), integration);
    },
  },
);

const JAVASCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function noScript(answer: Answered): string | undefined {
  if (answer.status !== 200) return `A script comes with the status 200, and not ${answer.status}.`;
  if (JAVASCRIPT.test(headerOf(answer, "content-type") ?? "")) return undefined;
  return "A script has the type text/javascript, in UTF-8.";
}

function scriptSent(answer: Answered, integration: IntegrationRecord): Sent {
  const policy = policyOf(integration);
  return new Sent(answer.body, {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": publicly(headerOf(answer, "cache-control") ?? ""),
    // Policies are combined: the policy of an integration cannot allow what ours forbids.
    "content-security-policy": policy === undefined ? "sandbox" : `sandbox, ${policy}`,
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
}

/** How long a script is cached by default and at most, in seconds. It may outlive its installation for as long. */
const DEFAULT_AGE = 60;
const MAX_AGE = 3600;

/** How long a script may be cached, by its own headers. */
function publicly(caching: string): string {
  const said = caching.split(",").map((it) => it.trim().toLowerCase());
  if (said.includes("no-store")) return "no-store";
  if (said.includes("no-cache")) return "no-cache";
  const age = said.map((it) => /^max-age=(\d{1,9})$/.exec(it)?.[1]).find((it) => it !== undefined);
  return `${said.includes("private") ? "private" : "public"}, max-age=${Math.min(Number(age ?? DEFAULT_AGE), MAX_AGE)}`;
}
