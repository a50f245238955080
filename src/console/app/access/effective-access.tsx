// Lists the users who see a space or a collection, and explains their access.

import { useEffect, useState } from "preact/hooks";
import type { Collection, Space } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { call } from "../api/client";
import { LoadedRows } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { listRoleOptions } from "../people/roles";
import { addresses } from "../routes";
import { findAccessReasons } from "./access-reasons";
import { type AccessApiCall, type AccessSources, gatherAccess, type LibraryItem } from "./gather-access";
import type { GrantLists } from "./use-library-item";

export function EffectiveAccess({
  organization,
  thing,
  it,
  grants,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly it: Space | Collection;
  readonly grants: GrantLists;
}) {
  const messages = useMessages();
  const [gathered, setGathered] = useState<AccessSources>();
  const { reading } = grants.everybody;
  // The sources are gathered again when anything that determines the access changes.
  const decides = JSON.stringify([thing, it.defaultLevel, it.parent, grants.users.reading, grants.teams.reading]);
  useEffect(() => {
    let isGone = false;
    const ask: AccessApiCall = async (name, input) => {
      const result = await call(name, input);
      if (!result.ok) throw result.error;
      return result.value;
    };
    if (reading.state === "loaded")
      void gatherAccess(ask, organization, thing).then(
        (found) => !isGone && setGathered(found),
        () => !isGone && setGathered(undefined),
      );
    return () => {
      isGone = true;
    };
  }, [decides, reading.state]);
  const roleLabels = new Map(listRoleOptions(messages));
  return (
    <section>
      <h2>{messages.access.whoSeesThis}</h2>
      <LoadedRows
        of={grants.everybody}
        empty={messages.access.nobodySees}
        getKey={({ user }) => user.id}
        class="rows who"
      >
        {({ user, permission }) => {
          // The decisive reason comes first, with the others behind it.
          const role = gathered?.roles.get(user.id);
          const reasons = gathered && role !== undefined ? findAccessReasons({ id: user.id, role }, gathered.path) : [];
          const [first, ...others] = reasons.map((reason) => {
            if (reason.why === "admin") return messages.access.whyAdmin;
            if (reason.why === "organization") return messages.access.whyOrganization;
            if (reason.why === "default") return formatMessage(messages.access.whyDefault, { on: reason.on });
            if (reason.why === "team")
              return formatMessage(messages.access.whyTeam, { team: reason.team, on: reason.on });
            return formatMessage(messages.access.whyGiven, { on: reason.on });
          });
          const also =
            others.length > 0 ? ` · ${formatMessage(messages.access.alsoWhy, { reasons: others.join(", ") })}` : "";
          const unknown =
            permission === "read" && role !== undefined ? messages.access.whyTranslation : messages.access.whyHidden;
          return (
            <div>
              <span>
                <a href={addresses.part(organization, `people/members/${user.id}`)}>
                  <strong>
                    <bdi>{user.displayName}</bdi>
                  </strong>
                </a>{" "}
                <small>{user.email}</small>
                <br />
                <small>{gathered && (reasons[0]?.role === permission ? `${first}${also}` : unknown)}</small>
              </span>
              <span class="status">{roleLabels.get(permission)}</span>
            </div>
          );
        }}
      </LoadedRows>
    </section>
  );
}
