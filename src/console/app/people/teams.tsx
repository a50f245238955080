// Teams: people who are given rights together.

import { useState } from "preact/hooks";
import type { Organization, Team, TeamMember } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useSaving } from "../calls/saving";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { counted, filled, useWords } from "../words/words";
import { InPeople } from "./people";
import { PersonField } from "./person-field";

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
                    <OneTeam organization={organization} team={team} may={may} />
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
      <TextField label={words.newTeam} value={title} onInput={setTitle} required maxLength={64} />
    </Form>
  );
}

function OneTeam({
  organization,
  team,
  may,
}: {
  readonly organization: string;
  readonly team: Team;
  readonly may: Organization["permissions"];
}) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const params = { organizationId: organization, teamId: team.id };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <bdi>{team.title}</bdi> <small>{counted(words, words.countMembers, team.members)}</small>
      </summary>
      {isOpen && (
        <>
          <TeamMembers organization={organization} team={team} />
          {team.permissions.admin && <RenameTeam organization={organization} team={team} />}
          {may.admin && (
            <Confirm
              label={words.delete}
              question={filled(words.deleteTeamWhy, { title: team.title })}
              act={() => write("deleteTeam", { params })}
            />
          )}
        </>
      )}
    </details>
  );
}

function RenameTeam({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const words = useWords();
  const [title, setTitle] = useState(team.title);
  const saving = useSaving(() =>
    write("updateTeam", { params: { organizationId: organization, teamId: team.id }, body: { title } }),
  );
  return (
    <Form action={saving} submit={words.rename} done={saving.done}>
      <TextField label={words.renameTeam} value={title} onInput={saving.changing(setTitle)} required maxLength={64} />
    </Form>
  );
}

function TeamMembers({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const words = useWords();
  const params = { organizationId: organization, teamId: team.id };
  const inTeam = useList("listTeamMembers", { params });
  const [user, setUser] = useState("");
  const add = useAction(async () => {
    if (user === "") return;
    await write("updateTeamMembers", { params, body: { add: [user] } });
    setUser("");
  });
  return (
    <>
      <ShownList of={inTeam} empty={<p>{words.noMembers}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <OneOfTeam organization={organization} team={team} it={it} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {team.permissions.admin && (
        <Form action={add} submit={words.add}>
          <PersonField organization={organization} label={words.addMember} value={user} onChange={setUser} />
        </Form>
      )}
    </>
  );
}

function OneOfTeam({
  organization,
  team,
  it,
}: {
  readonly organization: string;
  readonly team: Team;
  readonly it: TeamMember;
}) {
  const words = useWords();
  const me = useRead("getCurrentUser", {});
  const isMe = me.state === "had" && me.value.id === it.user.id;
  const params = { organizationId: organization, teamId: team.id, userId: it.user.id };
  const isOwner = it.teamRole === "owner";
  const change = useAction(() => write("setTeamMember", { params, body: { role: isOwner ? "member" : "owner" } }));
  const remove = useAction(() => write("removeTeamMember", { params }));
  const mayChange = team.permissions.admin;
  return (
    <div>
      <span>
        <a href={addresses.part(organization, `people/members/${it.user.id}`)}>
          <bdi>{it.user.displayName}</bdi>
        </a>{" "}
        {isOwner && <small>{words.teamOwner}</small>}
      </span>
      <span class="buttons">
        {mayChange && (
          <Button kind="quiet" isBusy={change.isBusy} onClick={() => void change.run()}>
            {isOwner ? words.makeMember : words.makeOwner}
          </Button>
        )}
        {(mayChange || isMe) && (
          <Button kind="quiet" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            {isMe ? words.leaveTeam : words.remove}
          </Button>
        )}
      </span>
      <Problem error={change.error ?? remove.error} />
    </div>
  );
}
