// The general settings of an organization: its name, its addresses, and what new members find.

import { useState } from "preact/hooks";
import type { Organization } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useSaving } from "../calls/saving";
import { useWhole } from "../calls/whole";
import { write } from "../calls/writes";
import { Check, Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { asRole, fromRole, type RoleOrNone, roleOptions } from "../people/roles";
import { useWords } from "../words/words";
import { Domains } from "./domains";
import { InSettings } from "./in-settings";
import { domainsIn } from "./typed-domains";

export function GeneralSettings({ organization }: { readonly organization: string }) {
  return (
    <InSettings organization={organization}>
      {(it) => (
        <>
          <Fields key={it.id} it={it} />
          <Domains of={it.domainProofs ?? []} />
        </>
      )}
    </InSettings>
  );
}

function Fields({ it }: { readonly it: Organization }) {
  const words = useWords();
  const params = { organizationId: it.id };
  const sites = useWhole("listSites", { params });
  const [title, setTitle] = useState(it.title);
  const [hostname, setHostname] = useState(it.hostname ?? "");
  const [logo, setLogo] = useState(it.urls.logo ?? "");
  const [role, setRole] = useState<RoleOrNone>(fromRole(it.defaultRole ?? null));
  const [domains, setDomains] = useState(it.emailDomains.join("\n"));
  const [site, setSite] = useState(it.defaultContent?.site ?? "");
  const [inviteLinks, setInviteLinks] = useState(it.inviteLinks);
  const [ai, setAi] = useState(it.ai ?? false);
  const saving = useSaving(() =>
    write("updateOrganization", {
      params,
      body: {
        title,
        // A subdomain can be changed, and not given up.
        ...omitUndefined({ hostname: hostname === "" ? undefined : hostname }),
        logo: logo === "" ? null : logo,
        defaultRole: asRole(role),
        emailDomains: domainsIn(domains),
        defaultContent: site === "" ? null : { type: "site", site },
        inviteLinks,
        ai,
      },
    }),
  );
  const { changing } = saving;
  return (
    <Form action={saving} submit={words.save} done={saving.done}>
      <TextField label={words.title} value={title} onInput={changing(setTitle)} required maxLength={255} />
      <TextField
        label={words.hostname}
        hint={words.hostnameHint}
        value={hostname}
        onInput={changing(setHostname)}
        required={it.hostname !== undefined}
        maxLength={32}
      />
      <TextField label={words.logo} type="url" value={logo} onInput={changing(setLogo)} maxLength={2048} />
      <Choice
        label={words.defaultRole}
        hint={words.defaultRoleHint}
        value={role}
        options={roleOptions(words)}
        onChange={changing(setRole)}
      />
      <TextField
        label={words.emailDomains}
        hint={words.emailDomainsHint}
        value={domains}
        onInput={changing(setDomains)}
        rows={3}
      />
      <Choice
        label={words.firstSeen}
        value={site}
        onChange={changing(setSite)}
        options={[["", words.nothingInParticular], ...sites.map((one) => [one.id, one.title] as const)]}
      />
      <Check label={words.inviteLinks} checked={inviteLinks} onChange={changing(setInviteLinks)} />
      <Check label={words.aiFeatures} hint={words.aiFeaturesHint} checked={ai} onChange={changing(setAi)} />
    </Form>
  );
}
