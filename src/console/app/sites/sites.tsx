// The sites of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { toOptions, useFields } from "../api/fields";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Choice, Form, TextField } from "../components/fields";
import { Loaded, LoadedRows, PageHead } from "../components/page";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { getVisibilityLabels } from "./visibility";

export function Sites({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const [isMaking, setMaking] = useState(false);
  const found = useQuery("getOrganization", { params: { organizationId: organization } });
  const sites = useList("listSites", { params: { organizationId: organization } });
  return (
    <Loaded of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={messages.sites}>
            {permissions.createContent && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {messages.newSite}
              </Button>
            )}
          </PageHead>
          <LoadedRows of={sites} empty={messages.noSites}>
            {({ id, title, published, visibility, urls }) => (
              <a href={addresses.part(organization, `sites/${id}`)}>
                <strong>
                  <bdi>{title}</bdi>
                </strong>
                <small>{urls.published ?? getVisibilityLabels(messages)[visibility]}</small>
                <span class={`status ${published ? "merged" : "draft"}`}>
                  {published ? messages.published : messages.notPublished}
                </span>
              </a>
            )}
          </LoadedRows>
          {isMaking && <NewSite organization={organization} onClose={() => setMaking(false)} />}
        </div>
      )}
    </Loaded>
  );
}

function NewSite({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const params = { organizationId: organization };
  const spaces = useCompleteList("listSpaces", { params });
  const { values, fields } = useFields({ title: "", space: "" });
  const make = useAction(async () => {
    const { title, space } = values;
    const body = { title, ...omitUndefined({ spaces: space === "" ? undefined : [space] }) };
    const { id } = await runMutation("createSite", { params, body });
    route(addresses.part(organization, `sites/${id}`));
  });
  return (
    <Dialog title={messages.newSite} onClose={onClose}>
      <Form action={make} submit={messages.create} onCancel={onClose}>
        <TextField label={messages.title} {...fields.title} required autoFocus maxLength={255} />
        <Choice label={messages.firstSpace} {...fields.space} options={toOptions(spaces, "—")} />
      </Form>
    </Dialog>
  );
}
