// Share links, which open the site to everyone who has them. A link is shown once, when it is created.

import { useState } from "preact/hooks";
import type { ShareLink } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { OneTimeSecret } from "../components/one-time-secret";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import type { OpenSite } from "./site-layout";

/** A new link, which can be copied only once. */
interface CreatedShareLink {
  readonly name: string;
  readonly url: string;
}

export function ShareLinks({ site, params }: OpenSite) {
  const messages = useMessages();
  const list = useList("listShareLinks", { params });
  const [name, setName] = useState("");
  const [fresh, setFresh] = useState<CreatedShareLink>();
  const show = (it: ShareLink) => {
    const url = it.urls.published ?? it.key;
    setFresh(url === undefined ? undefined : { name: it.name, url });
  };
  const make = useAction(async () => {
    show(await runMutation("createShareLink", { params, body: { name } }));
    setName("");
  });
  return (
    <section>
      <h2>{messages.audience.shareLinks}</h2>
      <p>{site.visibility === "share-link" ? messages.audience.shareLinksWhy : messages.audience.shareLinksUnused}</p>
      {fresh && <OneTimeSecret label={fresh.name} value={fresh.url} />}
      <LoadedRows of={list} empty={messages.audience.noShareLinks}>
        {(it) => <OneLink it={it} params={params} onFresh={show} />}
      </LoadedRows>
      <Form action={make} submit={messages.audience.newShareLink}>
        <TextField
          label={messages.audience.shareLinkName}
          hint={messages.audience.shareLinkNameHint}
          value={name}
          onChange={setName}
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
          {it.active ? messages.audience.linkWorks : messages.audience.linkOff} ·{" "}
          <RelativeTime at={it.createdAt} sentence={messages.organization.made} />
        </small>
      </span>
      <span class="buttons">
        <Button action={toggle}>{it.active ? messages.audience.switchOff : messages.audience.switchOn}</Button>
        <Confirm
          kind="second"
          label={messages.audience.newShareKey}
          question={formatMessage(messages.audience.newShareKeyWhy, { title: it.name })}
          act={async () => onFresh(await runMutation("regenerateShareLink", { params: at }))}
        />
        <Confirm
          label={messages.general.delete}
          question={formatMessage(messages.audience.deleteShareLinkWhy, { title: it.name })}
          act={() => runMutation("deleteShareLink", { params: at })}
        />
      </span>
      <ActionError error={toggle.error} />
    </div>
  );
}
