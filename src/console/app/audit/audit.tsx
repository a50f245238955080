// The audit log of an organization, with filters and a download.

import { useState } from "preact/hooks";
import { omitUndefined } from "../../../utils/objects";
import { useCompleteList } from "../api/complete-list";
import { useFields } from "../api/fields";
import { pageConfig } from "../api/page-config";
import { useList, useQuery } from "../api/queries";
import { Check, Choice, TextField } from "../components/field";
import { Loaded, LoadedRows } from "../components/loaded";
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
  const { values: filter, fields } = useFields<AuditFilterFields>(noFilter);
  const [isOldestFirst, setOldestFirst] = useState(false);
  const actions = useCompleteList("listAuditEventActions", isAdmin ? { params } : undefined);
  const query = toAuditQuery(filter);
  const events = useList(
    "listAuditEvents",
    isAdmin
      ? { params, query: { ...query, ...omitUndefined({ order: isOldestFirst ? ("asc" as const) : undefined }) } }
      : undefined,
  );
  const file = `${pageConfig.api}/v1/orgs/${organization}/audit-events/export?${new URLSearchParams(query)}`;
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.layout.auditLog} />
          {isAdmin ? (
            <>
              <p>{messages.auditLog.auditWhy}</p>
              <search class="filters">
                <div>
                  <PersonField
                    organization={organization}
                    label={messages.auditLog.actor}
                    {...fields.actor}
                    none={messages.auditLog.anybody}
                  />
                </div>
                <Choice
                  label={messages.auditLog.action}
                  {...fields.action}
                  options={[
                    ["", messages.auditLog.anyAction],
                    ...actions.map(({ action }) => [action, action] as const),
                  ]}
                />
                <TextField label={messages.auditLog.thing} {...fields.thing} maxLength={64} />
                <TextField label={messages.auditLog.fromDay} type="date" {...fields.from} />
                <TextField label={messages.auditLog.untilDay} type="date" {...fields.until} />
                <Check label={messages.auditLog.oldestFirst} value={isOldestFirst} onChange={setOldestFirst} />
              </search>
              <p>
                <a href={file} download>
                  {messages.auditLog.downloadLog}
                </a>
              </p>
              <LoadedRows of={events} empty={messages.auditLog.noAuditEvents}>
                {(event) => <AuditLine event={event} />}
              </LoadedRows>
            </>
          ) : (
            <p class="empty">{messages.people.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
