// The change requests of an organization, or of a space: drafts and those in review, or those that are finished.

import { useState } from "preact/hooks";
import type { ChangeRequest } from "../../../generated/resources";
import { type ReadingList, useList, useRead } from "../calls/reads";
import { Choice } from "../parts/field";
import { PageHead } from "../parts/page-head";
import { ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { Status } from "./status";

/** The statuses that one choice shows. */
const STATUSES = { unfinished: ["open", "draft"], merged: ["merged"], archived: ["archived"] } as const;
type Choices = keyof typeof STATUSES;

export function ChangeRequests({ organization, space }: { readonly organization: string; readonly space?: string }) {
  const words = useWords();
  const [chosen, setChosen] = useState<Choices>("unfinished");
  const [first, second] = STATUSES[chosen];
  const lists = [useListOf(organization, space, first), useListOf(organization, space, second)];
  const isEmpty = lists.every(hasNoItems);
  const found = useRead("getSpace", space === undefined ? undefined : { params: { spaceId: space } });
  const title = found.state === "had" ? found.value.title : words.pages;
  return (
    <div class="page">
      <PageHead
        title={words.changeRequests}
        above={[
          [words.library, addresses.organization(organization)],
          ...(space === undefined ? [] : [[title, addresses.space(organization, space)] as const]),
        ]}
      />
      <div class="choices">
        <Choice
          label={words.show}
          value={chosen}
          onChange={setChosen}
          options={[
            ["unfinished", words.statusUnfinished],
            ["merged", words.statusMerged],
            ["archived", words.statusArchived],
          ]}
        />
      </div>
      {isEmpty ? (
        <div class="empty">
          <p>{words.noChangeRequests}</p>
        </div>
      ) : (
        lists
          .filter((list) => !hasNoItems(list))
          .map((list, index) => (
            <ShownList key={index} of={list} empty={null}>
              {(items) => (
                <ul class="rows">
                  {items.map((it) => (
                    <li key={it.id}>
                      <a
                        href={addresses.changeRequest(
                          organization,
                          "space" in it ? String(it.space) : space!,
                          it.number,
                        )}
                      >
                        <strong>
                          <bdi>{it.subject || words.noSubject}</bdi>
                        </strong>
                        <small>
                          #{it.number} · {it.createdBy && <bdi>{it.createdBy.displayName}</bdi>} ·{" "}
                          <When at={it.updatedAt} />
                        </small>
                        <Status of={it.status} />
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </ShownList>
          ))
      )}
    </div>
  );
}

function hasNoItems({ reading }: ReadingList<ChangeRequest>): boolean {
  return reading.state === "had" && reading.value.length === 0;
}

/** The change requests with a status, of a space or of the whole organization. Without a status it is an empty list. */
function useListOf(organization: string, space: string | undefined, status: ChangeRequest["status"] | undefined) {
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

const NO_LIST: ReadingList<ChangeRequest> = { reading: { state: "had", value: [] }, count: 0, more: undefined };
