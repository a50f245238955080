// The page of a member: the role, the teams, and the spaces that the member sees.

import { useLocation } from "preact-iso/router";
import type { Member, Organization } from "../../../generated/resources";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { Confirm } from "../components/confirm";
import { Choice } from "../components/fields";
import { ActionError, Loaded, LoadedRows, PageHead, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
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
                above={[[messages.people, addresses.part(organization, "people")]]}
              />
              <p>
                {it.user.email}
                <br />
                <small>
                  <RelativeTime at={it.joinedAt} sentence={messages.joined} /> ·{" "}
                  {it.lastSeenAt ? (
                    <RelativeTime at={it.lastSeenAt} sentence={messages.lastSeen} />
                  ) : (
                    messages.neverSeen
                  )}
                  {it.sso && ` · ${messages.singleSignOn}`}
                  {it.disabled && ` · ${messages.disabled}`}
                </small>
              </p>
              <MemberRole organization={above} it={it} />
              <section>
                <h2>{messages.teamsOfMember}</h2>
                <LoadedRows of={teams} empty={messages.noTeamsOfMember} getKey={({ team }) => team.id}>
                  {({ team, member }) => (
                    <div>
                      <bdi>{team.title}</bdi>
                      <small>{member.role === "owner" ? messages.teamOwner : messages.teamMember}</small>
                    </div>
                  )}
                </LoadedRows>
              </section>
              <section>
                <h2>{messages.spacesSeen}</h2>
                <LoadedRows of={spaces} empty={messages.noSpacesSeen} getKey={({ space }) => space.id}>
                  {({ space, permission }) => (
                    <div>
                      <span>
                        <a href={addresses.space(organization, space.id)}>
                          <bdi>{space.title}</bdi>
                        </a>{" "}
                        <small>
                          <a href={addresses.ofSpace(organization, space.id, "access")}>{messages.why}</a>
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
          label={messages.role}
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
            label={messages.makeSso}
            question={fillMessage(messages.makeSsoWhy, { name: it.user.displayName })}
            act={() => runMutation("makeMemberSso", { params })}
            kind="second"
          />
        )}
        {isMe ? (
          <Confirm
            label={messages.leave}
            question={fillMessage(messages.leaveWhy, { title: organization.title })}
            act={remove}
          />
        ) : (
          isAdmin && (
            <Confirm
              label={messages.remove}
              question={fillMessage(messages.removeMemberWhy, { name: it.user.displayName })}
              act={remove}
            />
          )
        )}
      </div>
    </section>
  );
}
