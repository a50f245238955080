// Signing in by SAML, step by step. Somebody begins here and is sent to the provider. The provider's answer comes as a form
// of another site, with which browsers send no cookie. So the answer is checked when it comes, and used one redirect later,
// where the browser shows that it is the one that began.

import { cookieFor, cookieIn } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain";
import { audit } from "../../resources/people/audit/note";
import { members, syncMembership } from "../../resources/people/members/records";
import { type OrganizationRecord, organizations, partitionOf } from "../../resources/people/organizations/records";
import { type SamlProviderRecord, samlKeys, samlProviders } from "../../resources/people/saml/records";
import { serviceUrls, statusOf } from "../../resources/people/saml/rules";
import { sessionOf, sessions } from "../../resources/people/sessions/records";
import { teamMembers, teams } from "../../resources/people/teams/records";
import { type UserRecord, users } from "../../resources/people/users/records";
import { toBase64url } from "../../secrets";
import { fold } from "../../shapes";
import { DIRECTORY, type Place, placeOf } from "../../store/ids";
import type { Transaction } from "../../store/transaction";
import { later } from "../../work/jobs";
import { beginSession } from "../begin-session";
import { fieldsOf, pathWithin } from "../pages/forms";
import { seeOther } from "../pages/page";
import type { Arrived, House } from "../parts";
import { admit, subjectOf } from "./admission";
import { fromBase64 } from "./base64";
import { metadataXml } from "./metadata";
import { newOwnKey, type OwnKey, unwrapWith } from "./own-key";
import { beginAgainPage, confirmPage, missingEmailPage, refusedPage, signInFirstPage, switchedOffPage } from "./pages";
import { verifierFor } from "./provider-key";
import { type SamlLink, samlLinks, spend } from "./records";
import { type Refusal, SamlRefused } from "./refused";
import { askingUrl, isOurRequest, newRequestId, PATIENCE_MS, tagOf } from "./request";
import { type Vouched, verifyResponse } from "./response";
import type { Trust } from "./signature";

/** A provider, and what it needs to know of us. */
export interface Found {
  readonly place: Place;
  readonly organization: OrganizationRecord;
  readonly provider: SamlProviderRecord;
  readonly service: ReturnType<typeof serviceUrls>;
}

/** The provider that a path names; undefined when there is none. */
export async function findProvider({ kernel }: House, { params }: Arrived): Promise<Found | undefined> {
  const { organizationId = "", samlProviderId = "" } = params;
  const partition = partitionOf(organizationId);
  const view = partition === undefined ? undefined : await kernel.store.read(partition);
  const organization = view && (await organizations.get(view, organizationId));
  const provider = view && (await samlProviders.get(view, samlProviderId));
  if (!organization || !provider) return undefined;
  const service = serviceUrls(organization.id, provider.id, kernel.urls);
  return { place: placeOf(organization.id), organization, provider, service };
}

/** The key pair of an organization. The first who asks makes it; of two at once, one is kept. */
export async function ownKeyOf({ kernel }: House, { place }: Found): Promise<OwnKey> {
  const known = await samlKeys.get(await kernel.store.read(place.partition), "own");
  if (known?.privateKey !== undefined) return known as OwnKey;
  const made = await newOwnKey(new URL(kernel.urls.api("/")).hostname, kernel.store);
  return kernel.store.write(place.partition, async (tx) => {
    const meanwhile = await samlKeys.get(tx, "own");
    if (meanwhile?.privateKey !== undefined) return meanwhile as OwnKey;
    await samlKeys.put(tx, { id: "own", ...made });
    return made;
  });
}

/** What the provider is told about us. It is there before the provider is complete: each side needs the other's. */
export async function metadata(house: House, found: Found): Promise<PlainResponse> {
  const { certificate } = await ownKeyOf(house, found);
  const { entityID, acsURL } = found.service;
  const body = metadataXml({ entityID, acsURL, logoutURL: logoutUrlOf(found), certificate });
  return { status: 200, headers: { "content-type": "application/samlmetadata+xml; charset=utf-8" }, body };
}

export function logoutUrlOf({ service }: Found): string {
  return service.acsURL.replace(/acs$/, "logout");
}

/** What waits in the browser while somebody is at their provider. */
interface Begun {
  readonly id: string;
  /** Where they want to get to: a path of this origin. */
  readonly to: string;
}

const cookieName = (house: House, id: string) =>
  `${house.origin.startsWith("https:") ? "__Host-" : ""}octavo-saml-${tagOf(id)}`;

function cookieOf(house: House, id: string, value: string): string {
  const isSecure = house.origin.startsWith("https:");
  const maxAge = value === "" ? 0 : PATIENCE_MS / 1000;
  return cookieFor(cookieName(house, id), value, { isSecure, path: "/", maxAge });
}

