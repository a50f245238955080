// The audit log of an organization: what happened, with filters, and all of it as a file.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../utils/objects";
import { useList, useRead } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { useWhole } from "../calls/whole";
import { Check, Choice, TextField } from "../parts/field";
import { PageHead } from "../parts/page-head";
import { Shown, ShownList } from "../parts/shown";
import { PersonField } from "../people/person-field";
import { useWords } from "../words/words";
import { AuditLine } from "./audit-line";
import { type AuditFilter, filterOf, noFilter } from "./filter";

export function AuditLog({ organization }: { readonly organization: string }) {
  const words = useWords();
  const found = useRead("getOrganization", { params: { organizationId: organization } });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.auditLog} />
          {permissions.admin ? <Opened organization={organization} /> : <p class="empty">{words.onlyAdmins}</p>}
        </div>
      )}
    </Shown>
  );
}

function Opened({ organization }: { readonly organization: string }) {
  const words = useWords();
  const params = { organizationId: organization };
  const [filter, setFilter] = useState<AuditFilter>(noFilter);
  const [isOldestFirst, setOldestFirst] = useState(false);
  const actions = useWhole("listAuditEventActions", { params });
  const query = filterOf(filter);
  const events = useList("listAuditEvents", {
    params,
    query: { ...query, ...omitUndefined({ order: isOldestFirst ? ("asc" as const) : undefined }) },
  });
  const change = (name: keyof AuditFilter) => (value: string) => setFilter({ ...filter, [name]: value });
  const file = `${surroundings.api}/v1/orgs/${organization}/audit-events/export?${new URLSearchParams(query)}`;
  return (
    <>
      <p>{words.auditWhy}</p>
      <search class="filters">
        <div>
          <PersonField
            organization={organization}
            label={words.actor}
            value={filter.actor}
            onChange={change("actor")}
            none={words.anybody}
          />
        </div>
        <Choice
          label={words.action}
          value={filter.action}
          onChange={change("action")}
          options={[["", words.anyAction], ...actions.map(({ action }) => [action, action] as const)]}
        />
        <TextField label={words.thing} value={filter.thing} onInput={change("thing")} maxLength={64} />
        <TextField label={words.fromDay} type="date" value={filter.from} onInput={change("from")} />
        <TextField label={words.untilDay} type="date" value={filter.until} onInput={change("until")} />
        <Check label={words.oldestFirst} checked={isOldestFirst} onChange={setOldestFirst} />
      </search>
      <p>
        <a href={file} download>
          {words.downloadLog}
        </a>
      </p>
      <ShownList of={events} empty={<p>{words.noAuditEvents}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((event) => (
              <li key={event.id}>
                <AuditLine event={event} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </>
  );
}
