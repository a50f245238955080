// Generates the key that signs the JWTs of a site's visitors. It is stored encrypted.

import type { TargetContext } from "../../../operation/target";
import type { Random } from "../../../storage/ids";
import { sealContexts } from "../../../storage/seal-contexts";
import { toBase64url } from "../../../storage/secrets";
import type { Transaction } from "../../../storage/transaction";
import type { SiteRecord } from "../records";
import { loadPublishingAuth, publishingAuths } from "./visitor-records";

const KEY_BYTES = 32;

interface SigningKeyContext extends Pick<TargetContext, "now" | "secrets"> {
  readonly random: Random;
}

/** Generates a key. Returns it as it is shown, and as it is stored. */
export async function generateSigningKey({ now, random, secrets }: SigningKeyContext, site: SiteRecord) {
  const privateKey = toBase64url(random(KEY_BYTES));
  const sealedKey = await secrets.encrypt(privateKey, sealContexts.signingKey(site.id));
  return { privateKey, stored: { sealedKey, keyCreatedAt: now.toISOString() } };
}

/** Creates the first key of a site, if it has none, so that its editors can read one when they set up the sign-in of visitors. */
export async function createFirstSigningKey(
  context: SigningKeyContext & { readonly tx: Transaction },
  site: SiteRecord,
): Promise<void> {
  const auth = await loadPublishingAuth(context.tx, site);
  if (auth.sealedKey !== null) return;
  const { stored } = await generateSigningKey(context, site);
  await publishingAuths.put(context.tx, { ...auth, ...stored });
}