/** Binds the answer to the cookie. The parameter comes back as it was sent, and may have 80 characters. */
function relayOf({ kernel }: House, cookie: string): string {
  return toBase64url(kernel.secrets.digest("saml-request", `relay ${cookie}`));
}

/** Sends somebody to the provider. */
export async function start(house: House, request: Arrived, found: Found): Promise<PlainResponse> {
  const { kernel, origin, urlOf } = house;
  const { provider, service } = found;
  const now = kernel.store.now();
  const id = newRequestId(provider.id, kernel.secrets, now, kernel.store.random);
  const to = pathWithin(origin, request.query.get("to")) ?? new URL(urlOf("/sign-in")).pathname;
  const begun: Begun = { id, to };
  const cookie = await kernel.secrets.encrypt(JSON.stringify(begun), `saml-begun ${provider.id}`);
  const { entityID, acsURL } = service;
  const url = askingUrl({ id, ssoURL: provider.ssoURL!, entityID, acsURL, now }, relayOf(house, cookie));
  return seeOther(url, [cookieOf(house, id, cookie)]);
}

/** What was accepted, on its way through the browser. */
interface Accepted extends Omit<Vouched, "assertion" | "validUntil" | "sessionUntil"> {
  readonly relay: string;
  readonly sessionUntil: number | null;
  readonly until: number;
}

/** How long the redirect may take that brings an accepted answer to the browser's cookie. */
const REDIRECT_MS = 60_000;
/** How long somebody may think about a question. */
const THINKING_MS = 10 * 60_000;

/** Takes the provider's answer. */
export async function acs(house: House, request: Arrived, found: Found): Promise<PlainResponse> {
  const { kernel } = house;
  const fields = await fieldsOf(request, MOST_BYTES);
  const xml = decoded(fields.get("SAMLResponse") ?? "");
  // Nobody began here: somebody clicked on us at their provider. They begin now, so that the answer is to a request of ours.
  if (xml !== undefined && isUnasked(xml)) return seeOther(found.service.startURL);
  try {
    if (xml === undefined) throw new SamlRefused("malformed");
    const vouched = await read(house, found, xml);
    const now = kernel.store.now();
    const isNew = await kernel.store.write(found.place.partition, (tx) =>
      spend(tx, `assertion ${found.provider.id} ${vouched.assertion}`, vouched.validUntil, now),
    );
    if (!isNew) throw new SamlRefused("replayed");
    const { assertion, validUntil, sessionUntil, ...rest } = vouched;
    const accepted: Accepted = {
      ...rest,
      relay: fields.get("RelayState")?.slice(0, 200) ?? "",
      sessionUntil: sessionUntil?.getTime() ?? null,
      until: now.getTime() + REDIRECT_MS,
    };
    const code = await seal(house, found, "accepted", accepted);
    return seeOther(`${found.service.acsURL}?${new URLSearchParams({ code })}`);
  } catch (error) {
    if (error instanceof SamlRefused) return refused(house, request, found, error.why);
    throw error;
  }
}

/** A form with a response of the largest size, in base64 and with percent signs. */
const MOST_BYTES = 512 * 1024;

function decoded(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fromBase64(base64));
  } catch {
    return undefined;
  }
}

/** Whether a message is a response that names no request. It is not believed in anything else. */
function isUnasked(xml: string): boolean {
  return xml.includes("Response") && !xml.includes("InResponseTo") && !xml.includes("EncryptedAssertion");
}

/** What a provider signs with, and how it may. */
export function trustIn({ options }: House, { provider }: Found): Trust {
  const allowsSha1 = options.saml?.sha1?.includes(provider.id) ?? false;
  return { verify: verifierFor(provider.certificate!), allowsSha1 };
}

async function read(house: House, found: Found, xml: string): Promise<Vouched> {
  const { kernel } = house;
  const { provider, service } = found;
  const now = kernel.store.now();
  const unwrap = async (...given: Parameters<ReturnType<typeof unwrapWith>>) =>
    unwrapWith(await ownKeyOf(house, found))(...given);
  return verifyResponse(xml, {
    ...trustIn(house, found),
    issuer: provider.entityID!,
    audience: service.entityID,
    recipient: service.acsURL,
    isAsked: (id) => isOurRequest(id, provider.id, kernel.secrets, now),
    now,
    unwrap,
  });
}

async function seal(house: House, { provider }: Found, kind: "accepted" | "question", value: object): Promise<string> {
  return house.kernel.secrets.encrypt(JSON.stringify(value), `saml-${kind} ${provider.id}`);
}

