// Signing out: here, and at the provider if it wants to hear of it. A provider may also say that somebody has signed out
// there; it must have signed that, and then their sessions that it vouched for end here.

import type { PlainResponse } from "../../http/plain-request";
import { type SessionRecord, sessions } from "../../resources/people/sessions/records";
import { DIRECTORY, generateRandomText } from "../../storage/ids";
import { parseUrl } from "../../utils/url";
import { seeOther } from "../pages/page";
import type { SignInContext, SignInRequest } from "../parts";
import { refused } from "./acs";
import { subjectOf } from "./admission";
import { toBase64 } from "./base64";
import { currentSession } from "./enter";
import { type Found, logoutUrlOf, ownKeyOf, providerOf, trustIn } from "./found";
import { type LogoutRequest, readLogoutRequest } from "./logout-request";
import { SAML, SAMLP, SUCCESS } from "./names";
import { note } from "./notes";
import { signWith } from "./own-key";
import { signedOutPage } from "./pages";
import { SamlRefused } from "./refused";
import { packed } from "./request";
import { escapeXml } from "./xml";

/** Ends the session of this browser, and leads to the provider that vouched for it. */
export async function leave(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  const session = await currentSession(house, request);
  const url = session && (await leavingUrl(house, found, session));
  if (session) await end(house, request, found, [session]);
  const cookies = [house.cookie.clearHeader];
  return url === undefined ? signedOutPage(house, request, cookies) : seeOther(house, url, cookies);
}

/** The provider that vouched for a session, and where one signs out there; undefined when it does not want to hear of it. */
export async function leavingOf(house: SignInContext, session: SessionRecord) {
  const found = session.vouched && (await providerOf(house, session.vouched.provider));
  const url = found && (await leavingUrl(house, found, session));
  return url === undefined ? undefined : { name: found!.provider.label, url };
}

/** Where a browser goes to sign out at its provider, too; undefined when the provider does not want to hear of it. */
export async function leavingUrl(
  house: SignInContext,
  found: Found,
  { vouched }: Pick<SessionRecord, "vouched">,
): Promise<string | undefined> {
  const { sloURL } = found.provider;
  if (!sloURL || vouched?.provider !== found.provider.id) return undefined;
  const index =
    vouched.sessionIndex === null ? "" : `<samlp:SessionIndex>${escapeXml(vouched.sessionIndex)}</samlp:SessionIndex>`;
  const { name, format } = vouched.nameId;
  const inner = `<saml:NameID Format="${escapeXml(format)}">${escapeXml(name)}</saml:NameID>${index}`;
  return signedUrl(house, found, "SAMLRequest", message(house, found, "LogoutRequest", "", inner));
}

function message(
  { kernel }: SignInContext,
  { provider, service }: Found,
  name: string,
  attributes: string,
  inner: string,
): string {
  const id = `_${generateRandomText(kernel.store.random, 32)}`;
  const at = kernel.store.now().toISOString();
  return `<samlp:${name} xmlns:samlp="${SAMLP}" xmlns:saml="${SAML}" ID="${id}" Version="2.0" IssueInstant="${at}" Destination="${escapeXml(provider.sloURL!)}"${attributes}><saml:Issuer>${escapeXml(service.entityID)}</saml:Issuer>${inner}</samlp:${name}>`;
}

const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** A redirect to the provider with a message that we have signed. The signature is over the very text of the parameters. */
async function signedUrl(
  house: SignInContext,
  found: Found,
  kind: string,
  xml: string,
  relayState?: string,
): Promise<string> {
  const relay = relayState === undefined ? [] : [["RelayState", relayState] as const];
  const query = [[kind, packed(xml)] as const, ...relay, ["SigAlg", RSA_SHA256] as const]
    // In a URL the apostrophe is encoded, too.
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", "%27")}`)
    .join("&");
  const signature = toBase64(await signWith(await ownKeyOf(house, found), query));
  const url = parseUrl(found.provider.sloURL!);
  const before = url.search === "" ? "?" : `${url.search}&`;
  return `${url.origin}${url.pathname}${before}${query}&Signature=${encodeURIComponent(signature)}`;
}

/** What a provider says about signing out: that somebody has, or that it has heard us. */
export async function hearLogout(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  // The session here has ended before the provider was asked. Its answer changes nothing.
  if (!request.query.has("SAMLRequest")) return signedOutPage(house, request, []);
  try {
    const asked = await readLogoutRequest(request.url, {
      ...trustIn(house, found),
      issuer: found.provider.entityID!,
      destination: logoutUrlOf(found),
      now: house.kernel.store.now(),
    });
    await end(house, request, found, await meantBy(house, found, asked));
    if (!found.provider.sloURL) return signedOutPage(house, request, []);
    const inner = `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"/></samlp:Status>`;
    const xml = message(house, found, "LogoutResponse", ` InResponseTo="${escapeXml(asked.id)}"`, inner);
    return seeOther(house, await signedUrl(house, found, "SAMLResponse", xml, asked.relayState));
  } catch (error) {
    if (error instanceof SamlRefused) return refused(house, request, found, error.why);
    throw error;
  }
}

const MOST_SESSIONS = 200;

/** The sessions that a provider wants to end, among those that it vouched for. */
async function meantBy({ kernel }: SignInContext, { provider }: Found, asked: LogoutRequest): Promise<SessionRecord[]> {
  const subject = subjectOf({ ...asked, email: undefined, displayName: undefined });
  if (subject === undefined) return [];
  const directory = await kernel.store.read(DIRECTORY);
  const rows = await sessions.list(directory, "ofSubject", { under: [provider.id, subject], limit: MOST_SESSIONS });
  const isMeant = ({ vouched }: SessionRecord) =>
    asked.sessions.length === 0 || asked.sessions.includes(vouched?.sessionIndex ?? "");
  return rows.map(({ record }) => record).filter(isMeant);
}

/** Ends sessions, and notes it where the provider is. */
async function end(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  ended: readonly SessionRecord[],
): Promise<void> {
  const { store } = house.kernel;
  await store.write(DIRECTORY, async (tx) => {
    for (const { hash } of ended) await sessions.delete(tx, hash);
  });
  if (ended.length === 0) return;
  await store.write(found.place.partition, async (tx) => {
    for (const user of new Set(ended.map((session) => session.user)))
      note(house, request, tx, found, { action: "signOut", user });
  });
}
