// The audit log of an organization, with filters and a download.

import { omitUndefined } from "../../../utils/objects";
import { pageConfig, useList, useQuery } from "../api/api";
import { useCompleteList } from "../api/complete-list";
import { useField, useFields } from "../api/fields";
import { Check, Choice, TextField } from "../components/fields";
import { Loaded, LoadedRows, PageHead } from "../components/page";
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
  const isOldestFirst = useField(false);
  const actions = useCompleteList("listAuditEventActions", isAdmin ? { params } : undefined);
  const query = toAuditQuery(filter);
  const events = useList(
    "listAuditEvents",
    isAdmin
      ? { params, query: { ...query, ...omitUndefined({ order: isOldestFirst.value ? ("asc" as const) : undefined }) } }
      : undefined,
  );
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
                    {...fields.actor}
                    none={messages.anybody}
                  />
                </div>
                <Choice
                  label={messages.action}
                  {...fields.action}
                  options={[["", messages.anyAction], ...actions.map(({ action }) => [action, action] as const)]}
                />
                <TextField label={messages.thing} {...fields.thing} maxLength={64} />
                <TextField label={messages.fromDay} type="date" {...fields.from} />
                <TextField label={messages.untilDay} type="date" {...fields.until} />
                <Check label={messages.oldestFirst} {...isOldestFirst} />
              </search>
              <p>
                <a href={file} download>
                  {messages.downloadLog}
                </a>
              </p>
              <LoadedRows of={events} empty={messages.noAuditEvents}>
                {(event) => <AuditLine event={event} />}
              </LoadedRows>
            </>
          ) : (
            <p class="empty">{messages.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
