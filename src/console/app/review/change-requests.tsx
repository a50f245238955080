// The change requests of an organization or of a space, open or closed.

import { useState } from "preact/hooks";
import type { ChangeRequest } from "../../../generated/resources";
import { type ListQuery, useList, useQuery } from "../api/queries";
import { Choice } from "../components/field";
import { LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Status } from "./status";

/** The statuses of each filter. */
const STATUSES = { unfinished: ["open", "draft"], merged: ["merged"], archived: ["archived"] } as const;
type Choices = keyof typeof STATUSES;

export function ChangeRequests({ organization, space }: { readonly organization: string; readonly space?: string }) {
  const messages = useMessages();
  const [chosen, setChosen] = useState<Choices>("unfinished");
  const [first, second] = STATUSES[chosen];
  const lists = [useChangeRequestList(organization, space, first), useChangeRequestList(organization, space, second)];
  const shown = lists.filter(({ reading }) => reading.state !== "loaded" || reading.value.length > 0);
  const found = useQuery("getSpace", space === undefined ? undefined : { params: { spaceId: space } });
  const title = found.state === "loaded" ? found.value.title : messages.space.pages;
  return (
    <div class="page">
      <PageHead
        title={messages.layout.changeRequests}
        above={[
          [messages.layout.library, addresses.organization(organization)],
          ...(space === undefined ? [] : [[title, addresses.space(organization, space)] as const]),
        ]}
      />
      <div class="choices">
        <Choice
          label={messages.comments.show}
          value={chosen}
          onChange={setChosen}
          options={[
            ["unfinished", messages.changeRequests.statusUnfinished],
            ["merged", messages.changeRequests.statusMerged],
            ["archived", messages.changeRequests.statusArchived],
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <div class="empty">
          <p>{messages.changeRequests.noChangeRequests}</p>
        </div>
      ) : (
        shown.map((list, index) => (
          <LoadedRows key={index} of={list}>
            {(it) => (
              <a href={addresses.changeRequest(organization, "space" in it ? String(it.space) : space!, it.number)}>
                <strong>
                  <bdi>{it.subject || messages.changeRequests.noSubject}</bdi>
                </strong>
                <small>
                  #{it.number} · {it.createdBy && <bdi>{it.createdBy.displayName}</bdi>} ·{" "}
                  <RelativeTime at={it.updatedAt} sentence={messages.library.changed} />
                </small>
                <Status of={it.status} />
              </a>
            )}
          </LoadedRows>
        ))
      )}
    </div>
  );
}

/** Returns the change requests with a status, of a space or of the organization. Without a status, the list is empty. */
function useChangeRequestList(
  organization: string,
  space: string | undefined,
  status: ChangeRequest["status"] | undefined,
) {
  const isOfSpace = status !== undefined && space !== undefined;
  const isOfAll = status !== undefined && space === undefined;
  const ofSpace = useList(
    "listChangeRequests",
    isOfSpace ? { params: { spaceId: space }, query: { status } } : undefined,
  );
  const ofAll = useList(
    "listOrganizationChangeRequests",
    isOfAll ? { params: { organizationId: organization }, query: { status } } : undefined,
  );
  if (isOfSpace) return ofSpace;
  return isOfAll ? ofAll : NO_LIST;
}

const NO_LIST: ListQuery<ChangeRequest> = { reading: { state: "loaded", value: [] }, count: 0, more: undefined };
