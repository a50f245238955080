// Share links: each opens the site to whoever has it. The link itself is shown once, when it is made.

import { useState } from "preact/hooks";
import type { ShareLink } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { ShownOnce } from "../parts/once";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords } from "../words/words";
import type { OpenSite } from "./in-site";

/** A link that can be copied now, and never again. */
interface Fresh {
  readonly name: string;
  readonly url: string;
}

export function ShareLinks({ site, params }: OpenSite) {
  const words = useWords();
  const list = useList("listShareLinks", { params });
  const [name, setName] = useState("");
  const [fresh, setFresh] = useState<Fresh>();
  const show = (it: ShareLink) => {
    const url = it.urls.published ?? it.key;
    setFresh(url === undefined ? undefined : { name: it.name, url });
  };
  const make = useAction(async () => {
    show(await write("createShareLink", { params, body: { name } }));
    setName("");
  });
  return (
    <section>
      <h2>{words.shareLinks}</h2>
      <p>{site.visibility === "share-link" ? words.shareLinksWhy : words.shareLinksUnused}</p>
      {fresh && <ShownOnce label={fresh.name} value={fresh.url} />}
      <ShownList of={list} empty={<p>{words.noShareLinks}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <OneLink it={it} params={params} onFresh={show} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <Form action={make} submit={words.newShareLink}>
        <TextField
          label={words.shareLinkName}
          hint={words.shareLinkNameHint}
          value={name}
          onInput={setName}
          required
          maxLength={128}
        />
      </Form>
    </section>
  );
}

function OneLink({
  it,
  params,
  onFresh,
}: {
  readonly it: ShareLink;
  readonly params: OpenSite["params"];
  readonly onFresh: (it: ShareLink) => void;
}) {
  const words = useWords();
  const at = { ...params, shareLinkId: it.id };
  const toggle = useAction(() => write("updateShareLink", { params: at, body: { active: !it.active } }));
  return (
    <div>
      <span>
        <strong>
          <bdi>{it.name}</bdi>
        </strong>
        <br />
        <small>
          {it.active ? words.linkWorks : words.linkOff} · <When at={it.createdAt} />
        </small>
      </span>
      <span class="buttons">
        <Button isBusy={toggle.isBusy} onClick={() => void toggle.run()}>
          {it.active ? words.switchOff : words.switchOn}
        </Button>
        <Confirm
          kind="second"
          label={words.newShareKey}
          question={filled(words.newShareKeyWhy, { title: it.name })}
          act={async () => onFresh(await write("regenerateShareLink", { params: at }))}
        />
        <Confirm
          label={words.delete}
          question={filled(words.deleteShareLinkWhy, { title: it.name })}
          act={() => write("deleteShareLink", { params: at })}
        />
      </span>
      <Problem error={toggle.error} />
    </div>
  );
}
