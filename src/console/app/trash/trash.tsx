// The trash of an organization: deleted spaces, which can be restored for seven days.

import { runMutation } from "../api/mutations";
import { useList } from "../api/queries";
import { ActionButton } from "../components/action-button";
import { LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";

export function Trash({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const spaces = useList("listSpaces", { params, query: { deleted: "true" } });
  return (
    <div class="page">
      <PageHead
        title={messages.trash.trash}
        above={[[messages.layout.library, addresses.organization(organization)]]}
      />
      <p>{messages.trash.trashWhy}</p>
      <LoadedRows of={spaces} empty={messages.trash.trashEmpty}>
        {(it) => (
          <div>
            <span>
              <strong>
                <bdi>{it.title}</bdi>
              </strong>
              <br />
              <small>
                <RelativeTime at={it.deletedAt ?? it.updatedAt} sentence={messages.trash.deletedAt} />
              </small>
            </span>
            <ActionButton act={() => runMutation("restoreSpace", { params: { spaceId: it.id } })}>
              {messages.trash.restore}
            </ActionButton>
          </div>
        )}
      </LoadedRows>
    </div>
  );
}
