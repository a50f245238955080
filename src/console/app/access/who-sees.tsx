// Who sees a space or a collection, and why.

import { useEffect, useState } from "preact/hooks";
import type { Collection, Role, Space } from "../../../generated/resources";
import { call } from "../calls/client";
import { ShownList } from "../parts/shown";
import { roleOptions } from "../people/roles";
import { addresses } from "../routes";
import { filled, useWords, type Words } from "../words/words";
import { type Ask, type Gathered, gatherAccess, type Thing } from "./gather";
import { type Reason, reasonsOf } from "./reasons";
import type { GivenLists } from "./use-thing";

const ask: Ask = async (name, input) => {
  const result = await call(name, input);
  if (!result.ok) throw result.error;
  return result.value;
};

export function WhoSees({
  organization,
  thing,
  it,
  given,
}: {
  readonly organization: string;
  readonly thing: Thing;
  readonly it: Space | Collection;
  readonly given: GivenLists;
}) {
  const words = useWords();
  const [gathered, setGathered] = useState<Gathered>();
  const { reading } = given.everybody;
  // It is gathered again when something that decides was changed here.
  const decides = JSON.stringify([thing, it.defaultLevel, it.parent, given.users.reading, given.teams.reading]);
  useEffect(() => {
    let isGone = false;
    if (reading.state === "had")
      void gatherAccess(ask, organization, thing).then(
        (found) => !isGone && setGathered(found),
        () => !isGone && setGathered(undefined),
      );
    return () => {
      isGone = true;
    };
  }, [decides, reading.state]);
  const roles = new Map(roleOptions(words));
  return (
    <section>
      <h2>{words.whoSeesThis}</h2>
      <ShownList of={given.everybody} empty={<p>{words.nobodySees}</p>}>
        {(items) => (
          <ul class="rows who">
            {items.map(({ user, permission }) => (
              <li key={user.id}>
                <div>
                  <span>
                    <a href={addresses.part(organization, `people/members/${user.id}`)}>
                      <strong>
                        <bdi>{user.displayName}</bdi>
                      </strong>
                    </a>{" "}
                    <small>{user.email}</small>
                    <br />
                    <small>{gathered && whyText(words, gathered, user.id, permission)}</small>
                  </span>
                  <span class="status">{roles.get(permission)}</span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

/** The reason that decides, and the others behind it. */
function whyText(words: Words, { path, roles }: Gathered, id: string, permission: Role): string {
  const role = roles.get(id);
  const [first, ...others] = role === undefined ? [] : reasonsOf({ id, role }, path);
  if (first?.role !== permission)
    return permission === "read" && roles.has(id) ? words.whyTranslation : words.whyHidden;
  const also = others.map((it) => sentenceOf(words, it)).join(", ");
  return [sentenceOf(words, first), ...(also === "" ? [] : [filled(words.alsoWhy, { reasons: also })])].join(" · ");
}

function sentenceOf(words: Words, reason: Reason): string {
  if (reason.why === "admin") return words.whyAdmin;
  if (reason.why === "organization") return words.whyOrganization;
  if (reason.why === "default") return filled(words.whyDefault, { on: reason.on });
  if (reason.why === "team") return filled(words.whyTeam, { team: reason.team, on: reason.on });
  return filled(words.whyGiven, { on: reason.on });
}
