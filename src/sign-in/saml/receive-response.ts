// Takes the provider's answer. It comes as a form of another site, with which browsers send no cookie. So it is checked here,
// and used one redirect later, where the browser shows that it is the one that began.

import type { PlainResponse } from "../../http/plain-request";
import type { SignInContext, SignInRequest } from "../context";
import { readFormFields } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { recordSignInFailure } from "./audit-events";
import { isOwnRequestId } from "./authn-request";
import { fromBase64 } from "./base64";
import { getServiceKey, getSignaturePolicy, type SamlConnection } from "./connection";
import { showRefusedPage } from "./pages";
import { acceptOnce } from "./records";
import { type RefusalReason, SamlRefusal } from "./refusal";
import { type VerifiedAssertion, verifyResponse } from "./response";
import { type AcceptedAssertion, REDIRECT_LIFETIME_MS, sealForBrowser } from "./sealed-state";
import { createKeyUnwrapper } from "./service-key";

/** Takes the provider's answer. */
export async function receiveResponse(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const { kernel } = context;
  const fields = await readFormFields(request, MAX_FORM_BYTES);
  const xml = decoded(fields.get("SAMLResponse") ?? "");
  // Nobody began here: somebody clicked on us at their provider. They begin now, so that the answer is to a request of ours.
  if (xml !== undefined && isUnasked(xml)) return createRedirect(context, connection.service.startURL);
  try {
    if (xml === undefined) throw new SamlRefusal("malformed");
    const vouched = await read(context, connection, xml);
    const now = kernel.store.now();
    const isNew = await kernel.store.write(connection.place.partition, (tx) =>
      acceptOnce(tx, `assertion ${connection.provider.id} ${vouched.assertion}`, vouched.validUntil, now),
    );
    if (!isNew) throw new SamlRefusal("replayed");
    const { assertion, validUntil, sessionUntil, ...rest } = vouched;
    const accepted: AcceptedAssertion = {
      ...rest,
      relay: fields.get("RelayState")?.slice(0, 200) ?? "",
      sessionUntil: sessionUntil?.getTime() ?? null,
      until: now.getTime() + REDIRECT_LIFETIME_MS,
    };
    const code = await sealForBrowser(context, connection, "accepted", accepted);
    return createRedirect(context, `${connection.service.acsURL}?${new URLSearchParams({ code })}`);
  } catch (error) {
    if (error instanceof SamlRefusal) return refuseMessage(context, request, connection, error.why);
    throw error;
  }
}

/** A form with a response of the largest size, in base64 and with percent signs. */
const MAX_FORM_BYTES = 512 * 1024;

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

async function read(context: SignInContext, connection: SamlConnection, xml: string): Promise<VerifiedAssertion> {
  const { kernel } = context;
  const { provider, service } = connection;
  const now = kernel.store.now();
  const unwrap = async (...given: Parameters<ReturnType<typeof createKeyUnwrapper>>) =>
    createKeyUnwrapper(await getServiceKey(context, connection))(...given);
  return verifyResponse(xml, {
    ...getSignaturePolicy(context, connection),
    issuer: provider.entityID!,
    audience: service.entityID,
    recipient: service.acsURL,
    isKnownRequest: (id) => isOwnRequestId(id, provider.id, kernel.secrets, now),
    now,
    unwrapKey: unwrap,
  });
}

/** Refuses a message of the provider: a page that says nothing, and a line in the log that says why. */
export async function refuseMessage(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  why: RefusalReason,
): Promise<PlainResponse> {
  await recordSignInFailure(context, request, connection, why);
  return showRefusedPage(context, request, connection);
}
