// Single logout. Signing out here also signs out at the provider if it has a logout URL. A provider can also request a logout by a
// signed message, which ends the sessions that it vouched for.

import type { PlainResponse } from "../../http/plain-request";
import { type SessionRecord, sessions } from "../../resources/people/sessions/records";
import { DIRECTORY, formatOrganizationId, generateRandomText, parsePartitionCode } from "../../storage/ids";
import { toBase64 } from "../../utils/bytes";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { findBrowserSession } from "../find-session";
import { createRedirect } from "../pages/page";
import { recordSamlEvent } from "./audit-events";
import { deflateMessage } from "./authn-request";
import { findConnection, getLogoutUrl, getServiceKey, getSignaturePolicy, type SamlConnection } from "./connection";
import { readLogoutRequest } from "./logout-request";
import { SAML, SAMLP, SUCCESS } from "./names";
import { showSignedOutPage } from "./pages";
import { refuseMessage } from "./receive-response";
import { SamlRefusal } from "./refusal";
import { getSubjectKey } from "./resolve-user";
import { signText } from "./service-key";
import { escapeXml } from "./xml";

/** Ends the session of this browser, and redirects to the logout URL of the provider that vouched for it. */
export async function startLogout(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const session = (await findBrowserSession(context, request))?.session;
  const url = session && (await createLogoutUrl(context, connection, session));
  if (session) await endSessions(context, request, connection, [session]);
  const cookies = [context.cookie.clearHeader];
  return url === undefined ? showSignedOutPage(context, request, cookies) : createRedirect(context, url, cookies);
}

/** Returns the name and the logout link of the provider that vouched for a session, or undefined if it has no logout URL. */
export async function findLogoutLink(context: SignInContext, session: SessionRecord) {
  const { vouched } = session;
  const code = vouched && parsePartitionCode("samlProvider", vouched.provider);
  const connection =
    code === undefined ? undefined : await findConnection(context, formatOrganizationId(code), vouched!.provider);
  const url = connection && (await createLogoutUrl(context, connection, session));
  return url === undefined ? undefined : { name: connection!.provider.label, url };
}

/** Returns the URL that signs a session out of its provider, or undefined if the provider has no logout URL. */
async function createLogoutUrl(
  context: SignInContext,
  connection: SamlConnection,
  { vouched }: Pick<SessionRecord, "vouched">,
): Promise<string | undefined> {
  const { sloURL } = connection.provider;
  if (!sloURL || vouched?.provider !== connection.provider.id) return undefined;
  const index =
    vouched.sessionIndex === null ? "" : `<samlp:SessionIndex>${escapeXml(vouched.sessionIndex)}</samlp:SessionIndex>`;
  const { name, format } = vouched.nameId;
  const content = `<saml:NameID Format="${escapeXml(format)}">${escapeXml(name)}</saml:NameID>${index}`;
  const xml = renderLogoutMessage(context, connection, "LogoutRequest", "", content);
  return createSignedUrl(context, connection, "SAMLRequest", xml);
}

function renderLogoutMessage(
  { kernel }: SignInContext,
  { provider, service }: SamlConnection,
  name: "LogoutRequest" | "LogoutResponse",
  attributes: string,
  content: string,
): string {
  const id = `_${generateRandomText(kernel.store.random, 32)}`;
  const issueInstant = kernel.store.now().toISOString();
  return [
    `<samlp:${name} xmlns:samlp="${SAMLP}" xmlns:saml="${SAML}" ID="${id}" Version="2.0" IssueInstant="${issueInstant}"`,
    ` Destination="${escapeXml(provider.sloURL!)}"${attributes}>`,
    `<saml:Issuer>${escapeXml(service.entityID)}</saml:Issuer>${content}</samlp:${name}>`,
  ].join("");
}

const MAX_ENDED_SESSIONS = 200;
const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** Returns a URL of the provider with a signed message. The signature covers the parameters exactly as they are encoded. */
async function createSignedUrl(
  context: SignInContext,
  connection: SamlConnection,
  parameter: "SAMLRequest" | "SAMLResponse",
  xml: string,
  relayState?: string,
): Promise<string> {
  const relay = relayState === undefined ? [] : [["RelayState", relayState] as const];
  const query = [[parameter, deflateMessage(xml)] as const, ...relay, ["SigAlg", RSA_SHA256] as const]
    // A URL encodes the apostrophe as well, and the signed text has to be the same.
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", "%27")}`)
    .join("&");
  const signature = toBase64(await signText(await getServiceKey(context, connection), query));
  const url = parseUrl(connection.provider.sloURL!);
  const ownQuery = url.search === "" ? "?" : `${url.search}&`;
  return `${url.origin}${url.pathname}${ownQuery}${query}&Signature=${encodeURIComponent(signature)}`;
}

/** Handles a logout message of the provider: its request, or its response to ours. */
export async function receiveLogout(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  // The session ended before the request was sent, so the response changes nothing.
  if (!request.query.has("SAMLRequest")) return showSignedOutPage(context, request, []);
  try {
    const logoutRequest = await readLogoutRequest(request.url, {
      ...getSignaturePolicy(context, connection),
      issuer: connection.provider.entityID!,
      destination: getLogoutUrl(connection),
      now: context.kernel.store.now(),
    });

    // Only sessions that this provider vouched for can end. A request without session indexes means all of them.
    const subject = getSubjectKey({ ...logoutRequest, email: undefined, displayName: undefined });
    const rows =
      subject === undefined
        ? []
        : await sessions.list(await context.kernel.store.read(DIRECTORY), "ofSubject", {
            under: [connection.provider.id, subject],
            limit: MAX_ENDED_SESSIONS,
          });
    const endedSessions = rows
      .map(({ record }) => record)
      .filter(
        ({ vouched }) =>
          logoutRequest.sessions.length === 0 || logoutRequest.sessions.includes(vouched?.sessionIndex ?? ""),
      );
    await endSessions(context, request, connection, endedSessions);

    if (!connection.provider.sloURL) return showSignedOutPage(context, request, []);
    const content = `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"/></samlp:Status>`;
    const inResponseTo = ` InResponseTo="${escapeXml(logoutRequest.id)}"`;
    const xml = renderLogoutMessage(context, connection, "LogoutResponse", inResponseTo, content);
    const url = await createSignedUrl(context, connection, "SAMLResponse", xml, logoutRequest.relayState);
    return createRedirect(context, url);
  } catch (error) {
    if (error instanceof SamlRefusal) return refuseMessage(context, request, connection, error.why);
    throw error;
  }
}

/** Ends sessions, and records it in the audit log of the organization. */
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
