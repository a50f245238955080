// Teams, which receive grants together.

import { useState } from "preact/hooks";
import type { Organization, Team, TeamMember } from "../../../generated/resources";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Form, TextField } from "../components/fields";
import { ActionError, LoadedRows } from "../components/page";
import { fillMessage, formatPlural, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { InPeople } from "./people";
import { PersonField } from "./person-field";

export function Teams({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const teams = useList("listTeams", { params });
  const title = useField("");
  const make = useAction(async () => {
    await runMutation("createTeam", { params, body: { title: title.value } });
    title.onChange("");
  });
  return (
    <InPeople organization={organization}>
      {(may) => (
        <>
          {may.admin && (
            <Form action={make} submit={messages.create}>
              <TextField label={messages.newTeam} {...title} required maxLength={64} />
            </Form>
          )}
          <LoadedRows of={teams} empty={messages.noTeams}>
            {(team) => <TeamRow organization={organization} team={team} may={may} />}
          </LoadedRows>
        </>
      )}
    </InPeople>
  );
}

function TeamRow({
  organization,
  team,
  may,
}: {
  readonly organization: string;
  readonly team: Team;
  readonly may: Organization["permissions"];
}) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const params = { organizationId: organization, teamId: team.id };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <bdi>{team.title}</bdi> <small>{formatPlural(messages, messages.countMembers, team.members)}</small>
      </summary>
      {isOpen && (
        <>
          <TeamMembers organization={organization} team={team} />
          {team.permissions.admin && <RenameTeam organization={organization} team={team} />}
          {may.admin && (
            <Confirm
              label={messages.delete}
              question={fillMessage(messages.deleteTeamWhy, { title: team.title })}
              act={() => runMutation("deleteTeam", { params })}
            />
          )}
        </>
      )}
    </details>
  );
}

function RenameTeam({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const messages = useMessages();
  const title = useField(team.title);
  const saving = useAction(() =>
    runMutation("updateTeam", {
      params: { organizationId: organization, teamId: team.id },
      body: { title: title.value },
    }),
  );
  return (
    <Form action={saving} submit={messages.rename} done={messages.saved}>
      <TextField label={messages.renameTeam} {...title} required maxLength={64} />
    </Form>
  );
}

function TeamMembers({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const messages = useMessages();
  const params = { organizationId: organization, teamId: team.id };
  const inTeam = useList("listTeamMembers", { params });
  const user = useField("");
  const add = useAction(async () => {
    if (user.value === "") return;
    await runMutation("updateTeamMembers", { params, body: { add: [user.value] } });
    user.onChange("");
  });
  return (
    <>
      <LoadedRows of={inTeam} empty={messages.noMembers}>
        {(it) => <TeamMemberRow organization={organization} team={team} it={it} />}
      </LoadedRows>
      {team.permissions.admin && (
        <Form action={add} submit={messages.add}>
          <PersonField organization={organization} label={messages.addMember} {...user} />
        </Form>
      )}
    </>
  );
}

function TeamMemberRow({
  organization,
  team,
  it,
}: {
  readonly organization: string;
  readonly team: Team;
  readonly it: TeamMember;
}) {
  const messages = useMessages();
  const me = useQuery("getCurrentUser", {});
  const isMe = me.state === "loaded" && me.value.id === it.user.id;
  const params = { organizationId: organization, teamId: team.id, userId: it.user.id };
  const isOwner = it.teamRole === "owner";
  const change = useAction(() =>
    runMutation("setTeamMember", { params, body: { role: isOwner ? "member" : "owner" } }),
  );
  const remove = useAction(() => runMutation("removeTeamMember", { params }));
  const mayChange = team.permissions.admin;
  return (
    <div>
      <span>
        <a href={addresses.part(organization, `people/members/${it.user.id}`)}>
          <bdi>{it.user.displayName}</bdi>
        </a>{" "}
        {isOwner && <small>{messages.teamOwner}</small>}
      </span>
      <span class="buttons">
        {mayChange && (
          <Button kind="quiet" action={change}>
            {isOwner ? messages.makeMember : messages.makeOwner}
          </Button>
        )}
        {(mayChange || isMe) && (
          <Button kind="quiet" action={remove}>
            {isMe ? messages.leaveTeam : messages.remove}
          </Button>
        )}
      </span>
      <ActionError error={change.error ?? remove.error} />
    </div>
  );
}
