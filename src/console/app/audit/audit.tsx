// The audit log of an organization, with filters and a download.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { pageConfig } from "../api/page-config";
import { useList, useQuery } from "../api/queries";
import { Check, Choice, TextField } from "../components/field";
import { Loaded, LoadedList } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { PersonField } from "../people/person-field";
import { AuditLine } from "./audit-line";
import { type AuditFilterFields, noFilter, toAuditQuery } from "./filter";

export function AuditLog({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const isAdmin = found.state === "loaded" && found.value.permissions.admin;
  const [filter, setFilter] = useState<AuditFilterFields>(noFilter);
  const [isOldestFirst, setOldestFirst] = useState(false);
  const actions = useCompleteList("listAuditEventActions", isAdmin ? { params } : undefined);
  const query = toAuditQuery(filter);
  const events = useList(
    "listAuditEvents",
    isAdmin
      ? { params, query: { ...query, ...omitUndefined({ order: isOldestFirst ? ("asc" as const) : undefined }) } }
      : undefined,
  );
  const change = (name: keyof AuditFilterFields) => (value: string) => setFilter({ ...filter, [name]: value });
  const file = `${pageConfig.api}/v1/orgs/${organization}/audit-events/export?${new URLSearchParams(query)}`;
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.auditLog} />
          {isAdmin ? (
            <>
              <p>{messages.auditWhy}</p>
              <search class="filters">
                <div>
                  <PersonField
                    organization={organization}
                    label={messages.actor}
                    value={filter.actor}
                    onChange={change("actor")}
                    none={messages.anybody}
                  />
                </div>
                <Choice
                  label={messages.action}
                  value={filter.action}
                  onChange={change("action")}
                  options={[["", messages.anyAction], ...actions.map(({ action }) => [action, action] as const)]}
                />
                <TextField label={messages.thing} value={filter.thing} onInput={change("thing")} maxLength={64} />
                <TextField label={messages.fromDay} type="date" value={filter.from} onInput={change("from")} />
                <TextField label={messages.untilDay} type="date" value={filter.until} onInput={change("until")} />
                <Check label={messages.oldestFirst} checked={isOldestFirst} onChange={setOldestFirst} />
              </search>
              <p>
                <a href={file} download>
                  {messages.downloadLog}
                </a>
              </p>
              <LoadedList of={events} empty={<p>{messages.noAuditEvents}</p>}>
                {(items) => (
                  <ul class="rows">
                    {items.map((event) => (
                      <li key={event.id}>
                        <AuditLine event={event} />
                      </li>
                    ))}
                  </ul>
                )}
              </LoadedList>
            </>
          ) : (
            <p class="empty">{messages.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
