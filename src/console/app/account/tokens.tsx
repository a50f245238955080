// The API tokens of the user, for programs that act with the permissions of the user or fewer.

import { useState } from "preact/hooks";
import { runMutation, useAction, useList } from "../api/api";
import { useFields } from "../api/fields";
import { Checks } from "../components/checks";
import { Confirm } from "../components/confirm";
import { OneTimeSecret } from "../components/copy";
import { Choice, Form, TextField } from "../components/fields";
import { LoadedRows, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";

export const readOnly = [
  ...["ask", "audit", "change-requests", "collections", "comments", "events", "git-sync", "grants", "imports"],
  ...["integrations", "invites", "jobs", "members", "openapi-specs", "organizations", "revisions", "saml", "scim"],
  ...["search", "sessions", "sites", "spaces", "teams", "templates", "tokens", "translations", "users"],
].map((kind) => `${kind}:read`);

const never = new Set(["ask", "audit", "events", "search", "templates"].map((kind) => `${kind}:read`));

export const everyScope = readOnly.flatMap((scope) =>
  never.has(scope) ? [scope] : [scope, scope.replace(/:read$/, ":write")],
);

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
      <h2>{messages.tokens}</h2>
      <p>{messages.tokensWhy}</p>
      <LoadedRows of={tokens} empty={messages.noTokens}>
        {({ id, label: name, createdAt, expiresAt, scopes }) => (
          <div>
            <span>
              <strong>
                <bdi>{name}</bdi>
              </strong>{" "}
              <small>
                <RelativeTime at={createdAt} sentence={messages.made} />
                {expiresAt !== null && (
                  <>
                    {" · "}
                    {Date.parse(expiresAt) < Date.now() ? (
                      messages.expired
                    ) : (
                      <RelativeTime at={expiresAt} sentence={messages.ends} />
                    )}
                  </>
                )}
              </small>
              {scopes !== null && (
                <>
                  <br />
                  <small>
                    {scopes.length === readOnly.length && scopes.every((scope) => readOnly.includes(scope))
                      ? messages.mayRead
                      : fillMessage(messages.scopesOfToken, { scopes: scopes.join(", ") })}
                  </small>
                </>
              )}
            </span>
            <Confirm
              label={messages.revoke}
              question={messages.revokeWhy}
              act={() => runMutation("revokeToken", { params: { tokenId: id } })}
            />
          </div>
        )}
      </LoadedRows>
      {made !== undefined && <OneTimeSecret label={messages.newToken} value={made} />}
      <Form action={make} submit={messages.create}>
        <TextField label={messages.newTokenLabel} {...fields.label} required maxLength={50} />
        <Choice
          label={messages.expires}
          {...fields.days}
          options={lifetimes.map((it) => [
            it,
            it === "" ? messages.expiresNever : fillMessage(messages.expiresDays, { days: it }),
          ])}
        />
        <Choice
          label={messages.mayDo}
          {...fields.limit}
          options={{ all: messages.mayDoAll, read: messages.mayRead, chosen: messages.mayChosen }}
        />
        {values.limit === "chosen" && <Checks label={messages.mayChosen} options={everyScope} {...fields.chosen} />}
      </Form>
    </section>
  );
}
