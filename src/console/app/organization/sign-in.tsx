// The sign-in settings of an organization: its SAML providers, and whether members must use them.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Check } from "../components/field";
import { ActionError, LoadedRows } from "../components/loaded";
import { NameDialog } from "../components/name-dialog";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { SettingsLayout } from "./settings-layout";

export function SignInSettings({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const require = useAction((sso: boolean) =>
    runMutation("updateOrganization", { params: { organizationId: organization }, body: { sso } }),
  );
  return (
    <SettingsLayout organization={organization}>
      {(it) => (
        <>
          <section>
            <Check
              label={messages.organization.requireSso}
              hint={messages.organization.requireSsoHint}
              value={it.sso ?? false}
              disabled={require.isBusy}
              onChange={(sso) => void require.run(sso)}
            />
            <ActionError error={require.error} />
          </section>
          <ProviderList organization={organization} />
        </>
      )}
    </SettingsLayout>
  );
}

function ProviderList({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const { route } = useLocation();
  const [isMaking, setMaking] = useState(false);
  const params = { organizationId: organization };
  const providers = useList("listSamlProviders", { params });
  return (
    <section>
      <h2>{messages.organization.samlProviders}</h2>
      <p>{messages.organization.samlProvidersWhy}</p>
      <LoadedRows of={providers} empty={messages.organization.noSamlProviders}>
        {({ id, label, entityID, status }) => (
          <a href={addresses.part(organization, `settings/sign-in/${id}`)}>
            <strong>
              <bdi>{label}</bdi>
            </strong>
            <small>{entityID}</small>
            <span class={`status ${status === "active" ? "good" : "draft"}`}>
              {status === "active" ? messages.organization.providerActive : messages.organization.providerPending}
            </span>
          </a>
        )}
      </LoadedRows>
      <p>
        <Button onClick={() => setMaking(true)}>{messages.organization.newProvider}</Button>
      </p>
      {isMaking && (
        <NameDialog
          title={messages.organization.newProvider}
          label={messages.organization.providerLabel}
          maxLength={30}
          create={async (label) => {
            const { id } = await runMutation("createSamlProvider", { params, body: { label } });
            route(addresses.part(organization, `settings/sign-in/${id}`));
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </section>
  );
}
