// The grants of users and teams on a space or a collection.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Role } from "../../../generated/resources";
import { useAction } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useField } from "../api/fields";
import { Confirm } from "../components/confirm";
import { Choice, Form } from "../components/fields";
import { ActionError, LoadedRows } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { PersonField } from "../people/person-field";
import { listGrantOptions } from "../people/roles";
import type { LibraryItem } from "./gather-access";
import { type GrantLists, grantRole, revokeGrant } from "./use-library-item";

export function GrantSections({
  organization,
  thing,
  grants,
  mayGive,
}: {
  readonly organization: string;
  readonly thing: LibraryItem;
  readonly grants: GrantLists;
  readonly mayGive: boolean;
}) {
  const messages = useMessages();
  const allTeams = useCompleteList("listTeams", mayGive ? { params: { organizationId: organization } } : undefined);
  return (
    <section class="given">
      <h2>{messages.givenHere}</h2>
      <h3>{messages.givenPeople}</h3>
      <LoadedRows of={grants.users} empty={messages.nothingGiven} getKey={({ user }) => user.id}>
        {({ user, permission }) => (
          <OneGrant thing={thing} to="users" id={user.id} name={user.displayName} role={permission} mayGive={mayGive} />
        )}
      </LoadedRows>
      {mayGive && (
        <GrantForm thing={thing} to="users">
          {(user, setUser) => (
            <PersonField organization={organization} label={messages.person} value={user} onChange={setUser} />
          )}
        </GrantForm>
      )}
      <h3>{messages.givenTeams}</h3>
      <LoadedRows of={grants.teams} empty={messages.nothingGiven} getKey={({ team }) => team.id}>
        {({ team, permission }) => (
          <OneGrant thing={thing} to="teams" id={team.id} name={team.title} role={permission} mayGive={mayGive} />
        )}
      </LoadedRows>
      {mayGive && allTeams.length > 0 && (
        <GrantForm thing={thing} to="teams">
          {(team, setTeam) => (
            <Choice label={messages.team} value={team} onChange={setTeam} options={toOptions(allTeams, "—")} />
          )}
        </GrantForm>
      )}
    </section>
  );
}

function OneGrant({
  thing,
  to,
  id,
  name,
  role,
  mayGive,
}: {
  readonly thing: LibraryItem;
  readonly to: "users" | "teams";
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly mayGive: boolean;
}) {
  const messages = useMessages();
  const change = useAction((other: Role) => grantRole(thing, to, id, other));
  return (
    <div>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="buttons">
        <Choice
          label={`${messages.role}: ${name}`}
          value={role}
          options={listGrantOptions(messages)}
          onChange={(other) => void change.run(other)}
          disabled={!mayGive || change.isBusy}
        />
        {mayGive && (
          <Confirm
            label={messages.remove}
            question={fillMessage(messages.takeAwayWhy, { name })}
            act={() => revokeGrant(thing, to, id)}
          />
        )}
      </span>
      <ActionError error={change.error} />
    </div>
  );
}

/** A form that grants a role to a user or a team. */
function GrantForm({
  thing,
  to,
  children,
}: {
  readonly thing: LibraryItem;
  readonly to: "users" | "teams";
  /** Renders the field for the user or the team. */
  readonly children: (grantee: string, setGrantee: (id: string) => void) => ComponentChildren;
}) {
  const messages = useMessages();
  const [grantee, setGrantee] = useState("");
  const role = useField<Role>("edit");
  const giving = useAction(async () => {
    if (grantee === "") return;
    await grantRole(thing, to, grantee, role.value);
    setGrantee("");
  });
  return (
    <Form action={giving} submit={messages.give}>
      {children(grantee, setGrantee)}
      <Choice label={messages.role} {...role} options={listGrantOptions(messages)} />
    </Form>
  );
}
