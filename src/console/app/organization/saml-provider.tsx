// The settings of a SAML provider, and the values that it needs from Octavo.

import { useLocation } from "preact-iso/router";
import type { SamlProvider } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction, useQuery } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useFields } from "../api/fields";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Choice, Form, TextField } from "../components/fields";
import { Loaded, PageHead } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
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
              [messages.settings, addresses.part(organization, "settings")],
              [messages.signingIn, list],
            ]}
          >
            <span class={`status ${it.status === "active" ? "good" : "draft"}`}>
              {it.status === "active" ? messages.providerActive : messages.providerPending}
            </span>
            {it.status === "active" && (
              <a class="button second" href={it.service.startURL} target="_blank" rel="noopener">
                {messages.trySignIn}
              </a>
            )}
          </PageHead>
          <section>
            <h2>{messages.forProvider}</h2>
            <Copyable>
              {[
                [messages.ourEntity, it.service.entityID],
                [messages.ourAcs, it.service.acsURL],
                [messages.ourStart, it.service.startURL],
                [messages.ourLogout, it.service.acsURL.replace(/acs$/, "logout")],
              ]}
            </Copyable>
          </section>
          <section>
            <h2>{messages.forUs}</h2>
            <SamlProviderForm organization={organization} it={it} />
          </section>
          <section>
            <Confirm
              label={messages.delete}
              question={fillMessage(messages.deleteProviderWhy, { label: it.label })}
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
    <Form action={saving} submit={messages.save}>
      <TextField label={messages.providerLabel} {...fields.label} required maxLength={30} />
      <TextField label={messages.entityId} {...fields.entityID} required={it.entityID !== undefined} maxLength={1024} />
      <TextField label={messages.ssoUrl} type="url" {...fields.ssoURL} required={it.ssoURL !== undefined} />
      <TextField label={messages.sloUrl} type="url" {...fields.sloURL} />
      <TextField
        label={messages.certificate}
        hint={messages.certificateHint}
        {...fields.certificate}
        required={it.certificate !== undefined}
        rows={6}
        maxLength={10_000}
      />
      <Choice label={messages.defaultRole} {...fields.defaultRole} options={listRoleOptions(messages)} />
      <Choice label={messages.defaultTeam} {...fields.defaultTeam} options={toOptions(teams, messages.noTeam)} />
    </Form>
  );
}
