// The change requests of an organization, or of a space.

import { useState } from "preact/hooks";
import type { ChangeRequest } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { Choice } from "../parts/field";
import { PageHead } from "../parts/page-head";
import { ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { Status, statusWords } from "./status";

export function ChangeRequests({ organization, space }: { readonly organization: string; readonly space?: string }) {
  const words = useWords();
  const [status, setStatus] = useState<ChangeRequest["status"]>("open");
  const query = { status };
  const ofSpace = useList(
    "listChangeRequests",
    space === undefined ? undefined : { params: { spaceId: space }, query },
  );
  const ofAll = useList(
    "listOrganizationChangeRequests",
    space === undefined ? { params: { organizationId: organization }, query } : undefined,
  );
  const list = space === undefined ? ofAll : ofSpace;
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
          value={status}
          onChange={setStatus}
          options={Object.entries(statusWords(words)) as [ChangeRequest["status"], string][]}
        />
      </div>
      <ShownList of={list} empty={<p>{words.noChangeRequests}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <a href={addresses.changeRequest(organization, "space" in it ? String(it.space) : space!, it.number)}>
                  <strong>
                    <bdi>{it.subject || words.noSubject}</bdi>
                  </strong>
                  <small>
                    #{it.number} · {it.createdBy && <bdi>{it.createdBy.displayName}</bdi>} · <When at={it.updatedAt} />
                  </small>
                  <Status of={it.status} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </div>
  );
}
