// The members of an organization and their roles.

import type { Member, Role } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction, useList } from "../api/api";
import { useField } from "../api/fields";
import { Confirm } from "../components/confirm";
import { Choice, TextField } from "../components/fields";
import { ActionError, LoadedRows, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { InPeople } from "./people";
import { listRoleOptions, type RoleOrNone, toRole } from "./roles";

type RoleFilter = Role | "guest" | "";

export function Members({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const search = useField("");
  const role = useField<RoleFilter>("");
  const sort = useField<"joinedAt" | "lastSeenAt">("joinedAt");
  const members = useList("listMembers", {
    params: { organizationId: organization },
    query: {
      sort: sort.value,
      ...omitUndefined({
        search: search.value === "" ? undefined : search.value,
        role: role.value === "" ? undefined : role.value,
      }),
    },
  });
  return (
    <InPeople organization={organization}>
      {(may) => (
        <>
          <search class="filters">
            <TextField label={messages.search} type="search" {...search} maxLength={256} />
            <Choice
              label={messages.role}
              {...role}
              options={[
                ["", messages.allRoles],
                ...listRoleOptions(messages).map(([name, label]) => [name === "none" ? "guest" : name, label] as const),
              ]}
            />
            <Choice
              label={messages.sortBy}
              {...sort}
              options={{ joinedAt: messages.byJoined, lastSeenAt: messages.bySeen }}
            />
          </search>
          <LoadedRows of={members} empty={messages.noMembers}>
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
            <RelativeTime at={member.lastSeenAt} sentence={messages.lastSeen} />
          ) : (
            messages.neverSeen
          )}
          {member.sso && ` · ${messages.singleSignOn}`}
          {member.disabled && ` · ${messages.disabled}`}
        </small>
      </span>
      <span class="buttons">
        <Choice
          label={`${messages.role}: ${member.user.displayName}`}
          value={member.role ?? "none"}
          options={listRoleOptions(messages)}
          onChange={(role) => void setRole.run(role)}
          disabled={!isAdmin || setRole.isBusy}
        />
        {isAdmin && (
          <Confirm
            label={messages.remove}
            question={fillMessage(messages.removeMemberWhy, { name: member.user.displayName })}
            act={() => runMutation("removeMember", { params })}
          />
        )}
      </span>
      <ActionError error={setRole.error} />
    </div>
  );
}
