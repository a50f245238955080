// The sites of an organization.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
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
          <PageHead title={messages.layout.sites}>
            {permissions.createContent && (
              <Button kind="first" onClick={() => setMaking(true)}>
                {messages.sites.newSite}
              </Button>
            )}
          </PageHead>
          <LoadedRows of={sites} empty={messages.sites.noSites}>
            {({ id, title, published, visibility, urls }) => (
              <a href={addresses.part(organization, `sites/${id}`)}>
                <strong>
                  <bdi>{title}</bdi>
                </strong>
                <small>{urls.published ?? getVisibilityLabels(messages)[visibility]}</small>
                <span class={`status ${published ? "merged" : "draft"}`}>
                  {published ? messages.sites.published : messages.sites.notPublished}
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
    <Dialog title={messages.sites.newSite} onClose={onClose}>
      <Form action={make} submit={messages.general.create} onCancel={onClose}>
        <TextField label={messages.general.title} {...fields.title} required autoFocus maxLength={255} />
        <Choice
          label={messages.sites.firstSpace}
          {...fields.space}
          options={[["", "—"], ...spaces.map((it) => [it.id, it.title] as const)]}
        />
      </Form>
    </Dialog>
  );
}
