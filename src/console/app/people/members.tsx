// The members of an organization, and what each may do.

import { useState } from "preact/hooks";
import type { Member, Role } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Choice, TextField } from "../parts/field";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { InPeople } from "./people";
import { asRole, fromRole, type RoleOrNone, roleOptions } from "./roles";

type RoleFilter = Role | "guest" | "";

export function Members({ organization }: { readonly organization: string }) {
  const words = useWords();
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
            <TextField label={words.search} type="search" value={search} onInput={setSearch} maxLength={256} />
            <Choice
              label={words.role}
              value={role}
              onChange={setRole}
              options={[
                ["", words.allRoles],
                ...roleOptions(words).map(([name, label]) => [name === "none" ? "guest" : name, label] as const),
              ]}
            />
            <Choice
              label={words.sortBy}
              value={sort}
              onChange={setSort}
              options={[
                ["joinedAt", words.byJoined],
                ["lastSeenAt", words.bySeen],
              ]}
            />
          </search>
          <ShownList of={members} empty={<p>{words.noMembers}</p>}>
            {(items) => (
              <ul class="rows">
                {items.map((member) => (
                  <li key={member.id}>
                    <OneMember organization={organization} member={member} isAdmin={may.admin} />
                  </li>
                ))}
              </ul>
            )}
          </ShownList>
        </>
      )}
    </InPeople>
  );
}

function OneMember({
  organization,
  member,
  isAdmin,
}: {
  readonly organization: string;
  readonly member: Member;
  readonly isAdmin: boolean;
}) {
  const words = useWords();
  const params = { organizationId: organization, userId: member.user.id };
  const setRole = useAction((role: RoleOrNone) => write("updateMember", { params, body: { role: asRole(role) } }));
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
          {member.lastSeenAt ? <When at={member.lastSeenAt} sentence={words.lastSeen} /> : words.neverSeen}
          {member.sso && ` · ${words.singleSignOn}`}
          {member.disabled && ` · ${words.disabled}`}
        </small>
      </span>
      <span class="buttons">
        <Choice
          label={`${words.role}: ${member.user.displayName}`}
          value={fromRole(member.role)}
          options={roleOptions(words)}
          onChange={(role) => void setRole.run(role)}
          disabled={!isAdmin || setRole.isBusy}
        />
        {isAdmin && (
          <Confirm
            label={words.remove}
            question={filled(words.removeMemberWhy, { name: member.user.displayName })}
            act={() => write("removeMember", { params })}
          />
        )}
      </span>
      <Problem error={setRole.error} />
    </div>
  );
}
