// Teams, which receive grants together.

import { useState } from "preact/hooks";
import type { Organization, Team, TeamMember } from "../../../generated/resources";
import { formatMessage, formatPlural } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { InPeople } from "./people";
import { PersonField } from "./person-field";

export function Teams({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const teams = useList("listTeams", { params });
  const [title, setTitle] = useState("");
  const make = useAction(async () => {
    await runMutation("createTeam", { params, body: { title } });
    setTitle("");
  });
  return (
    <InPeople organization={organization}>
      {(may) => (
        <>
          {may.admin && (
            <Form action={make} submit={messages.general.create}>
              <TextField label={messages.people.newTeam} value={title} onChange={setTitle} required maxLength={64} />
            </Form>
          )}
          <LoadedRows of={teams} empty={messages.people.noTeams}>
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
        <bdi>{team.title}</bdi>{" "}
        <small>{formatPlural(messages.inLanguage, messages.people.countMembers, team.members)}</small>
      </summary>
      {isOpen && (
        <>
          <TeamMembers organization={organization} team={team} />
          {team.permissions.admin && <RenameTeam organization={organization} team={team} />}
          {may.admin && (
            <Confirm
              label={messages.general.delete}
              question={formatMessage(messages.people.deleteTeamWhy, { title: team.title })}
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
  const [title, setTitle] = useState(team.title);
  const saving = useAction(() =>
    runMutation("updateTeam", { params: { organizationId: organization, teamId: team.id }, body: { title } }),
  );
  return (
    <Form action={saving} submit={messages.general.rename} done={messages.general.saved}>
      <TextField label={messages.people.renameTeam} value={title} onChange={setTitle} required maxLength={64} />
    </Form>
  );
}

function TeamMembers({ organization, team }: { readonly organization: string; readonly team: Team }) {
  const messages = useMessages();
  const params = { organizationId: organization, teamId: team.id };
  const inTeam = useList("listTeamMembers", { params });
  const [user, setUser] = useState("");
  const add = useAction(async () => {
    if (user === "") return;
    await runMutation("updateTeamMembers", { params, body: { add: [user] } });
    setUser("");
  });
  return (
    <>
      <LoadedRows of={inTeam} empty={messages.people.noMembers}>
        {(it) => <TeamMemberRow organization={organization} team={team} it={it} />}
      </LoadedRows>
      {team.permissions.admin && (
        <Form action={add} submit={messages.people.add}>
          <PersonField organization={organization} label={messages.people.addMember} value={user} onChange={setUser} />
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
        {isOwner && <small>{messages.people.teamOwner}</small>}
      </span>
      <span class="buttons">
        {mayChange && (
          <Button kind="quiet" action={change}>
            {isOwner ? messages.people.makeMember : messages.people.makeOwner}
          </Button>
        )}
        {(mayChange || isMe) && (
          <Button kind="quiet" action={remove}>
            {isMe ? messages.people.leaveTeam : messages.reviews.remove}
          </Button>
        )}
      </span>
      <ActionError error={change.error ?? remove.error} />
    </div>
  );
}
