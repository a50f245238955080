// The grants of users and teams on a space or a collection.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Role } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useCompleteList } from "../api/complete-list";
import { useAction } from "../api/mutations";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { useMessages } from "../messages/messages";
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
      <h2>{messages.access.givenHere}</h2>
      <h3>{messages.access.givenPeople}</h3>
      <LoadedRows of={grants.users} empty={messages.access.nothingGiven} getKey={({ user }) => user.id}>
        {({ user, permission }) => (
          <OneGrant thing={thing} to="users" id={user.id} name={user.displayName} role={permission} mayGive={mayGive} />
        )}
      </LoadedRows>
      {mayGive && (
        <GrantForm thing={thing} to="users">
          {(user, setUser) => (
            <PersonField organization={organization} label={messages.access.person} value={user} onChange={setUser} />
          )}
        </GrantForm>
      )}
      <h3>{messages.access.givenTeams}</h3>
      <LoadedRows of={grants.teams} empty={messages.access.nothingGiven} getKey={({ team }) => team.id}>
        {({ team, permission }) => (
          <OneGrant thing={thing} to="teams" id={team.id} name={team.title} role={permission} mayGive={mayGive} />
        )}
      </LoadedRows>
      {mayGive && allTeams.length > 0 && (
        <GrantForm thing={thing} to="teams">
          {(team, setTeam) => (
            <Choice
              label={messages.access.team}
              value={team}
              onChange={setTeam}
              options={[["", "—"], ...allTeams.map(({ id, title }) => [id, title] as const)]}
            />
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
          label={`${messages.people.role}: ${name}`}
          value={role}
          options={listGrantOptions(messages)}
          onChange={(other) => void change.run(other)}
          disabled={!mayGive || change.isBusy}
        />
        {mayGive && (
          <Confirm
            label={messages.reviews.remove}
            question={formatMessage(messages.access.takeAwayWhy, { name })}
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
  const [role, setRole] = useState<Role>("edit");
  const giving = useAction(async () => {
    if (grantee === "") return;
    await grantRole(thing, to, grantee, role);
    setGrantee("");
  });
  return (
    <Form action={giving} submit={messages.access.give}>
      {children(grantee, setGrantee)}
      <Choice label={messages.people.role} value={role} options={listGrantOptions(messages)} onChange={setRole} />
    </Form>
  );
}
