// Invites: by mail to somebody, or a link for everybody who has it.

import { useState } from "preact/hooks";
import type { Invite } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { useWords } from "../words/words";
import { InPeople } from "./people";
import { asRole, type RoleOrNone, roleOptions } from "./roles";

export function Invites({ organization }: { readonly organization: string }) {
  const words = useWords();
  const params = { organizationId: organization };
  const byMail = useList("listEmailInvites", { params });
  const byLink = useList("listLinkInvites", { params });
  return (
    <InPeople organization={organization}>
      {(may) =>
        may.admin ? (
          <>
            <section>
              <h2>{words.inviteByMail}</h2>
              <InviteByMail organization={organization} />
              <ShownList of={byMail} empty={<p>{words.noInvites}</p>}>
                {(items) => <List organization={organization} items={items} />}
              </ShownList>
            </section>
            <section>
              <h2>{words.inviteByLink}</h2>
              <InviteByLink organization={organization} />
              <ShownList of={byLink} empty={<p>{words.noInvites}</p>}>
                {(items) => <List organization={organization} items={items} />}
              </ShownList>
            </section>
          </>
        ) : (
          <p class="empty">{words.onlyAdmins}</p>
        )
      }
    </InPeople>
  );
}

function InviteByMail({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [emails, setEmails] = useState("");
  const [role, setRole] = useState<RoleOrNone>("edit");
  const [members, setMembers] = useState<readonly string[]>([]);
  const invite = useAction(async () => {
    const list = emails.split(/[\s,;]+/).filter((it) => it !== "");
    const outcome = await write("inviteByEmail", {
      params: { organizationId: organization },
      body: { emails: list, role: asRole(role) },
    });
    setMembers(outcome.members);
    setEmails("");
  });
  return (
    <Form action={invite} submit={words.invite}>
      <TextField label={words.emails} hint={words.emailsHint} value={emails} onInput={setEmails} required rows={2} />
      <Choice label={words.role} value={role} options={roleOptions(words)} onChange={setRole} />
      {members.length > 0 && <p role="status">{words.alreadyMembers}</p>}
    </Form>
  );
}

function InviteByLink({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [role, setRole] = useState<RoleOrNone>("read");
  const make = useAction(() =>
    write("createLinkInvite", { params: { organizationId: organization }, body: { role: asRole(role) } }),
  );
  return (
    <Form action={make} submit={words.newLink}>
      <Choice label={words.role} value={role} options={roleOptions(words)} onChange={setRole} />
    </Form>
  );
}

function List({ organization, items }: { readonly organization: string; readonly items: readonly Invite[] }) {
  return (
    <ul class="rows">
      {items.map((it) => (
        <li key={it.id}>
          <OneInvite organization={organization} it={it} />
        </li>
      ))}
    </ul>
  );
}

function OneInvite({ organization, it }: { readonly organization: string; readonly it: Invite }) {
  const words = useWords();
  const params = { organizationId: organization, inviteId: it.id };
  const remove = useAction(() => write(it.type === "email" ? "deleteEmailInvite" : "deleteLinkInvite", { params }));
  const again = useAction(() => write("sendEmailInvite", { params }));
  const roles = new Map(roleOptions(words));
  return (
    <div>
      <span>
        <strong>{it.email ?? <code>{it.urls.app}</code>}</strong>
        <br />
        <small>
          {roles.get(it.role ?? "none")} · <When at={it.createdAt} />
          {it.expiresAt && (
            <>
              {" · "}
              <When at={it.expiresAt} sentence={words.ends} />
            </>
          )}
        </small>
      </span>
      <span class="buttons">
        {it.type === "email" && (
          <Button isBusy={again.isBusy} onClick={() => void again.run()}>
            {words.sendAgain}
          </Button>
        )}
        <Button kind="danger" isBusy={remove.isBusy} onClick={() => void remove.run()}>
          {words.delete}
        </Button>
      </span>
      <Problem error={remove.error ?? again.error} />
    </div>
  );
}
