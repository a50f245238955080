// The directory of a company, which manages members and teams by SCIM: its address, and its tokens.

import { useState } from "preact/hooks";
import { useList } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Copyable } from "../parts/copy";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { ShownOnce } from "../parts/once";
import { ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords } from "../words/words";
import { InSettings } from "./in-settings";

export function DirectorySettings({ organization }: { readonly organization: string }) {
  return <InSettings organization={organization}>{() => <Tokens organization={organization} />}</InSettings>;
}

function Tokens({ organization }: { readonly organization: string }) {
  const words = useWords();
  const params = { organizationId: organization };
  const tokens = useList("listScimTokens", { params });
  const [label, setLabel] = useState("");
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { token } = await write("createScimToken", { params, body: { label } });
    setMade(token);
    setLabel("");
  });
  return (
    <>
      <section>
        <p>{words.scimWhy}</p>
        <Copyable>{[[words.scimAddress, `${location.origin}${surroundings.api}/scim/v2/${organization}`]]}</Copyable>
      </section>
      <section>
        <h2>{words.scimTokens}</h2>
        {made !== undefined && <ShownOnce label={words.newScimToken} value={made} />}
        <ShownList of={tokens} empty={<p>{words.noScimTokens}</p>}>
          {(items) => (
            <ul class="rows">
              {items.map(({ id, label: name, createdAt }) => (
                <li key={id}>
                  <div>
                    <span>
                      <strong>
                        <bdi>{name}</bdi>
                      </strong>{" "}
                      <small>
                        <When at={createdAt} sentence={words.made} />
                      </small>
                    </span>
                    <Confirm
                      label={words.revoke}
                      question={filled(words.revokeScimWhy, { label: name })}
                      act={() => write("revokeScimToken", { params: { ...params, scimTokenId: id } })}
                    />
                  </div>
                </li>
              ))}
            </ul>
          )}
        </ShownList>
        <Form action={make} submit={words.newScimToken}>
          <TextField label={words.scimLabel} value={label} onInput={setLabel} required maxLength={50} />
        </Form>
      </section>
    </>
  );
}
