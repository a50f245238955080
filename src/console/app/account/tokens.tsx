// Tokens of a person: for programs that do what this person may do, or less.

import { useState } from "preact/hooks";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Checks } from "../parts/checks";
import { Confirm } from "../parts/confirm";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { ShownOnce } from "../parts/once";
import { ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords, type Words } from "../words/words";
import { everyScope, readOnly } from "./scopes";

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = ["", "7", "30", "90", "365"] as const;

export function Tokens() {
  const words = useWords();
  const tokens = useList("listTokens", {});
  return (
    <section>
      <h2>{words.tokens}</h2>
      <p>{words.tokensWhy}</p>
      <ShownList of={tokens} empty={<p>{words.noTokens}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ id, label: name, createdAt, expiresAt, scopes }) => (
              <li key={id}>
                <div>
                  <span>
                    <strong>
                      <bdi>{name}</bdi>
                    </strong>{" "}
                    <small>
                      <When at={createdAt} sentence={words.made} />
                      {expiresAt !== null && (
                        <>
                          {" · "}
                          {Date.parse(expiresAt) < Date.now() ? (
                            words.expired
                          ) : (
                            <When at={expiresAt} sentence={words.ends} />
                          )}
                        </>
                      )}
                    </small>
                    {scopes !== null && (
                      <>
                        <br />
                        <small>{scopesText(words, scopes)}</small>
                      </>
                    )}
                  </span>
                  <Confirm
                    label={words.revoke}
                    question={words.revokeWhy}
                    act={() => write("revokeToken", { params: { tokenId: id } })}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <NewToken />
    </section>
  );
}

function scopesText(words: Words, scopes: readonly string[]): string {
  const isReadOnly = scopes.length === readOnly.length && scopes.every((scope) => readOnly.includes(scope));
  return isReadOnly ? words.mayRead : filled(words.scopesOfToken, { scopes: scopes.join(", ") });
}

function NewToken() {
  const words = useWords();
  const [label, setLabel] = useState("");
  const [days, setDays] = useState<(typeof lifetimes)[number]>("90");
  const [limit, setLimit] = useState<"all" | "read" | "chosen">("all");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const scopes = { all: null, read: readOnly, chosen: [...chosen] }[limit];
    const { token } = await write("createToken", { body: { label, expiresAt, scopes } });
    setMade(token);
    setLabel("");
  });
  return (
    <>
      {made !== undefined && <ShownOnce label={words.newToken} value={made} />}
      <Form action={make} submit={words.create}>
        <TextField label={words.newTokenLabel} value={label} onInput={setLabel} required maxLength={50} />
        <Choice
          label={words.expires}
          value={days}
          onChange={setDays}
          options={lifetimes.map((it) => [
            it,
            it === "" ? words.expiresNever : filled(words.expiresDays, { days: it }),
          ])}
        />
        <Choice
          label={words.mayDo}
          value={limit}
          onChange={setLimit}
          options={[
            ["all", words.mayDoAll],
            ["read", words.mayRead],
            ["chosen", words.mayChosen],
          ]}
        />
        {limit === "chosen" && (
          <Checks label={words.mayChosen} options={everyScope} chosen={chosen} onChange={setChosen} />
        )}
      </Form>
    </>
  );
}
