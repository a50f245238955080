// The directory of a company, which manages members and teams over SCIM: its URL and its tokens.

import { useState } from "preact/hooks";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { pageConfig } from "../api/page-config";
import { useList } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Copyable } from "../components/copy";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { LoadedRows } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
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
  const [label, setLabel] = useState("");
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { token } = await runMutation("createScimToken", { params, body: { label } });
    setMade(token);
    setLabel("");
  });
  return (
    <>
      <section>
        <p>{messages.organization.scimWhy}</p>
        <Copyable>
          {[[messages.organization.scimAddress, `${location.origin}${pageConfig.api}/scim/v2/${organization}`]]}
        </Copyable>
      </section>
      <section>
        <h2>{messages.organization.scimTokens}</h2>
        {made !== undefined && <OneTimeSecret label={messages.organization.newScimToken} value={made} />}
        <LoadedRows of={tokens} empty={messages.organization.noScimTokens}>
          {({ id, label: name, createdAt }) => (
            <div>
              <span>
                <strong>
                  <bdi>{name}</bdi>
                </strong>{" "}
                <small>
                  <RelativeTime at={createdAt} sentence={messages.organization.made} />
                </small>
              </span>
              <Confirm
                label={messages.account.revoke}
                question={formatMessage(messages.organization.revokeScimWhy, { label: name })}
                act={() => runMutation("revokeScimToken", { params: { ...params, scimTokenId: id } })}
              />
            </div>
          )}
        </LoadedRows>
        <Form action={make} submit={messages.organization.newScimToken}>
          <TextField
            label={messages.organization.scimLabel}
            value={label}
            onChange={setLabel}
            required
            maxLength={50}
          />
        </Form>
      </section>
    </>
  );
}
