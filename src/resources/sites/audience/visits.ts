// Visits by a visitor's token. Everything that let the visitor in is looked at again at every use: the site is published
// to the same audience, the share link or the key is the same, and somebody still vouches. What has changed ends the
// visit, and the site is as absent as for anybody else who is not let in.

import type { Visit } from "../../../operation/operation";
import type { SiteRecord } from "../records";
import { type Admitting, linkOf, saidBy, signedNow, stateOf, type Visitor } from "./audience";
import type { LetIn } from "./visit-tokens";
import { publishingAuthOf } from "./visitor-records";
import { isAudienceAsMember, visitorSigner } from "./visitor-tokens";

/** The visitor of a visit; undefined when the visit is over. A share key is used for URLs, if it is that of the visit. */
export async function visitorOf(
  scope: Admitting,
  site: SiteRecord,
  visit: Visit,
  shareKey?: string | undefined,
): Promise<Visitor | undefined> {
  if (!(await isStillLetIn(scope, site, visit))) return undefined;
  const { unsigned, ...signed } = visit.claims;
  const known = await signedNow(scope, site, signed);
  if (!known) return undefined;
  const claims = { ...known, unsigned: await saidBy(scope, site, unsigned as Visitor["claims"] | undefined) };
  const { site: at, audience, state, shareLink, vouchedBy, member } = visit;
  const letIn = { site: at, audience, state, ...given({ shareLink, vouchedBy, member }) };
  const isKey = shareLink !== undefined && (await linkOf(scope, site, shareKey))?.id === shareLink;
  return { claims, letIn, ...(isKey ? { shareKey: shareKey! } : {}) };
}

function given<Members extends object>(members: Members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [name in keyof Members]?: Exclude<Members[name], undefined>;
  };
}

/** Whether what let somebody in is as it was. */
export async function isStillLetIn(
  scope: Pick<Admitting, "tx" | "peek">,
  site: SiteRecord,
  letIn: LetIn,
): Promise<boolean> {
  if (!site.published || site.id !== letIn.site || site.visibility !== letIn.audience) return false;
  if ((await stateOf(scope, site, letIn)) !== letIn.state) return false;
  if (letIn.vouchedBy === "member") return isAudienceAsMember(scope, site, letIn.member ?? "");
  if (letIn.vouchedBy !== "integration") return true;
  return (await visitorSigner(scope, await publishingAuthOf(scope.tx, site))) !== undefined;
}
