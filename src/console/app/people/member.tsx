// The page of a member: who it is, the teams, and the spaces that this person sees.

import { useLocation } from "preact-iso/router";
import type { Member, Organization } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Choice } from "../parts/field";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { asRole, fromRole, type RoleOrNone, roleOptions } from "./roles";

export function MemberPage({ organization, user }: { readonly organization: string; readonly user: string }) {
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  const member = useRead("getMember", { params: { organizationId: organization, userId: user } });
  return (
    <Shown of={found}>
      {(above) => <Shown of={member}>{(it) => <Opened key={it.id} organization={above} it={it} />}</Shown>}
    </Shown>
  );
}

function Opened({ organization, it }: { readonly organization: Organization; readonly it: Member }) {
  const words = useWords();
  return (
    <div class="page">
      <PageHead title={it.user.displayName} above={[[words.people, addresses.part(organization.id, "people")]]} />
      <p>
        {it.user.email}
        <br />
        <small>
          <When at={it.joinedAt} sentence={words.joined} /> ·{" "}
          {it.lastSeenAt ? <When at={it.lastSeenAt} sentence={words.lastSeen} /> : words.neverSeen}
          {it.sso && ` · ${words.singleSignOn}`}
          {it.disabled && ` · ${words.disabled}`}
        </small>
      </p>
      <Standing organization={organization} it={it} />
      <TeamsOf organization={organization.id} user={it.user.id} />
      <SpacesOf organization={organization.id} user={it.user.id} />
    </div>
  );
}

/** What this person is in the organization, and how that ends. */
function Standing({ organization, it }: { readonly organization: Organization; readonly it: Member }) {
  const words = useWords();
  const { route } = useLocation();
  const me = useRead("getCurrentUser", {});
  const isMe = me.state === "had" && me.value.id === it.user.id;
  const isAdmin = organization.permissions.admin;
  const params = { organizationId: organization.id, userId: it.user.id };
  const setRole = useAction((role: RoleOrNone) => write("updateMember", { params, body: { role: asRole(role) } }));
  const remove = async () => {
    await write("removeMember", { params });
    route(isMe ? addresses.home() : addresses.part(organization.id, "people"));
  };
  return (
    <section>
      <div class="form">
        <Choice
          label={words.role}
          value={fromRole(it.role)}
          options={roleOptions(words)}
          onChange={(role) => void setRole.run(role)}
          disabled={!isAdmin || setRole.isBusy}
        />
        <Problem error={setRole.error} />
      </div>
      <div class="buttons">
        {isAdmin && !it.sso && (
          <Confirm
            label={words.makeSso}
            question={filled(words.makeSsoWhy, { name: it.user.displayName })}
            act={() => write("makeMemberSso", { params })}
            kind="second"
          />
        )}
        {isMe ? (
          <Confirm label={words.leave} question={filled(words.leaveWhy, { title: organization.title })} act={remove} />
        ) : (
          isAdmin && (
            <Confirm
              label={words.remove}
              question={filled(words.removeMemberWhy, { name: it.user.displayName })}
              act={remove}
            />
          )
        )}
      </div>
    </section>
  );
}

function TeamsOf({ organization, user }: { readonly organization: string; readonly user: string }) {
  const words = useWords();
  const teams = useList("listMemberTeams", { params: { organizationId: organization, userId: user } });
  return (
    <section>
      <h2>{words.teamsOfMember}</h2>
      <ShownList of={teams} empty={<p>{words.noTeamsOfMember}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ team, member }) => (
              <li key={team.id}>
                <div>
                  <bdi>{team.title}</bdi>
                  <small>{member.role === "owner" ? words.teamOwner : words.teamMember}</small>
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

function SpacesOf({ organization, user }: { readonly organization: string; readonly user: string }) {
  const words = useWords();
  const spaces = useList("listMemberSpaces", { params: { organizationId: organization, userId: user } });
  const roles = new Map(roleOptions(words));
  return (
    <section>
      <h2>{words.spacesSeen}</h2>
      <ShownList of={spaces} empty={<p>{words.noSpacesSeen}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ space, permission }) => (
              <li key={space.id}>
                <div>
                  <span>
                    <a href={addresses.space(organization, space.id)}>
                      <bdi>{space.title}</bdi>
                    </a>{" "}
                    <small>
                      <a href={addresses.ofSpace(organization, space.id, "access")}>{words.why}</a>
                    </small>
                  </span>
                  <span class="status">{roles.get(permission)}</span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}