/** What was sealed for this step and this provider, if its time is not over. */
async function unseal<T extends { readonly until: number }>(
  house: House,
  { provider }: Found,
  kind: "accepted" | "question",
  sealed: string | null,
): Promise<T | undefined> {
  const text = await house.kernel.secrets.decrypt(sealed ?? "", `saml-${kind} ${provider.id}`).catch(() => undefined);
  const value = text === undefined ? undefined : (JSON.parse(text) as T);
  return value && value.until >= house.kernel.store.now().getTime() ? value : undefined;
}

/** Lets somebody in whose answer was accepted, if this is the browser in which they began. */
export async function finish(house: House, request: Arrived, found: Found): Promise<PlainResponse> {
  const { kernel } = house;
  const accepted = await unseal<Accepted>(house, found, "accepted", request.query.get("code"));
  if (!accepted) return beginAgainPage(house, request, found);
  const cookie = cookieIn(request.headers.get("cookie"), cookieName(house, accepted.requestId)) ?? "";
  const context = `saml-begun ${found.provider.id}`;
  const begun = await kernel.secrets.decrypt(cookie, context).then(
    (text) => JSON.parse(text) as Begun,
    () => undefined,
  );
  const isHere =
    begun?.id === accepted.requestId && kernel.secrets.isDigest("saml-request", `relay ${cookie}`, accepted.relay);
  if (!begun || !isHere) {
    await noteFailure(house, request, found, "other_browser");
    return beginAgainPage(house, request, found);
  }
  return enter(house, request, found, { accepted, to: begun.to });
}

/** Somebody who was vouched for, and where they want to get to. */
interface Entry {
  readonly accepted: Accepted;
  readonly to: string;
  /** The user who has agreed that the provider may sign them in. */
  readonly confirmedBy?: string;
}

async function enter(house: House, request: Arrived, found: Found, entry: Entry): Promise<PlainResponse> {
  const { kernel } = house;
  const { accepted, confirmedBy } = entry;
  const what = `${confirmedBy === undefined ? "request" : "question"} ${accepted.requestId}`;
  const now = kernel.store.now();
  const until = new Date(now.getTime() + PATIENCE_MS + THINKING_MS);
  const isFirst = await kernel.store.write(found.place.partition, (tx) => spend(tx, what, until, now));
  if (!isFirst) {
    await noteFailure(house, request, found, "request_answered");
    return beginAgainPage(house, request, found);
  }
  const admission = await kernel.store.write(DIRECTORY, (tx) =>
    admit(tx, kernel.store, found.organization, found.provider, accepted, {
      isTrusted: isTrusted(house, found),
      confirmedBy,
    }),
  );
  if (!admission.user) return notYet(house, request, found, entry, admission.misses);
  const { user, link } = admission;
  if (!(await join(house, request, found, user, link))) return switchedOffPage(house, request);
  const setCookie = await begin(house, request, found, user, link, accepted);
  return seeOther(entry.to, [setCookie, cookieOf(house, accepted.requestId, "")]);
}

/** Whether the host believes the provider about every address. */
function isTrusted({ options }: House, { provider }: Found): boolean {
  const trusted = options.saml?.trusted ?? [];
  return trusted === "all" || trusted.includes(provider.id);
}

/** Asks somebody who has shown another way that the address is theirs, or says what is missing. */
async function notYet(
  house: House,
  request: Arrived,
  found: Found,
  { accepted, to }: Entry,
  misses: "email" | "proof",
): Promise<PlainResponse> {
  if (misses === "email") {
    await noteFailure(house, request, found, "no_email");
    return missingEmailPage(house, request, found);
  }
  const { store } = house.kernel;
  const current = await currentSession(house, request);
  const person = current && (await users.get(await store.read(DIRECTORY), current.user));
  if (!person || fold(person.email) !== fold(accepted.email ?? "")) {
    await noteFailure(house, request, found, "unproven_address");
    return signInFirstPage(house, request, found, to);
  }
  const question: Question = { accepted, to, user: person.id, until: store.now().getTime() + THINKING_MS };
  return confirmPage(house, request, found, await seal(house, found, "question", question));
}

interface Question extends Required<Pick<Entry, "accepted" | "to">> {
  readonly user: string;
  readonly until: number;
}

/** Somebody has agreed that the provider may sign them in. The form comes from a page of ours, in their own session. */
export async function confirm(house: House, request: Arrived, found: Found): Promise<PlainResponse> {
  const fields = await fieldsOf(request, MOST_BYTES);
  const question = await unseal<Question>(house, found, "question", fields.get("question"));
  const current = await currentSession(house, request);
  if (!question || current?.user !== question.user) return beginAgainPage(house, request, found);
  return enter(house, request, found, { ...question, confirmedBy: question.user });
}

