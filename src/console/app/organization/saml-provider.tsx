// The settings of a SAML provider, and the values that it needs from Octavo.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { SamlProvider } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { runMutation } from "../api/mutations";
import { useQuery } from "../api/queries";
import { useSaveAction } from "../api/save-action";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { fillMessage, useMessages } from "../messages/messages";
import { listRoleOptions, type RoleOrNone, toRole } from "../people/roles";
import { addresses } from "../routes";

export function SamlProviderPage({
  organization,
  provider,
}: {
  readonly organization: string;
  readonly provider: string;
}) {
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
  const [label, setLabel] = useState(it.label);
  const [entityID, setEntity] = useState(it.entityID ?? "");
  const [ssoURL, setSso] = useState(it.ssoURL ?? "");
  const [sloURL, setSlo] = useState(it.sloURL ?? "");
  const [certificate, setCertificate] = useState(it.certificate ?? "");
  const [role, setRole] = useState<RoleOrNone>(it.defaultRole ?? "none");
  const [team, setTeam] = useState(it.defaultTeam?.id ?? "");
  const saving = useSaveAction(() =>
    runMutation("updateSamlProvider", {
      params: { organizationId: organization, samlProviderId: it.id },
      body: {
        label,
        ...omitUndefined({
          entityID: entityID === "" ? undefined : entityID,
          ssoURL: ssoURL === "" ? undefined : ssoURL,
          certificate: certificate.trim() === "" ? undefined : certificate,
        }),
        sloURL: sloURL === "" ? null : sloURL,
        defaultRole: toRole(role),
        defaultTeam: team === "" ? null : team,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={messages.save} done={saving.done}>
      <TextField label={messages.providerLabel} value={label} onInput={changing(setLabel)} required maxLength={30} />
      <TextField
        label={messages.entityId}
        value={entityID}
        onInput={changing(setEntity)}
        required={it.entityID !== undefined}
        maxLength={1024}
      />
      <TextField
        label={messages.ssoUrl}
        type="url"
        value={ssoURL}
        onInput={changing(setSso)}
        required={it.ssoURL !== undefined}
      />
      <TextField label={messages.sloUrl} type="url" value={sloURL} onInput={changing(setSlo)} />
      <TextField
        label={messages.certificate}
        hint={messages.certificateHint}
        value={certificate}
        onInput={changing(setCertificate)}
        required={it.certificate !== undefined}
        rows={6}
        maxLength={10_000}
      />
      <Choice
        label={messages.defaultRole}
        value={role}
        options={listRoleOptions(messages)}
        onChange={changing(setRole)}
      />
      <Choice
        label={messages.defaultTeam}
        value={team}
        onChange={changing(setTeam)}
        options={[["", messages.noTeam], ...teams.map((one) => [one.id, one.title] as const)]}
      />
    </Form>
  );
}
