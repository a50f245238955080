// The directory of a company, which manages members and teams over SCIM: its URL and its tokens.

import { useState } from "preact/hooks";
import { pageConfig, runMutation, useAction, useList } from "../api/api";
import { useField } from "../api/fields";
import { Confirm } from "../components/confirm";
import { Copyable, OneTimeSecret } from "../components/copy";
import { Form, TextField } from "../components/fields";
import { LoadedRows, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { SettingsLayout } from "./settings-layout";

export function DirectorySettings({ organization }: { readonly organization: string }) {
  return (
    <SettingsLayout organization={organization}>{() => <DirectoryTokens organization={organization} />}</SettingsLayout>
  );
}

function DirectoryTokens({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const tokens = useList("listScimTokens", { params });
  const label = useField("");
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { token } = await runMutation("createScimToken", { params, body: { label: label.value } });
    setMade(token);
    label.onChange("");
  });
  return (
    <>
      <section>
        <p>{messages.scimWhy}</p>
        <Copyable>{[[messages.scimAddress, `${location.origin}${pageConfig.api}/scim/v2/${organization}`]]}</Copyable>
      </section>
      <section>
        <h2>{messages.scimTokens}</h2>
        {made !== undefined && <OneTimeSecret label={messages.newScimToken} value={made} />}
        <LoadedRows of={tokens} empty={messages.noScimTokens}>
          {({ id, label: name, createdAt }) => (
            <div>
              <span>
                <strong>
                  <bdi>{name}</bdi>
                </strong>{" "}
                <small>
                  <RelativeTime at={createdAt} sentence={messages.made} />
                </small>
              </span>
              <Confirm
                label={messages.revoke}
                question={fillMessage(messages.revokeScimWhy, { label: name })}
                act={() => runMutation("revokeScimToken", { params: { ...params, scimTokenId: id } })}
              />
            </div>
          )}
        </LoadedRows>
        <Form action={make} submit={messages.newScimToken}>
          <TextField label={messages.scimLabel} {...label} required maxLength={50} />
        </Form>
      </section>
    </>
  );
}
