// The trash of an organization: deleted spaces, which can be restored for seven days.

import { runMutation, useList } from "../api/api";
import { ActionButton } from "../components/confirm";
import { LoadedRows, PageHead, RelativeTime } from "../components/page";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function Trash({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const spaces = useList("listSpaces", { params, query: { deleted: "true" } });
  return (
    <div class="page">
      <PageHead title={messages.trash} above={[[messages.library, addresses.organization(organization)]]} />
      <p>{messages.trashWhy}</p>
      <LoadedRows of={spaces} empty={messages.trashEmpty}>
        {(it) => (
          <div>
            <strong>
              <bdi>{it.title}</bdi>
            </strong>
            <small>
              <RelativeTime at={it.deletedAt ?? it.updatedAt} sentence={messages.deletedAt} />
            </small>
            <ActionButton act={() => runMutation("restoreSpace", { params: { spaceId: it.id } })}>
              {messages.restore}
            </ActionButton>
          </div>
        )}
      </LoadedRows>
    </div>
  );
}
