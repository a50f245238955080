// The sign-in settings of an organization: its SAML providers, and whether members must use them.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Organization } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Check, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedList } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { SettingsLayout } from "./settings-layout";

export function SignInSettings({ organization }: { readonly organization: string }) {
  return (
    <SettingsLayout organization={organization}>
      {(it) => (
        <>
          <SignInRequirement it={it} />
          <ProviderList organization={organization} />
        </>
      )}
    </SettingsLayout>
  );
}

function SignInRequirement({ it }: { readonly it: Organization }) {
  const messages = useMessages();
  const require = useAction((sso: boolean) =>
    runMutation("updateOrganization", { params: { organizationId: it.id }, body: { sso } }),
  );
  return (
    <section>
      <Check
        label={messages.requireSso}
        hint={messages.requireSsoHint}
        checked={it.sso ?? false}
        disabled={require.isBusy}
        onChange={(sso) => void require.run(sso)}
      />
      <ActionError error={require.error} />
    </section>
  );
}

function ProviderList({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const providers = useList("listSamlProviders", { params: { organizationId: organization } });
  return (
    <section>
      <h2>{messages.samlProviders}</h2>
      <p>{messages.samlProvidersWhy}</p>
      <LoadedList of={providers} empty={<p>{messages.noSamlProviders}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ id, label, entityID, status }) => (
              <li key={id}>
                <a href={addresses.part(organization, `settings/sign-in/${id}`)}>
                  <strong>
                    <bdi>{label}</bdi>
                  </strong>
                  <small>{entityID}</small>
                  <span class={`status ${status === "active" ? "good" : "draft"}`}>
                    {status === "active" ? messages.providerActive : messages.providerPending}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      <p>
        <Button onClick={() => setMaking(true)}>{messages.newProvider}</Button>
      </p>
      {isMaking && <NewProvider organization={organization} onClose={() => setMaking(false)} />}
    </section>
  );
}

function NewProvider({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const [label, setLabel] = useState("");
  const make = useAction(async () => {
    const { id } = await runMutation("createSamlProvider", {
      params: { organizationId: organization },
      body: { label },
    });
    route(addresses.part(organization, `settings/sign-in/${id}`));
  });
  return (
    <Dialog title={messages.newProvider} onClose={onClose}>
      <Form action={make} submit={messages.create} onCancel={onClose}>
        <TextField label={messages.providerLabel} value={label} onInput={setLabel} required autoFocus maxLength={30} />
      </Form>
    </Dialog>
  );
}
