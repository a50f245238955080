// Enforces single sign-on. Members whose organization requires it (`sso`) cannot sign in otherwise: a session that began with
// another method, and a token that was created in one, do not give them the membership.

import { createError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import type { Key } from "../../../storage/storage";
import type { Reader } from "../../../storage/transaction";
import { members } from "../members/records";
import { samlProviders } from "../saml/records";

/** Throws if the organization of this partition requires single sign-on, and the caller signed in with another method. */
export async function checkSingleSignOn(tx: Reader, actor: Actor): Promise<void> {
  if (!(await hasRequiredSignOn(tx, actor))) throw createError("sso_required");
}

/** Returns a reader of another partition that hides the caller's membership if the required single sign-on is missing. */
export async function hideUnprovenMembership(view: Reader, actor: Actor): Promise<Reader> {
  return (await hasRequiredSignOn(view, actor)) ? view : hideKey(view, members.ranges(actor.user.id)[0]!);
}

async function hasRequiredSignOn(tx: Reader, { samlProviderIds, user }: Actor): Promise<boolean> {
  if (!samlProviderIds || !(await members.get(tx, user.id))?.sso) return true;
  const providers = await samlProviders.getMany(tx, samlProviderIds);
  return providers.some((provider) => provider !== undefined);
}

/** Returns a reader that does not see one key. Lists of records come from indexes, and read the records by their keys. */
function hideKey(view: Reader, hiddenKey: Key): Reader {
  return {
    version: view.version,
    get: async (key) => (key === hiddenKey ? undefined : view.get(key)),
    getMany: async (keys) => (await view.getMany(keys)).map((value, i) => (keys[i] === hiddenKey ? undefined : value)),
    getVersion: async (key) => (key === hiddenKey ? undefined : view.getVersion(key)),
    list: async (range) => (await view.list(range)).filter(({ key }) => key !== hiddenKey),
    get unchecked() {
      return hideKey(view.unchecked, hiddenKey);
    },
    withGuards: async (guards) => hideKey(await view.withGuards(guards), hiddenKey),
  };
}
