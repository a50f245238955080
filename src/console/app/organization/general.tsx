// The general settings of an organization: its title, its URLs, and the defaults for new members.

import type { Organization } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
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
              <h2>{messages.organization.domainProofs}</h2>
              <ul class="rows">
                {domainProofs.map(({ domain, verified, record }) => (
                  <li key={domain}>
                    <div>
                      <strong>{domain}</strong>
                      <span class={`status ${verified ? "good" : "draft"}`}>
                        {verified ? messages.organization.domainProven : messages.organization.domainNotProven}
                      </span>
                    </div>
                    {!verified && (
                      <>
                        <p>{messages.organization.domainProofWhy}</p>
                        <Copyable>
                          {[
                            [`${record.type} · ${messages.organization.recordName}`, record.name],
                            [`${record.type} · ${messages.organization.recordValue}`, record.value],
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
    <Form action={saving} submit={messages.general.save}>
      <TextField label={messages.general.title} {...fields.title} required maxLength={255} />
      <TextField
        label={messages.organization.hostname}
        hint={messages.organization.hostnameHint}
        {...fields.hostname}
        required={it.hostname !== undefined}
        maxLength={32}
      />
      <TextField label={messages.organization.logo} type="url" {...fields.logo} maxLength={2048} />
      <Choice
        label={messages.organization.defaultRole}
        hint={messages.organization.defaultRoleHint}
        {...fields.defaultRole}
        options={listRoleOptions(messages)}
      />
      <TextField
        label={messages.organization.emailDomains}
        hint={messages.organization.emailDomainsHint}
        {...fields.emailDomains}
        rows={3}
      />
      <Choice
        label={messages.organization.firstSeen}
        {...fields.site}
        options={[["", messages.organization.nothingInParticular], ...sites.map((one) => [one.id, one.title] as const)]}
      />
      <Check label={messages.organization.inviteLinks} {...fields.inviteLinks} />
      <Check label={messages.organization.aiFeatures} hint={messages.organization.aiFeaturesHint} {...fields.ai} />
    </Form>
  );
}
