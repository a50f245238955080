// Invites by e-mail, and invite links.

import { useState } from "preact/hooks";
import type { Invite } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { CopyButton } from "../components/copy";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { InPeople } from "./people";
import { listRoleOptions, type RoleOrNone, toRole } from "./roles";

export function Invites({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const byMail = useList("listEmailInvites", { params });
  const byLink = useList("listLinkInvites", { params });
  const [emails, setEmails] = useState("");
  const [role, setRole] = useState<RoleOrNone>("edit");
  const [members, setMembers] = useState<readonly string[]>([]);
  const invite = useAction(async () => {
    const list = emails.split(/[\s,;]+/).filter((it) => it !== "");
    const outcome = await runMutation("inviteByEmail", {
      params,
      body: { emails: list, role: toRole(role) },
    });
    setMembers(outcome.members);
    setEmails("");
  });
  const [linkRole, setLinkRole] = useState<RoleOrNone>("read");
  const makeLink = useAction(() => runMutation("createLinkInvite", { params, body: { role: toRole(linkRole) } }));
  return (
    <InPeople organization={organization}>
      {(may) =>
        may.admin ? (
          <>
            <section>
              <h2>{messages.people.inviteByMail}</h2>
              <Form action={invite} submit={messages.people.invite}>
                <TextField
                  label={messages.people.emails}
                  hint={messages.people.emailsHint}
                  value={emails}
                  onChange={setEmails}
                  required
                  rows={2}
                />
                <Choice
                  label={messages.people.role}
                  value={role}
                  options={listRoleOptions(messages)}
                  onChange={setRole}
                />
                {members.length > 0 && <p role="status">{messages.people.alreadyMembers}</p>}
              </Form>
              <LoadedRows of={byMail} empty={messages.people.noInvites}>
                {(it) => <InviteRow organization={organization} it={it} />}
              </LoadedRows>
            </section>
            <section>
              <h2>{messages.people.inviteByLink}</h2>
              <Form action={makeLink} submit={messages.people.newLink}>
                <Choice
                  label={messages.people.role}
                  value={linkRole}
                  options={listRoleOptions(messages)}
                  onChange={setLinkRole}
                />
              </Form>
              <LoadedRows of={byLink} empty={messages.people.noInvites}>
                {(it) => <InviteRow organization={organization} it={it} />}
              </LoadedRows>
            </section>
          </>
        ) : (
          <p class="empty">{messages.people.onlyAdmins}</p>
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
  // The server sends no mail, so the admin passes the link on.
  const isByHand = it.mailed === false;
  return (
    <div>
      <span>
        <strong>{it.email ?? <code>{it.urls.app}</code>}</strong>
        <br />
        <small>
          {roles.get(it.role ?? "none")} · <RelativeTime at={it.createdAt} sentence={messages.organization.made} />
          {it.expiresAt && (
            <>
              {" · "}
              <RelativeTime at={it.expiresAt} sentence={messages.people.ends} />
            </>
          )}
        </small>
        {isByHand && (
          <>
            <br />
            <small>{formatMessage(messages.people.notMailed, { email: it.email ?? "" })}</small>
            <br />
            <code>{it.urls.app}</code>
          </>
        )}
      </span>
      <span class="buttons">
        {(isByHand || it.type === "link") && <CopyButton value={it.urls.app} of={it.email ?? it.urls.app} />}
        {it.type === "email" && (
          <Button action={again}>{isByHand ? messages.people.extend : messages.people.sendAgain}</Button>
        )}
        <Button kind="danger" action={remove}>
          {messages.general.delete}
        </Button>
      </span>
      <ActionError error={remove.error ?? again.error} />
    </div>
  );
}
