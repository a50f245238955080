// The grants of users and teams on a space or a collection.

import { useState } from "preact/hooks";
import type { Role } from "../../../generated/resources";
import { useCompleteList } from "../api/complete-list";
import { useAction } from "../api/mutations";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedList } from "../components/loaded";
import { fillMessage, useMessages } from "../messages/messages";
import { PersonField } from "../people/person-field";
import type { LibraryItem } from "./gather-access";
import { listGrantOptions } from "./levels";
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
  return (
    <section class="given">
      <h2>{messages.givenHere}</h2>
      <h3>{messages.givenPeople}</h3>
      <LoadedList of={grants.users} empty={<p>{messages.nothingGiven}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ user, permission }) => (
              <li key={user.id}>
                <OneGrant
                  thing={thing}
                  to="users"
                  id={user.id}
                  name={user.displayName}
                  role={permission}
                  mayGive={mayGive}
                />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {mayGive && <GrantToUser organization={organization} thing={thing} />}
      <h3>{messages.givenTeams}</h3>
      <LoadedList of={grants.teams} empty={<p>{messages.nothingGiven}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ team, permission }) => (
              <li key={team.id}>
                <OneGrant thing={thing} to="teams" id={team.id} name={team.title} role={permission} mayGive={mayGive} />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      {mayGive && <GrantToTeam organization={organization} thing={thing} />}
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

function GrantToUser({ organization, thing }: { readonly organization: string; readonly thing: LibraryItem }) {
  const messages = useMessages();
  const [user, setUser] = useState("");
  const [role, setRole] = useState<Role>("edit");
  const giving = useAction(async () => {
    if (user === "") return;
    await grantRole(thing, "users", user, role);
    setUser("");
  });
  return (
    <Form action={giving} submit={messages.give}>
      <PersonField organization={organization} label={messages.person} value={user} onChange={setUser} />
      <Choice label={messages.role} value={role} options={listGrantOptions(messages)} onChange={setRole} />
    </Form>
  );
}

function GrantToTeam({ organization, thing }: { readonly organization: string; readonly thing: LibraryItem }) {
  const messages = useMessages();
  const teams = useCompleteList("listTeams", { params: { organizationId: organization } });
  const [team, setTeam] = useState("");
  const [role, setRole] = useState<Role>("edit");
  const giving = useAction(async () => {
    if (team === "") return;
    await grantRole(thing, "teams", team, role);
    setTeam("");
  });
  if (teams.length === 0) return null;
  return (
    <Form action={giving} submit={messages.give}>
      <Choice
        label={messages.team}
        value={team}
        onChange={setTeam}
        options={[["", "—"], ...teams.map(({ id, title }) => [id, title] as const)]}
      />
      <Choice label={messages.role} value={role} options={listGrantOptions(messages)} onChange={setRole} />
    </Form>
  );
}
