// Teams: people who are given rights together.

import { useState } from "preact/hooks";
import type { Team } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { counted, filled, useWords } from "../words/words";
import { InPeople } from "./people";

export function Teams({ organization }: { readonly organization: string }) {
  const words = useWords();
  const teams = useList("listTeams", { params: { organizationId: organization } });
  return (
    <InPeople organization={organization}>
      {(may) => (
        <>
          {may.admin && <NewTeam organization={organization} />}
          <ShownList of={teams} empty={<p>{words.noTeams}</p>}>
            {(items) => (
              <ul class="rows">
                {items.map((team) => (
                  <li key={team.id}>
                    <OneTeam organization={organization} team={team} />
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

function NewTeam({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    await write("createTeam", { params: { organizationId: organization }, body: { title } });
    setTitle("");
  });
  return (
    <Form action={make} submit={words.create}>
      <TextField label={words.newTeam} value={title} onInput={setTitle} required maxLength={255} />
    </Form>
  );
}

function OneTeam({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const params = { organizationId: organization, teamId: team.id };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <bdi>{team.title}</bdi> <small>{counted(words, words.countMembers, team.members)}</small>
      </summary>
      {isOpen && <TeamMembers organization={organization} team={team} />}
      {team.permissions.admin && (
        <Confirm
          label={words.delete}
          question={filled(words.deleteTeamWhy, { title: team.title })}
          act={() => write("deleteTeam", { params })}
        />
      )}
    </details>
  );
}

function TeamMembers({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const words = useWords();
  const params = { organizationId: organization, teamId: team.id };
  const inTeam = useList("listTeamMembers", { params });
  const everybody = useList("listMembers", { params: { organizationId: organization } });
  const [user, setUser] = useState("");
  const add = useAction(async () => {
    await write("updateTeamMembers", { params, body: { add: [user] } });
    setUser("");
  });
  const remove = useAction((id: string) => write("removeTeamMember", { params: { ...params, userId: id } }));
  return (
    <>
      <ShownList of={inTeam} empty={<p>{words.noMembers}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ user: it, teamRole }) => (
              <li key={it.id}>
                <div>
                  <span>
                    <bdi>{it.displayName}</bdi> {teamRole === "owner" && <small>{words.teamOwner}</small>}
                  </span>
                  {team.permissions.admin && (
                    <Button kind="quiet" isBusy={remove.isBusy} onClick={() => void remove.run(it.id)}>
                      {words.remove}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <Problem error={remove.error} />
      {team.permissions.admin && everybody.reading.state === "had" && (
        <Form action={add} submit={words.add}>
          <Choice
            label={words.addMember}
            value={user}
            onChange={setUser}
            options={[["", "—"], ...everybody.reading.value.map((it) => [it.user.id, it.user.displayName] as const)]}
          />
        </Form>
      )}
    </>
  );
}