/** The session that the browser has now. */
export async function currentSession({ kernel, cookie }: House, request: Arrived) {
  const value = cookie.valueIn(request);
  const directory = await kernel.store.read(DIRECTORY);
  return value === undefined ? undefined : (await sessionOf(directory, value, kernel.store.now()))?.session;
}

/** Makes the user a member the first time. False: the organization has switched them off. */
async function join(house: House, request: Arrived, found: Found, user: UserRecord, link: SamlLink): Promise<boolean> {
  const { work, store } = house.kernel;
  const { place, organization, provider } = found;
  return store.write(place.partition, async (tx) => {
    const known = await members.get(tx, user.id);
    const joinedAt = store.now().toISOString();
    if (!known && !link.isIn) {
      const role = provider.defaultRole;
      await members.put(tx, { user: user.id, role, disabled: false, sso: true, joinedAt, lastSeenAt: null });
      await joinTeam(tx, provider, user.id, joinedAt);
      later(work, place, tx, syncMembership, { organization: organization.id, user: user.id });
      note(house, request, tx, found, { action: "memberProvisioned", user: user.id });
    }
    const isOn = !known?.disabled;
    note(house, request, tx, found, { action: isOn ? "signIn" : "signInFailed", user: user.id });
    return isOn;
  });
}

async function joinTeam(tx: Transaction, { defaultTeam }: SamlProviderRecord, user: string, joinedAt: string) {
  if (defaultTeam === null || !(await teams.get(tx, defaultTeam))) return;
  await teamMembers.put(tx, { team: defaultTeam, user, role: "member", joinedAt });
}

/** Begins the session. What the same person has passed in this browser before still counts. */
async function begin(
  house: House,
  request: Arrived,
  { provider }: Found,
  user: UserRecord,
  link: SamlLink,
  accepted: Accepted,
): Promise<string> {
  const before = await currentSession(house, request);
  const passed = before?.user === user.id ? before.passed : [];
  const { sessionIndex = null, nameId: name, nameIdFormat: format, sessionUntil } = accepted;
  return house.kernel.store.write(DIRECTORY, async (tx) => {
    if (!link.isIn) await samlLinks.put(tx, { ...link, isIn: true });
    if (before) await sessions.delete(tx, before.hash);
    const { setCookie } = await beginSession(tx, house, request, {
      user: user.id,
      by: "saml",
      passed: [...new Set([...passed, provider.id])],
      vouched: { provider: provider.id, subject: subjectOf(accepted)!, sessionIndex, nameId: { name, format } },
      until: sessionUntil === null ? undefined : new Date(sessionUntil),
    });
    return setCookie;
  });
}

/** Why somebody is not let in whose message is one of the provider's. */
type Failure = Refusal | "other_browser" | "request_answered" | "no_email" | "unproven_address";

/** Refuses a message of the provider: a page that says nothing, and a line in the log that says why. */
export async function refused(house: House, request: Arrived, found: Found, why: Refusal): Promise<PlainResponse> {
  await noteFailure(house, request, found, why);
  return refusedPage(house, request, found);
}

/** Notes a failure. An attack is a commit for each try, so only some of many in a row are noted. */
async function noteFailure(house: House, request: Arrived, found: Found, why: Failure): Promise<void> {
  const { store } = house.kernel;
  if (!mayNote(found.provider.id, store.now().getTime())) return;
  await store.write(found.place.partition, async (tx) => {
    note(house, request, tx, found, { action: "signInFailed", why });
  });
}

const NOTED_A_MINUTE = 30;
const noted = new Map<string, { since: number; count: number }>();

function mayNote(provider: string, now: number): boolean {
  const known = noted.get(provider);
  if (!known || now - known.since > 60_000 || now < known.since) {
    if (noted.size > 1000) noted.clear();
    noted.set(provider, { since: now, count: 1 });
    return true;
  }
  return ++known.count <= NOTED_A_MINUTE;
}

/** Puts what happened into the audit log of the organization. */
export function note(
  { kernel }: House,
  { address, headers }: Arrived,
  tx: Transaction,
  { place, provider }: Found,
  { action, user, why }: { readonly action: string; readonly user?: string; readonly why?: Failure },
): void {
  audit(kernel.work, tx, place, {
    action,
    actor: user === undefined ? { type: "visitor" } : { type: "user", id: user },
    credential: { type: "saml", id: provider.id },
    from: { address, userAgent: headers.get("user-agent") ?? undefined },
    status: action === "signInFailed" ? 403 : 200,
    things: [{ type: "saml-provider", id: provider.id }],
    ...(why === undefined ? {} : { changes: [{ field: "reason", value: why }] }),
  });
}

/** Whether the provider is complete. */
export function isActive({ provider }: Found): boolean {
  return statusOf(provider) === "active";
}
