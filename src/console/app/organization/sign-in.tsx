// How the people of an organization sign in: its SAML providers, and whether everybody is asked to use them.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Organization } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Check, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { InSettings } from "./in-settings";

export function SignInSettings({ organization }: { readonly organization: string }) {
  return (
    <InSettings organization={organization}>
      {(it) => (
        <>
          <Requirement it={it} />
          <Providers organization={organization} />
        </>
      )}
    </InSettings>
  );
}

function Requirement({ it }: { readonly it: Organization }) {
  const words = useWords();
  const require = useAction((sso: boolean) =>
    write("updateOrganization", { params: { organizationId: it.id }, body: { sso } }),
  );
  return (
    <section>
      <Check
        label={words.requireSso}
        hint={words.requireSsoHint}
        checked={it.sso ?? false}
        disabled={require.isBusy}
        onChange={(sso) => void require.run(sso)}
      />
      <Problem error={require.error} />
    </section>
  );
}

function Providers({ organization }: { readonly organization: string }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const providers = useList("listSamlProviders", { params: { organizationId: organization } });
  return (
    <section>
      <h2>{words.samlProviders}</h2>
      <p>{words.samlProvidersWhy}</p>
      <ShownList of={providers} empty={<p>{words.noSamlProviders}</p>}>
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
                    {status === "active" ? words.providerActive : words.providerPending}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <p>
        <Button onClick={() => setMaking(true)}>{words.newProvider}</Button>
      </p>
      {isMaking && <NewProvider organization={organization} onClose={() => setMaking(false)} />}
    </section>
  );
}

function NewProvider({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const words = useWords();
  const { route } = useLocation();
  const [label, setLabel] = useState("");
  const make = useAction(async () => {
    const { id } = await write("createSamlProvider", { params: { organizationId: organization }, body: { label } });
    route(addresses.part(organization, `settings/sign-in/${id}`));
  });
  return (
    <Dialog title={words.newProvider} onClose={onClose}>
      <Form action={make} submit={words.create} onCancel={onClose}>
        <TextField label={words.providerLabel} value={label} onInput={setLabel} required autoFocus maxLength={30} />
      </Form>
    </Dialog>
  );
}
