// The audit log of an organization, for its admins: a list with filters, an export, and the list of possible actions.

import * as v from "valibot";
import { actionsWithoutOperation } from "../../../audit/event";
import { createError } from "../../../errors";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { SortOrder } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import { getOrganizationPartition } from "../../../storage/ids";
import { encodeKey } from "../../../storage/key";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { streamJsonLines } from "../../../utils/streams";
import { organization } from "../organizations/rules";
import { AuditAction, AuditEvent, auditFilter } from "./schema";

// Most requests do not need the log.
const loadLogReader = loadLazily(() => import("./read-log"));

export const listAuditEvents = defineOperation("GET /orgs/:organizationId/audit-events", {
  summary: "List audit events",
  target: organization,
  right: "admin",
  query: { ...auditFilter, order: v.optional(SortOrder, "desc") },
  list: AuditEvent,
  async handle({ tx, organization, query: { order, ...filter }, pageRequest }) {
    const { paginateAuditLog } = await loadLogReader();
    return paginateAuditLog(tx, getOrganizationPartition(organization.id), filter, order === "desc", pageRequest);
  },
});

export const getAuditEvent = defineOperation("GET /orgs/:organizationId/audit-events/:auditEventId", {
  summary: "Get an audit event",
  target: organization,
  right: "admin",
  returns: AuditEvent,
  async handle({ tx, organization, params }) {
    const { findAuditEvent } = await loadLogReader();
    const found = await findAuditEvent(tx, getOrganizationPartition(organization.id), params.auditEventId);
    if (!found) throw createError("audit_event_not_found");
    return found;
  },
});

export const exportAuditEvents = defineOperation("GET /orgs/:organizationId/audit-events/export", {
  summary: "Export the audit log",
  target: organization,
  right: "admin",
  query: auditFilter,
  returns: BinarySchema,
  mediaTypes: ["application/x-ndjson"],
  async handle({ tx, organization, query }) {
    const { generateAuditLines } = await loadLogReader();
    const lines = generateAuditLines(tx, getOrganizationPartition(organization.id), query);
    return new BinaryResponse(streamJsonLines(lines, yieldToEventLoop), {
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="audit-events.ndjson"',
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    });
  },
});

export const listAuditEventActions = defineOperation("GET /orgs/:organizationId/audit-event-actions", {
  summary: "List audit event actions",
  target: organization,
  right: "admin",
  list: AuditAction,
  async handle({ apiInfo, pageRequest }) {
    const actions = [...actionsWithoutOperation, ...apiInfo.writeOperations].sort();
    const rows = actions.map((action) => ({ record: { action }, position: encodeKey(action) }));
    return paginateRows(pageRequest, rows, (shown) => shown);
  },
});
