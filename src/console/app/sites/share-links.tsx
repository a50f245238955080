// Share links, which open the site to everyone who has them. A link is shown once, when it is created.

import { useState } from "preact/hooks";
import type { ShareLink } from "../../../generated/resources";
import { runMutation, useAction, useList } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { OneTimeSecret } from "../components/copy";
import { Form, TextField } from "../components/fields";
import { ActionError, LoadedRows, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import type { OpenSite } from "./site-layout";

/** A new link, which can be copied only once. */
interface CreatedShareLink {
  readonly name: string;
  readonly url: string;
}

export function ShareLinks({ site, params }: OpenSite) {
  const messages = useMessages();
  const list = useList("listShareLinks", { params });
  const name = useField("");
  const [fresh, setFresh] = useState<CreatedShareLink>();
  const show = (it: ShareLink) => {
    const url = it.urls.published ?? it.key;
    setFresh(url === undefined ? undefined : { name: it.name, url });
  };
  const make = useAction(async () => {
    show(await runMutation("createShareLink", { params, body: { name: name.value } }));
    name.onChange("");
  });
  return (
    <section>
      <h2>{messages.shareLinks}</h2>
      <p>{site.visibility === "share-link" ? messages.shareLinksWhy : messages.shareLinksUnused}</p>
      {fresh && <OneTimeSecret label={fresh.name} value={fresh.url} />}
      <LoadedRows of={list} empty={messages.noShareLinks}>
        {(it) => <OneLink it={it} params={params} onFresh={show} />}
      </LoadedRows>
      <Form action={make} submit={messages.newShareLink}>
        <TextField
          label={messages.shareLinkName}
          hint={messages.shareLinkNameHint}
          {...name}
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
  const messages = useMessages();
  const at = { ...params, shareLinkId: it.id };
  const toggle = useAction(() => runMutation("updateShareLink", { params: at, body: { active: !it.active } }));
  return (
    <div>
      <span>
        <strong>
          <bdi>{it.name}</bdi>
        </strong>
        <br />
        <small>
          {it.active ? messages.linkWorks : messages.linkOff} · <RelativeTime at={it.createdAt} />
        </small>
      </span>
      <span class="buttons">
        <Button action={toggle}>{it.active ? messages.switchOff : messages.switchOn}</Button>
        <Confirm
          kind="second"
          label={messages.newShareKey}
          question={fillMessage(messages.newShareKeyWhy, { title: it.name })}
          act={async () => onFresh(await runMutation("regenerateShareLink", { params: at }))}
        />
        <Confirm
          label={messages.delete}
          question={fillMessage(messages.deleteShareLinkWhy, { title: it.name })}
          act={() => runMutation("deleteShareLink", { params: at })}
        />
      </span>
      <ActionError error={toggle.error} />
    </div>
  );
}
