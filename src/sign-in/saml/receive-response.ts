// Receives the response of a provider. Browsers send no cookies with a form of another site, so the response is verified here and
// used one redirect later, where the cookie shows that it is in the browser that started the sign-in.

import type { PlainResponse } from "../../http/plain-request";
import type { SignInContext, SignInRequest } from "../context";
import { readFormFields } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { recordSignInFailure } from "./audit-events";
import { isOwnRequestId } from "./authn-request";
import { fromBase64 } from "./base64";
import { getServiceKey, getSignaturePolicy, type SamlConnection } from "./connection";
import { showProblemPage } from "./pages";
import { acceptOnce } from "./records";
import { type RefusalReason, SamlRefusal } from "./refusal";
import { verifyResponse } from "./response";
import { type AcceptedAssertion, REDIRECT_LIFETIME_MS, sealForBrowser } from "./sealed-state";
import { createKeyUnwrapper } from "./service-key";

/** The limit of a form: the largest response, with base64 and percent encoding. */
const MAX_FORM_BYTES = 512 * 1024;

/** Handles the form that a provider sends to the assertion consumer service. */
export async function receiveResponse(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const { secrets, store } = context.kernel;
  const { place, provider, service } = connection;
  const fields = await readFormFields(request, MAX_FORM_BYTES);
  let xml: string | undefined;
  try {
    xml = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64(fields.get("SAMLResponse") ?? ""));
  } catch {
    xml = undefined;
  }

  // A response without a request comes from the user's start page at the provider. The sign-in starts again here, so that the next
  // response answers a request. Nothing else in the message is trusted.
  const isUnsolicited =
    xml?.includes("Response") && !xml.includes("InResponseTo") && !xml.includes("EncryptedAssertion");
  if (isUnsolicited) return createRedirect(context, service.startURL);

  try {
    if (xml === undefined) throw new SamlRefusal("malformed");
    const now = store.now();
    const verified = await verifyResponse(xml, {
      ...getSignaturePolicy(context, connection),
      issuer: provider.entityID!,
      audience: service.entityID,
      recipient: service.acsURL,
      isKnownRequest: (id) => isOwnRequestId(id, provider.id, secrets, now),
      now,
      unwrapKey: async (hash, wrappedKey) =>
        createKeyUnwrapper(await getServiceKey(context, connection))(hash, wrappedKey),
    });
    const { assertion, validUntil, sessionUntil, ...rest } = verified;
    const acceptedAt = store.now();
    const isNew = await store.write(place.partition, (tx) =>
      acceptOnce(tx, `assertion ${provider.id} ${assertion}`, validUntil, acceptedAt),
    );
    if (!isNew) throw new SamlRefusal("replayed");
    const accepted: AcceptedAssertion = {
      ...rest,
      relay: fields.get("RelayState")?.slice(0, 200) ?? "",
      sessionUntil: sessionUntil?.getTime() ?? null,
      until: acceptedAt.getTime() + REDIRECT_LIFETIME_MS,
    };
    const code = await sealForBrowser(context, connection, "accepted", accepted);
    return createRedirect(context, `${service.acsURL}?${new URLSearchParams({ code })}`);
  } catch (error) {
    if (error instanceof SamlRefusal) return refuseMessage(context, request, connection, error.why);
    throw error;
  }
}

/** Refuses a message of the provider. Only the audit log contains the reason. */
export async function refuseMessage(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  reason: RefusalReason,
): Promise<PlainResponse> {
  await recordSignInFailure(context, request, connection, reason);
  return showProblemPage(context, request, connection, "refused");
}
