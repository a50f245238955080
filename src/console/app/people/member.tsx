// The page of a member: the role, the teams, and the spaces that the member sees.

import { useLocation } from "preact-iso/router";
import type { Member, Organization } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/field";
import { ActionError, Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { listRoleOptions, type RoleOrNone, toRole } from "./roles";

export function MemberPage({ organization, user }: { readonly organization: string; readonly user: string }) {
  const messages = useMessages();
  const params = { organizationId: organization, userId: user };
  const found = useQuery("getOrganization", { params: { organizationId: organization } });
  const member = useQuery("getMember", { params });
  const teams = useList("listMemberTeams", { params });
  const spaces = useList("listMemberSpaces", { params });
  const roles = new Map(listRoleOptions(messages));
  return (
    <Loaded of={found}>
      {(above) => (
        <Loaded of={member}>
          {(it) => (
            <div key={it.id} class="page">
              <PageHead
                title={it.user.displayName}
                above={[[messages.layout.people, addresses.part(organization, "people")]]}
              />
              <p>
                {it.user.email}
                <br />
                <small>
                  <RelativeTime at={it.joinedAt} sentence={messages.people.joined} /> ·{" "}
                  {it.lastSeenAt ? (
                    <RelativeTime at={it.lastSeenAt} sentence={messages.people.lastSeen} />
                  ) : (
                    messages.people.neverSeen
                  )}
                  {it.sso && ` · ${messages.people.singleSignOn}`}
                  {it.disabled && ` · ${messages.people.disabled}`}
                </small>
              </p>
              <MemberRole organization={above} it={it} />
              <section>
                <h2>{messages.people.teamsOfMember}</h2>
                <LoadedRows of={teams} empty={messages.people.noTeamsOfMember} getKey={({ team }) => team.id}>
                  {({ team, member }) => (
                    <div>
                      <bdi>{team.title}</bdi>
                      <small>{member.role === "owner" ? messages.people.teamOwner : messages.people.teamMember}</small>
                    </div>
                  )}
                </LoadedRows>
              </section>
              <section>
                <h2>{messages.people.spacesSeen}</h2>
                <LoadedRows of={spaces} empty={messages.people.noSpacesSeen} getKey={({ space }) => space.id}>
                  {({ space, permission }) => (
                    <div>
                      <span>
                        <a href={addresses.space(organization, space.id)}>
                          <bdi>{space.title}</bdi>
                        </a>{" "}
                        <small>
                          <a href={addresses.ofSpace(organization, space.id, "access")}>{messages.access.why}</a>
                        </small>
                      </span>
                      <span class="status">{roles.get(permission)}</span>
                    </div>
                  )}
                </LoadedRows>
              </section>
            </div>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/** The role of a member in the organization, and the removal of the member. */
function MemberRole({ organization, it }: { readonly organization: Organization; readonly it: Member }) {
  const messages = useMessages();
  const { route } = useLocation();
  const me = useQuery("getCurrentUser", {});
  const isMe = me.state === "loaded" && me.value.id === it.user.id;
  const isAdmin = organization.permissions.admin;
  const params = { organizationId: organization.id, userId: it.user.id };
  const setRole = useAction((role: RoleOrNone) =>
    runMutation("updateMember", { params, body: { role: toRole(role) } }),
  );
  const remove = async () => {
    await runMutation("removeMember", { params });
    route(isMe ? addresses.home() : addresses.part(organization.id, "people"));
  };
  return (
    <section>
      <div class="form">
        <Choice
          label={messages.people.role}
          value={it.role ?? "none"}
          options={listRoleOptions(messages)}
          onChange={(role) => void setRole.run(role)}
          disabled={!isAdmin || setRole.isBusy}
        />
        <ActionError error={setRole.error} />
      </div>
      <div class="buttons">
        {isAdmin && !it.sso && (
          <Confirm
            label={messages.people.makeSso}
            question={formatMessage(messages.people.makeSsoWhy, { name: it.user.displayName })}
            act={() => runMutation("makeMemberSso", { params })}
            kind="second"
          />
        )}
        {isMe ? (
          <Confirm
            label={messages.people.leave}
            question={formatMessage(messages.people.leaveWhy, { title: organization.title })}
            act={remove}
          />
        ) : (
          isAdmin && (
            <Confirm
              label={messages.reviews.remove}
              question={formatMessage(messages.people.removeMemberWhy, { name: it.user.displayName })}
              act={remove}
            />
          )
        )}
      </div>
    </section>
  );
}
