// The settings of a SAML provider, and the values that it needs from Octavo.

import { useLocation } from "preact-iso/router";
import type { SamlProvider } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { listRoleOptions, type RoleOrNone, toRole } from "../people/roles";
import { addresses, type RouteParams } from "../routes";

export function SamlProviderPage({ organization, provider }: RouteParams<"organization" | "provider">) {
  const messages = useMessages();
  const { route } = useLocation();
  const list = addresses.part(organization, "settings/sign-in");
  const params = { organizationId: organization, samlProviderId: provider };
  const found = useQuery("getSamlProvider", { params });
  return (
    <Loaded of={found}>
      {(it) => (
        <div key={it.id} class="page">
          <PageHead
            title={it.label}
            above={[
              [messages.layout.settings, addresses.part(organization, "settings")],
              [messages.organization.signingIn, list],
            ]}
          >
            <span class={`status ${it.status === "active" ? "good" : "draft"}`}>
              {it.status === "active" ? messages.organization.providerActive : messages.organization.providerPending}
            </span>
            {it.status === "active" && (
              <a class="button second" href={it.service.startURL} target="_blank" rel="noopener">
                {messages.organization.trySignIn}
              </a>
            )}
          </PageHead>
          <section>
            <h2>{messages.organization.forProvider}</h2>
            <Copyable>
              {[
                [messages.organization.ourEntity, it.service.entityID],
                [messages.organization.ourAcs, it.service.acsURL],
                [messages.organization.ourStart, it.service.startURL],
                [messages.organization.ourLogout, it.service.acsURL.replace(/acs$/, "logout")],
              ]}
            </Copyable>
          </section>
          <section>
            <h2>{messages.organization.forUs}</h2>
            <SamlProviderForm organization={organization} it={it} />
          </section>
          <section>
            <Confirm
              label={messages.general.delete}
              question={formatMessage(messages.organization.deleteProviderWhy, { label: it.label })}
              act={async () => {
                await runMutation("deleteSamlProvider", { params });
                route(list);
              }}
            />
          </section>
        </div>
      )}
    </Loaded>
  );
}

function SamlProviderForm({ organization, it }: { readonly organization: string; readonly it: SamlProvider }) {
  const messages = useMessages();
  const teams = useCompleteList("listTeams", { params: { organizationId: organization } });
  const { values, fields } = useFields({
    label: it.label,
    entityID: it.entityID ?? "",
    ssoURL: it.ssoURL ?? "",
    sloURL: it.sloURL ?? "",
    certificate: it.certificate ?? "",
    defaultRole: (it.defaultRole ?? "none") as RoleOrNone,
    defaultTeam: it.defaultTeam?.id ?? "",
  });
  const saving = useAction(() => {
    const { label, entityID, ssoURL, sloURL, certificate, defaultRole, defaultTeam } = values;
    return runMutation("updateSamlProvider", {
      params: { organizationId: organization, samlProviderId: it.id },
      body: {
        label,
        ...omitUndefined({
          entityID: entityID || undefined,
          ssoURL: ssoURL || undefined,
          certificate: certificate.trim() === "" ? undefined : certificate,
        }),
        sloURL: sloURL || null,
        defaultRole: toRole(defaultRole),
        defaultTeam: defaultTeam || null,
      },
    });
  });
  return (
    <Form action={saving} submit={messages.general.save}>
      <TextField label={messages.organization.providerLabel} {...fields.label} required maxLength={30} />
      <TextField
        label={messages.organization.entityId}
        {...fields.entityID}
        required={it.entityID !== undefined}
        maxLength={1024}
      />
      <TextField
        label={messages.organization.ssoUrl}
        type="url"
        {...fields.ssoURL}
        required={it.ssoURL !== undefined}
      />
      <TextField label={messages.organization.sloUrl} type="url" {...fields.sloURL} />
      <TextField
        label={messages.organization.certificate}
        hint={messages.organization.certificateHint}
        {...fields.certificate}
        required={it.certificate !== undefined}
        rows={6}
        maxLength={10_000}
      />
      <Choice label={messages.organization.defaultRole} {...fields.defaultRole} options={listRoleOptions(messages)} />
      <Choice
        label={messages.organization.defaultTeam}
        {...fields.defaultTeam}
        options={[["", messages.organization.noTeam], ...teams.map((one) => [one.id, one.title] as const)]}
      />
    </Form>
  );
}
