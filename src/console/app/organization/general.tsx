// The general settings of an organization: its title, its URLs, and the defaults for new members.

import { useState } from "preact/hooks";
import type { Organization } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { runMutation } from "../api/mutations";
import { useSaveAction } from "../api/save-action";
import { Copyable } from "../components/copy";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { useMessages } from "../messages/messages";
import { listRoleOptions, type RoleOrNone, toRole } from "../people/roles";
import { parseDomains } from "./parse-domains";
import { SettingsLayout } from "./settings-layout";

export function GeneralSettings({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  return (
    <SettingsLayout organization={organization}>
      {({ domainProofs = [], ...it }) => (
        <>
          <GeneralSettingsForm key={it.id} it={it} />
          {/* The e-mail domains of the organization, and their verification. */}
          {domainProofs.length > 0 && (
            <section>
              <h2>{messages.domainProofs}</h2>
              <ul class="rows">
                {domainProofs.map(({ domain, verified, record }) => (
                  <li key={domain}>
                    <div>
                      <strong>{domain}</strong>
                      <span class={`status ${verified ? "good" : "draft"}`}>
                        {verified ? messages.domainProven : messages.domainNotProven}
                      </span>
                    </div>
                    {!verified && (
                      <>
                        <p>{messages.domainProofWhy}</p>
                        <Copyable>
                          {[
                            [`${record.type} · ${messages.recordName}`, record.name],
                            [`${record.type} · ${messages.recordValue}`, record.value],
                          ]}
                        </Copyable>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </SettingsLayout>
  );
}

function GeneralSettingsForm({ it }: { readonly it: Organization }) {
  const messages = useMessages();
  const params = { organizationId: it.id };
  const sites = useCompleteList("listSites", { params });
  const [title, setTitle] = useState(it.title);
  const [hostname, setHostname] = useState(it.hostname ?? "");
  const [logo, setLogo] = useState(it.urls.logo ?? "");
  const [role, setRole] = useState<RoleOrNone>(it.defaultRole ?? "none");
  const [domains, setDomains] = useState(it.emailDomains.join("\n"));
  const [site, setSite] = useState(it.defaultContent?.site ?? "");
  const [inviteLinks, setInviteLinks] = useState(it.inviteLinks);
  const [ai, setAi] = useState(it.ai ?? false);
  const saving = useSaveAction(() =>
    runMutation("updateOrganization", {
      params,
      body: {
        title,
        // A subdomain can be changed but not removed.
        ...omitUndefined({ hostname: hostname === "" ? undefined : hostname }),
        logo: logo === "" ? null : logo,
        defaultRole: toRole(role),
        emailDomains: parseDomains(domains),
        defaultContent: site === "" ? null : { type: "site", site },
        inviteLinks,
        ai,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={messages.save} done={saving.done}>
      <TextField label={messages.title} value={title} onInput={changing(setTitle)} required maxLength={255} />
      <TextField
        label={messages.hostname}
        hint={messages.hostnameHint}
        value={hostname}
        onInput={changing(setHostname)}
        required={it.hostname !== undefined}
        maxLength={32}
      />
      <TextField label={messages.logo} type="url" value={logo} onInput={changing(setLogo)} maxLength={2048} />
      <Choice
        label={messages.defaultRole}
        hint={messages.defaultRoleHint}
        value={role}
        options={listRoleOptions(messages)}
        onChange={changing(setRole)}
      />
      <TextField
        label={messages.emailDomains}
        hint={messages.emailDomainsHint}
        value={domains}
        onInput={changing(setDomains)}
        rows={3}
      />
      <Choice
        label={messages.firstSeen}
        value={site}
        onChange={changing(setSite)}
        options={[["", messages.nothingInParticular], ...sites.map((one) => [one.id, one.title] as const)]}
      />
      <Check label={messages.inviteLinks} checked={inviteLinks} onChange={changing(setInviteLinks)} />
      <Check label={messages.aiFeatures} hint={messages.aiFeaturesHint} checked={ai} onChange={changing(setAi)} />
    </Form>
  );
}
