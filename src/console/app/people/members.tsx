// The members of an organization and their roles.

import { useState } from "preact/hooks";
import type { Member, Role } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Choice, TextField } from "../components/field";
import { ActionError, LoadedRows } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { InPeople } from "./people";
import { listRoleOptions, type RoleOrNone, toRole } from "./roles";

type RoleFilter = Role | "guest" | "";

export function Members({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [search, setSearch] = useState("");
  const [role, setRole] = useState<RoleFilter>("");
  const [sort, setSort] = useState<"joinedAt" | "lastSeenAt">("joinedAt");
  const members = useList("listMembers", {
    params: { organizationId: organization },
    query: {
      sort,
      ...omitUndefined({ search: search === "" ? undefined : search, role: role === "" ? undefined : role }),
    },
  });
  return (
    <InPeople organization={organization}>
      {(may) => (
        <>
          <search class="filters">
            <TextField
              label={messages.general.search}
              type="search"
              value={search}
              onChange={setSearch}
              maxLength={256}
            />
            <Choice
              label={messages.people.role}
              value={role}
              onChange={setRole}
              options={[
                ["", messages.people.allRoles],
                ...listRoleOptions(messages).map(([name, label]) => [name === "none" ? "guest" : name, label] as const),
              ]}
            />
            <Choice
              label={messages.people.sortBy}
              value={sort}
              onChange={setSort}
              options={[
                ["joinedAt", messages.people.byJoined],
                ["lastSeenAt", messages.people.bySeen],
              ]}
            />
          </search>
          <LoadedRows of={members} empty={messages.people.noMembers}>
            {(member) => <MemberRow organization={organization} member={member} isAdmin={may.admin} />}
          </LoadedRows>
        </>
      )}
    </InPeople>
  );
}

function MemberRow({
  organization,
  member,
  isAdmin,
}: {
  readonly organization: string;
  readonly member: Member;
  readonly isAdmin: boolean;
}) {
  const messages = useMessages();
  const params = { organizationId: organization, userId: member.user.id };
  const setRole = useAction((role: RoleOrNone) =>
    runMutation("updateMember", { params, body: { role: toRole(role) } }),
  );
  return (
    <div>
      <span>
        <a href={addresses.part(organization, `people/members/${member.user.id}`)}>
          <strong>
            <bdi>{member.user.displayName}</bdi>
          </strong>
        </a>{" "}
        <small>{member.user.email}</small>
        <br />
        <small>
          {member.lastSeenAt ? (
            <RelativeTime at={member.lastSeenAt} sentence={messages.people.lastSeen} />
          ) : (
            messages.people.neverSeen
          )}
          {member.sso && ` · ${messages.people.singleSignOn}`}
          {member.disabled && ` · ${messages.people.disabled}`}
        </small>
      </span>
      <span class="buttons">
        <Choice
          label={`${messages.people.role}: ${member.user.displayName}`}
          value={member.role ?? "none"}
          options={listRoleOptions(messages)}
          onChange={(role) => void setRole.run(role)}
          disabled={!isAdmin || setRole.isBusy}
        />
        {isAdmin && (
          <Confirm
            label={messages.reviews.remove}
            question={formatMessage(messages.people.removeMemberWhy, { name: member.user.displayName })}
            act={() => runMutation("removeMember", { params })}
          />
        )}
      </span>
      <ActionError error={setRole.error} />
    </div>
  );
}
