// The general settings of an organization: its title, its URLs, and the defaults for new members.

import type { Organization } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useFields } from "../api/fields";
import { Copyable } from "../components/copy";
import { Check, Choice, Form, TextField } from "../components/fields";
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
  const { values, fields } = useFields({
    title: it.title,
    hostname: it.hostname ?? "",
    logo: it.urls.logo ?? "",
    defaultRole: (it.defaultRole ?? "none") as RoleOrNone,
    emailDomains: it.emailDomains.join("\n"),
    site: it.defaultContent?.site ?? "",
    inviteLinks: it.inviteLinks,
    ai: it.ai ?? false,
  });
  const saving = useAction(() => {
    const { title, hostname, logo, defaultRole, emailDomains, site, inviteLinks, ai } = values;
    return runMutation("updateOrganization", {
      params,
      body: {
        title,
        // A subdomain can be changed but not removed.
        ...omitUndefined({ hostname: hostname || undefined }),
        logo: logo || null,
        defaultRole: toRole(defaultRole),
        emailDomains: parseDomains(emailDomains),
        defaultContent: site === "" ? null : { type: "site", site },
        inviteLinks,
        ai,
      },
    });
  });
  return (
    <Form action={saving} submit={messages.save}>
      <TextField label={messages.title} {...fields.title} required maxLength={255} />
      <TextField
        label={messages.hostname}
        hint={messages.hostnameHint}
        {...fields.hostname}
        required={it.hostname !== undefined}
        maxLength={32}
      />
      <TextField label={messages.logo} type="url" {...fields.logo} maxLength={2048} />
      <Choice
        label={messages.defaultRole}
        hint={messages.defaultRoleHint}
        {...fields.defaultRole}
        options={listRoleOptions(messages)}
      />
      <TextField label={messages.emailDomains} hint={messages.emailDomainsHint} {...fields.emailDomains} rows={3} />
      <Choice label={messages.firstSeen} {...fields.site} options={toOptions(sites, messages.nothingInParticular)} />
      <Check label={messages.inviteLinks} {...fields.inviteLinks} />
      <Check label={messages.aiFeatures} hint={messages.aiFeaturesHint} {...fields.ai} />
    </Form>
  );
}
