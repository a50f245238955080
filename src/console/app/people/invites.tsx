// Invites by e-mail, and invite links.

import { useState } from "preact/hooks";
import type { Invite } from "../../../generated/resources";
import { runMutation, useAction, useList } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Choice, Form, TextField } from "../components/fields";
import { ActionError, LoadedRows, RelativeTime } from "../components/page";
import { useMessages } from "../messages/messages";
import { InPeople } from "./people";
import { listRoleOptions, type RoleOrNone, toRole } from "./roles";

export function Invites({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const byMail = useList("listEmailInvites", { params });
  const byLink = useList("listLinkInvites", { params });
  const emails = useField("");
  const role = useField<RoleOrNone>("edit");
  const [members, setMembers] = useState<readonly string[]>([]);
  const invite = useAction(async () => {
    const list = emails.value.split(/[\s,;]+/).filter((it) => it !== "");
    const outcome = await runMutation("inviteByEmail", {
      params,
      body: { emails: list, role: toRole(role.value) },
    });
    setMembers(outcome.members);
    emails.onChange("");
  });
  const linkRole = useField<RoleOrNone>("read");
  const makeLink = useAction(() => runMutation("createLinkInvite", { params, body: { role: toRole(linkRole.value) } }));
  return (
    <InPeople organization={organization}>
      {(may) =>
        may.admin ? (
          <>
            <section>
              <h2>{messages.inviteByMail}</h2>
              <Form action={invite} submit={messages.invite}>
                <TextField label={messages.emails} hint={messages.emailsHint} {...emails} required rows={2} />
                <Choice label={messages.role} {...role} options={listRoleOptions(messages)} />
                {members.length > 0 && <p role="status">{messages.alreadyMembers}</p>}
              </Form>
              <LoadedRows of={byMail} empty={messages.noInvites}>
                {(it) => <InviteRow organization={organization} it={it} />}
              </LoadedRows>
            </section>
            <section>
              <h2>{messages.inviteByLink}</h2>
              <Form action={makeLink} submit={messages.newLink}>
                <Choice label={messages.role} {...linkRole} options={listRoleOptions(messages)} />
              </Form>
              <LoadedRows of={byLink} empty={messages.noInvites}>
                {(it) => <InviteRow organization={organization} it={it} />}
              </LoadedRows>
            </section>
          </>
        ) : (
          <p class="empty">{messages.onlyAdmins}</p>
        )
      }
    </InPeople>
  );
}

function InviteRow({ organization, it }: { readonly organization: string; readonly it: Invite }) {
  const messages = useMessages();
  const params = { organizationId: organization, inviteId: it.id };
  const remove = useAction(() =>
    runMutation(it.type === "email" ? "deleteEmailInvite" : "deleteLinkInvite", { params }),
  );
  const again = useAction(() => runMutation("sendEmailInvite", { params }));
  const roles = new Map(listRoleOptions(messages));
  return (
    <div>
      <span>
        <strong>{it.email ?? <code>{it.urls.app}</code>}</strong>
        <br />
        <small>
          {roles.get(it.role ?? "none")} · <RelativeTime at={it.createdAt} />
          {it.expiresAt && (
            <>
              {" · "}
              <RelativeTime at={it.expiresAt} sentence={messages.ends} />
            </>
          )}
        </small>
      </span>
      <span class="buttons">
        {it.type === "email" && <Button action={again}>{messages.sendAgain}</Button>}
        <Button kind="danger" action={remove}>
          {messages.delete}
        </Button>
      </span>
      <ActionError error={remove.error ?? again.error} />
    </div>
  );
}
