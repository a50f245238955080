// Members whose organization demands single sign-on (`sso`) have no other way in: a session that another way began, and
// a token that was made in one, do not count as theirs there.

import { createError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import type { Key } from "../../../storage/storage";
import type { Reader } from "../../../storage/transaction";
import { members } from "../members/records";
import { samlProviders } from "../saml/records";

/** Throws when the organization of this partition demands single sign-on of the caller, and the caller came another way. */
export async function checkWayIn(tx: Reader, actor: Actor): Promise<void> {
  if (!(await hasPassed(tx, actor))) throw createError("sso_required");
}

/** Another partition as the caller may see it: without their membership, where they came another way than demanded. */
export async function seenFrom(view: Reader, actor: Actor): Promise<Reader> {
  return (await hasPassed(view, actor)) ? view : without(view, members.ranges(actor.user.id)[0]!);
}

async function hasPassed(tx: Reader, { samlProviderIds: passed, user }: Actor): Promise<boolean> {
  if (!passed || !(await members.get(tx, user.id))?.sso) return true;
  const vouching = await samlProviders.getMany(
    tx,
    passed.map((id) => [id]),
  );
  return vouching.some((provider) => provider !== undefined);
}

/** A reader that does not see one key. Lists of records are made from indexes, and read the records by their keys. */
function without(view: Reader, hidden: Key): Reader {
  const seen: Reader = {
    version: view.version,
    get: async (key) => (key === hidden ? undefined : view.get(key)),
    getMany: async (keys) => (await view.getMany(keys)).map((value, i) => (keys[i] === hidden ? undefined : value)),
    versionOf: async (key) => (key === hidden ? undefined : view.versionOf(key)),
    list: async (range) => (await view.list(range)).filter(({ key }) => key !== hidden),
    get unchecked() {
      return without(view.unchecked, hidden);
    },
    guardedBy: async (guards) => without(await view.guardedBy(guards), hidden),
  };
  return seen;
}
