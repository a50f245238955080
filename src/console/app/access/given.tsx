// What was given on a space or a collection, to people and to teams.

import { useState } from "preact/hooks";
import type { Role } from "../../../generated/resources";
import { useWhole } from "../calls/whole";
import { useAction } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Choice } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { PersonField } from "../people/person-field";
import { filled, useWords } from "../words/words";
import type { Thing } from "./gather";
import { givenOptions } from "./levels";
import { type GivenLists, give, takeAway } from "./use-thing";

export function Given({
  organization,
  thing,
  given,
  mayGive,
}: {
  readonly organization: string;
  readonly thing: Thing;
  readonly given: GivenLists;
  readonly mayGive: boolean;
}) {
  const words = useWords();
  return (
    <section class="given">
      <h2>{words.givenHere}</h2>
      <h3>{words.givenPeople}</h3>
      <ShownList of={given.users} empty={<p>{words.nothingGiven}</p>}>
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
      </ShownList>
      {mayGive && <GiveToPerson organization={organization} thing={thing} />}
      <h3>{words.givenTeams}</h3>
      <ShownList of={given.teams} empty={<p>{words.nothingGiven}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ team, permission }) => (
              <li key={team.id}>
                <OneGrant thing={thing} to="teams" id={team.id} name={team.title} role={permission} mayGive={mayGive} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {mayGive && <GiveToTeam organization={organization} thing={thing} />}
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
  readonly thing: Thing;
  readonly to: "users" | "teams";
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly mayGive: boolean;
}) {
  const words = useWords();
  const change = useAction((other: Role) => give(thing, to, id, other));
  return (
    <div>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="buttons">
        <Choice
          label={`${words.role}: ${name}`}
          value={role}
          options={givenOptions(words)}
          onChange={(other) => void change.run(other)}
          disabled={!mayGive || change.isBusy}
        />
        {mayGive && (
          <Confirm
            label={words.remove}
            question={filled(words.takeAwayWhy, { name })}
            act={() => takeAway(thing, to, id)}
          />
        )}
      </span>
      <Problem error={change.error} />
    </div>
  );
}

function GiveToPerson({ organization, thing }: { readonly organization: string; readonly thing: Thing }) {
  const words = useWords();
  const [user, setUser] = useState("");
  const [role, setRole] = useState<Role>("edit");
  const giving = useAction(async () => {
    if (user === "") return;
    await give(thing, "users", user, role);
    setUser("");
  });
  return (
    <Form action={giving} submit={words.give}>
      <PersonField organization={organization} label={words.person} value={user} onChange={setUser} />
      <Choice label={words.role} value={role} options={givenOptions(words)} onChange={setRole} />
    </Form>
  );
}

function GiveToTeam({ organization, thing }: { readonly organization: string; readonly thing: Thing }) {
  const words = useWords();
  const teams = useWhole("listTeams", { params: { organizationId: organization } });
  const [team, setTeam] = useState("");
  const [role, setRole] = useState<Role>("edit");
  const giving = useAction(async () => {
    if (team === "") return;
    await give(thing, "teams", team, role);
    setTeam("");
  });
  if (teams.length === 0) return null;
  return (
    <Form action={giving} submit={words.give}>
      <Choice
        label={words.team}
        value={team}
        onChange={setTeam}
        options={[["", "—"], ...teams.map(({ id, title }) => [id, title] as const)]}
      />
      <Choice label={words.role} value={role} options={givenOptions(words)} onChange={setRole} />
    </Form>
  );
}
