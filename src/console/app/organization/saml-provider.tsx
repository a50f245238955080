// A SAML provider: what it needs of us, what we need of it, and who comes in through it.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { SamlProvider } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useRead } from "../calls/reads";
import { useSaving } from "../calls/saving";
import { useWhole } from "../calls/whole";
import { write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Copyable } from "../parts/copy";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { asRole, fromRole, type RoleOrNone, roleOptions } from "../people/roles";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";

export function SamlProviderPage({
  organization,
  provider,
}: {
  readonly organization: string;
  readonly provider: string;
}) {
  const found = useRead("getSamlProvider", { params: { organizationId: organization, samlProviderId: provider } });
  return <Shown of={found}>{(it) => <Opened key={it.id} organization={organization} it={it} />}</Shown>;
}

function Opened({ organization, it }: { readonly organization: string; readonly it: SamlProvider }) {
  const words = useWords();
  const { route } = useLocation();
  const list = addresses.part(organization, "settings/sign-in");
  const params = { organizationId: organization, samlProviderId: it.id };
  const { service } = it;
  return (
    <div class="page">
      <PageHead
        title={it.label}
        above={[
          [words.settings, addresses.part(organization, "settings")],
          [words.signingIn, list],
        ]}
      >
        <span class={`status ${it.status === "active" ? "good" : "draft"}`}>
          {it.status === "active" ? words.providerActive : words.providerPending}
        </span>
        {it.status === "active" && (
          <a class="button second" href={service.startURL} target="_blank" rel="noopener">
            {words.trySignIn}
          </a>
        )}
      </PageHead>
      <section>
        <h2>{words.forProvider}</h2>
        <Copyable>
          {[
            [words.ourEntity, service.entityID],
            [words.ourAcs, service.acsURL],
            [words.ourStart, service.startURL],
            [words.ourLogout, service.acsURL.replace(/acs$/, "logout")],
          ]}
        </Copyable>
      </section>
      <section>
        <h2>{words.forUs}</h2>
        <Fields organization={organization} it={it} />
      </section>
      <section>
        <Confirm
          label={words.delete}
          question={filled(words.deleteProviderWhy, { label: it.label })}
          act={async () => {
            await write("deleteSamlProvider", { params });
            route(list);
          }}
        />
      </section>
    </div>
  );
}

function Fields({ organization, it }: { readonly organization: string; readonly it: SamlProvider }) {
  const words = useWords();
  const teams = useWhole("listTeams", { params: { organizationId: organization } });
  const [label, setLabel] = useState(it.label);
  const [entityID, setEntity] = useState(it.entityID ?? "");
  const [ssoURL, setSso] = useState(it.ssoURL ?? "");
  const [sloURL, setSlo] = useState(it.sloURL ?? "");
  const [certificate, setCertificate] = useState(it.certificate ?? "");
  const [role, setRole] = useState<RoleOrNone>(fromRole(it.defaultRole));
  const [team, setTeam] = useState(it.defaultTeam?.id ?? "");
  const saving = useSaving(() =>
    write("updateSamlProvider", {
      params: { organizationId: organization, samlProviderId: it.id },
      body: {
        label,
        ...omitUndefined({
          entityID: entityID === "" ? undefined : entityID,
          ssoURL: ssoURL === "" ? undefined : ssoURL,
          certificate: certificate.trim() === "" ? undefined : certificate,
        }),
        sloURL: sloURL === "" ? null : sloURL,
        defaultRole: asRole(role),
        defaultTeam: team === "" ? null : team,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={words.save} done={saving.done}>
      <TextField label={words.providerLabel} value={label} onInput={changing(setLabel)} required maxLength={30} />
      <TextField
        label={words.entityId}
        value={entityID}
        onInput={changing(setEntity)}
        required={it.entityID !== undefined}
        maxLength={1024}
      />
      <TextField
        label={words.ssoUrl}
        type="url"
        value={ssoURL}
        onInput={changing(setSso)}
        required={it.ssoURL !== undefined}
      />
      <TextField label={words.sloUrl} type="url" value={sloURL} onInput={changing(setSlo)} />
      <TextField
        label={words.certificate}
        hint={words.certificateHint}
        value={certificate}
        onInput={changing(setCertificate)}
        required={it.certificate !== undefined}
        rows={6}
        maxLength={10_000}
      />
      <Choice label={words.defaultRole} value={role} options={roleOptions(words)} onChange={changing(setRole)} />
      <Choice
        label={words.defaultTeam}
        value={team}
        onChange={changing(setTeam)}
        options={[["", words.noTeam], ...teams.map((one) => [one.id, one.title] as const)]}
      />
    </Form>
  );
}
