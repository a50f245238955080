// Takes the provider's answer. It comes as a form of another site, with which browsers send no cookie. So it is checked here,
// and used one redirect later, where the browser shows that it is the one that began.

import type { PlainResponse } from "../../http/plain-request";
import { fieldsOf } from "../pages/forms";
import { seeOther } from "../pages/page";
import type { SignInContext, SignInRequest } from "../parts";
import { type Accepted, REDIRECT_MS, seal } from "./accepted";
import { fromBase64 } from "./base64";
import { type Found, ownKeyOf, trustIn } from "./found";
import { noteFailure } from "./notes";
import { unwrapWith } from "./own-key";
import { refusedPage } from "./pages";
import { spend } from "./records";
import { type Refusal, SamlRefused } from "./refused";
import { isOurRequest } from "./request";
import { type Vouched, verifyResponse } from "./response";

/** Takes the provider's answer. */
export async function acs(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  const { kernel } = house;
  const fields = await fieldsOf(request, MOST_BYTES);
  const xml = decoded(fields.get("SAMLResponse") ?? "");
  // Nobody began here: somebody clicked on us at their provider. They begin now, so that the answer is to a request of ours.
  if (xml !== undefined && isUnasked(xml)) return seeOther(house, found.service.startURL);
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
    return seeOther(house, `${found.service.acsURL}?${new URLSearchParams({ code })}`);
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

async function read(house: SignInContext, found: Found, xml: string): Promise<Vouched> {
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

/** Refuses a message of the provider: a page that says nothing, and a line in the log that says why. */
export async function refused(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  why: Refusal,
): Promise<PlainResponse> {
  await noteFailure(house, request, found, why);
  return refusedPage(house, request, found);
}
