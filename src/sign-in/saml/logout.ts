// Signing out: here, and at the provider if it wants to hear of it. A provider may also say that somebody has signed out
// there; it must have signed that, and then their sessions that it vouched for end here.

import type { PlainResponse } from "../../http/plain-request";
import { type SessionRecord, sessions } from "../../resources/people/sessions/records";
import { DIRECTORY, generateRandomText } from "../../storage/ids";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { createRedirect } from "../pages/page";
import { recordSamlEvent } from "./audit-events";
import { deflateMessage } from "./authn-request";
import { toBase64 } from "./base64";
import { currentSession } from "./complete-sign-in";
import {
  findConnectionByProvider,
  getLogoutUrl,
  getServiceKey,
  getSignaturePolicy,
  type SamlConnection,
} from "./connection";
import { type LogoutRequest, readLogoutRequest } from "./logout-request";
import { SAML, SAMLP, SUCCESS } from "./names";
import { showSignedOutPage } from "./pages";
import { refuseMessage } from "./receive-response";
import { SamlRefusal } from "./refusal";
import { getSubjectKey } from "./resolve-user";
import { signText } from "./service-key";
import { escapeXml } from "./xml";

/** Ends the session of this browser, and leads to the provider that vouched for it. */
export async function startLogout(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const session = await currentSession(context, request);
  const url = session && (await createLogoutUrl(context, connection, session));
  if (session) await endSessions(context, request, connection, [session]);
  const cookies = [context.cookie.clearHeader];
  return url === undefined ? showSignedOutPage(context, request, cookies) : createRedirect(context, url, cookies);
}

/** The provider that vouched for a session, and where one signs out there; undefined when it does not want to hear of it. */
export async function findLogoutLink(context: SignInContext, session: SessionRecord) {
  const connection = session.vouched && (await findConnectionByProvider(context, session.vouched.provider));
  const url = connection && (await createLogoutUrl(context, connection, session));
  return url === undefined ? undefined : { name: connection!.provider.label, url };
}

/** Where a browser goes to sign out at its provider, too; undefined when the provider does not want to hear of it. */
export async function createLogoutUrl(
  context: SignInContext,
  connection: SamlConnection,
  { vouched }: Pick<SessionRecord, "vouched">,
): Promise<string | undefined> {
  const { sloURL } = connection.provider;
  if (!sloURL || vouched?.provider !== connection.provider.id) return undefined;
  const index =
    vouched.sessionIndex === null ? "" : `<samlp:SessionIndex>${escapeXml(vouched.sessionIndex)}</samlp:SessionIndex>`;
  const { name, format } = vouched.nameId;
  const inner = `<saml:NameID Format="${escapeXml(format)}">${escapeXml(name)}</saml:NameID>${index}`;
  return createSignedUrl(
    context,
    connection,
    "SAMLRequest",
    renderLogoutMessage(context, connection, "LogoutRequest", "", inner),
  );
}

function renderLogoutMessage(
  { kernel }: SignInContext,
  { provider, service }: SamlConnection,
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
async function createSignedUrl(
  context: SignInContext,
  connection: SamlConnection,
  kind: string,
  xml: string,
  relayState?: string,
): Promise<string> {
  const relay = relayState === undefined ? [] : [["RelayState", relayState] as const];
  const query = [[kind, deflateMessage(xml)] as const, ...relay, ["SigAlg", RSA_SHA256] as const]
    // In a URL the apostrophe is encoded, too.
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", "%27")}`)
    .join("&");
  const signature = toBase64(await signText(await getServiceKey(context, connection), query));
  const url = parseUrl(connection.provider.sloURL!);
  const before = url.search === "" ? "?" : `${url.search}&`;
  return `${url.origin}${url.pathname}${before}${query}&Signature=${encodeURIComponent(signature)}`;
}

/** What a provider says about signing out: that somebody has, or that it has heard us. */
export async function receiveLogout(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  // The session here has ended before the provider was asked. Its answer changes nothing.
  if (!request.query.has("SAMLRequest")) return showSignedOutPage(context, request, []);
  try {
    const asked = await readLogoutRequest(request.url, {
      ...getSignaturePolicy(context, connection),
      issuer: connection.provider.entityID!,
      destination: getLogoutUrl(connection),
      now: context.kernel.store.now(),
    });
    await endSessions(context, request, connection, await findSessionsToEnd(context, connection, asked));
    if (!connection.provider.sloURL) return showSignedOutPage(context, request, []);
    const inner = `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"/></samlp:Status>`;
    const xml = renderLogoutMessage(
      context,
      connection,
      "LogoutResponse",
      ` InResponseTo="${escapeXml(asked.id)}"`,
      inner,
    );
    return createRedirect(context, await createSignedUrl(context, connection, "SAMLResponse", xml, asked.relayState));
  } catch (error) {
    if (error instanceof SamlRefusal) return refuseMessage(context, request, connection, error.why);
    throw error;
  }
}

const MAX_ENDED_SESSIONS = 200;

/** The sessions that a provider wants to end, among those that it vouched for. */
async function findSessionsToEnd(
  { kernel }: SignInContext,
  { provider }: SamlConnection,
  asked: LogoutRequest,
): Promise<SessionRecord[]> {
  const subject = getSubjectKey({ ...asked, email: undefined, displayName: undefined });
  if (subject === undefined) return [];
  const directory = await kernel.store.read(DIRECTORY);
  const rows = await sessions.list(directory, "ofSubject", {
    under: [provider.id, subject],
    limit: MAX_ENDED_SESSIONS,
  });
  const isMeant = ({ vouched }: SessionRecord) =>
    asked.sessions.length === 0 || asked.sessions.includes(vouched?.sessionIndex ?? "");
  return rows.map(({ record }) => record).filter(isMeant);
}

/** Ends sessions, and notes it where the provider is. */
async function endSessions(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  ended: readonly SessionRecord[],
): Promise<void> {
  const { store } = context.kernel;
  await store.write(DIRECTORY, async (tx) => {
    for (const { hash } of ended) await sessions.delete(tx, hash);
  });
  if (ended.length === 0) return;
  await store.write(connection.place.partition, async (tx) => {
    for (const user of new Set(ended.map((session) => session.user)))
      recordSamlEvent(context, request, tx, connection, { action: "signOut", user });
  });
}
