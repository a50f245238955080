// The API tokens of the user, for programs that act with the permissions of the user or fewer.

import { useState } from "preact/hooks";
import { formatMessage } from "../../../locales/format-message";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { LoadedRows } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { everyScope, readOnly } from "./scopes";

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = ["", "7", "30", "90", "365"] as const;

export function Tokens() {
  const messages = useMessages();
  const tokens = useList("listTokens", {});
  const { values, fields, set } = useFields({
    label: "",
    days: "90" as (typeof lifetimes)[number],
    limit: "all" as "all" | "read" | "chosen",
    chosen: [] as readonly string[],
  });
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { label, days, limit, chosen } = values;
    const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const scopes = { all: null, read: readOnly, chosen: [...chosen] }[limit];
    const { token } = await runMutation("createToken", { body: { label, expiresAt, scopes } });
    setMade(token);
    set({ label: "" });
  });
  return (
    <section>
      <h2>{messages.account.tokens}</h2>
      <p>{messages.account.tokensWhy}</p>
      <LoadedRows of={tokens} empty={messages.account.noTokens}>
        {({ id, label: name, createdAt, expiresAt, scopes }) => (
          <div>
            <span>
              <strong>
                <bdi>{name}</bdi>
              </strong>{" "}
              <small>
                <RelativeTime at={createdAt} sentence={messages.organization.made} />
                {expiresAt !== null && (
                  <>
                    {" · "}
                    {Date.parse(expiresAt) < Date.now() ? (
                      messages.account.expired
                    ) : (
                      <RelativeTime at={expiresAt} sentence={messages.people.ends} />
                    )}
                  </>
                )}
              </small>
              {scopes !== null && (
                <>
                  <br />
                  <small>
                    {scopes.length === readOnly.length && scopes.every((scope) => readOnly.includes(scope))
                      ? messages.account.mayRead
                      : formatMessage(messages.account.scopesOfToken, { scopes: scopes.join(", ") })}
                  </small>
                </>
              )}
            </span>
            <Confirm
              label={messages.account.revoke}
              question={messages.account.revokeWhy}
              act={() => runMutation("revokeToken", { params: { tokenId: id } })}
            />
          </div>
        )}
      </LoadedRows>
      {made !== undefined && <OneTimeSecret label={messages.account.newToken} value={made} />}
      <Form action={make} submit={messages.general.create}>
        <TextField label={messages.account.newTokenLabel} {...fields.label} required maxLength={50} />
        <Choice
          label={messages.account.expires}
          {...fields.days}
          options={lifetimes.map((it) => [
            it,
            it === "" ? messages.account.expiresNever : formatMessage(messages.account.expiresDays, { days: it }),
          ])}
        />
        <Choice
          label={messages.account.mayDo}
          {...fields.limit}
          options={[
            ["all", messages.account.mayDoAll],
            ["read", messages.account.mayRead],
            ["chosen", messages.account.mayChosen],
          ]}
        />
        {values.limit === "chosen" && (
          <Checks label={messages.account.mayChosen} options={everyScope} {...fields.chosen} />
        )}
      </Form>
    </section>
  );
}
