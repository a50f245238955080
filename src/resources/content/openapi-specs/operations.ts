// OpenAPI specifications of an organization. A source is stored before the request is answered, and a job processes it.
// Every source that differs from the latest version becomes a new version, in the order in which the sources were added.

import * as v from "valibot";
import { createError, createValidationError, DocsError } from "../../../errors";
import { getProgress } from "../../../jobs/progress";
import { BinarySchema } from "../../../operation/binary-response";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup, paginateList } from "../../../operation/pagination";
import type { Ports } from "../../../ports/ports";
import { addStagedObjects, type StagedSet, stageObjects } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { findOrganizationPartition } from "../../people/organizations/records";
import { incrementComputedVersion } from "../revisions/records";
import { feedComputed } from "../search/jobs";
import { emptySpec, enqueueSource, processSpec } from "./jobs";
import { type SpecRecord, sources, specs, versions } from "./records";
import { latestVersion, openApiSpec, publishedVersion, specifications, specSlot, specVersion } from "./rules";
import {
  NewOpenApiSpec,
  OpenApiSource,
  OpenApiSpec,
  OpenApiSpecChanges,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  Slug,
} from "./schema";
import {
  getPublicUrl,
  getTextUrl,
  presentSpec,
  presentSpecContent,
  presentVersion,
  sendText,
  TEXT_TYPES,
} from "./views";

/** The most queued sources of a specification. */
const MAX_WAITING = 40;

export const listOpenApiSpecs = defineOperation("GET /orgs/:organizationId/openapi", {
  summary: "List OpenAPI specifications",
  target: specifications,
  right: "list",
  list: OpenApiSpec,
  async handle(context) {
    const { tx, pageRequest } = context;
    return paginateList(
      pageRequest,
      (slice) => specs.list(tx, "slug", slice),
      await specs.total(tx, "all"),
      async (found) => {
        const progress = await getProgress(
          tx,
          "openapi-spec",
          found.map(({ id }) => id),
        );
        return found.map((spec, i) => presentSpec(context, spec, progress[i]));
      },
    );
  },
});

export const createOpenApiSpec = defineOperation("POST /orgs/:organizationId/openapi", {
  summary: "Create an OpenAPI specification",
  target: specifications,
  right: "add",
  body: NewOpenApiSpec,
  returns: OpenApiSpec,
  status: 201,
  prepare: (context) => prepareSource(context),
  async handle(context) {
    const { tx, body } = context;
    if (await specs.find(tx, "slug", body.slug)) throw createError("slug_taken");
    return presentSpec(context, await addSource(context, body.slug));
  },
});

export const getOpenApiSpec = defineOperation("GET /orgs/:organizationId/openapi/:specSlug", {
  summary: "Get an OpenAPI specification",
  target: openApiSpec,
  right: "view",
  allowsVisitors: true,
  returns: OpenApiSpec,
  async handle(context) {
    const [progress] = context.isVisited ? [] : await getProgress(context.tx, "openapi-spec", [context.spec.id]);
    return presentSpec(context, context.spec, progress);
  },
});

export const putOpenApiSpec = defineOperation("PUT /orgs/:organizationId/openapi/:specSlug", {
  summary: "Create or update an OpenAPI specification",
  target: specSlot,
  right: "edit",
  body: OpenApiSource,
  returns: OpenApiSpec,
  prepare(context) {
    const slug = v.safeParse(Slug, context.params.specSlug);
    if (!slug.success) throw createValidationError("params.specSlug", slug.issues[0].message);
    return prepareSource(context);
  },
  async handle(context) {
    return presentSpec(context, await addSource(context, context.params.specSlug, context.spec));
  },
});

export const updateOpenApiSpec = defineOperation("PATCH /orgs/:organizationId/openapi/:specSlug", {
  summary: "Update the visibility of an OpenAPI specification",
  target: openApiSpec,
  right: "edit",
  body: OpenApiSpecChanges,
  returns: OpenApiSpec,
  async handle(context) {
    const { tx, spec, body, now } = context;
    const changed = { ...spec, visibility: body.visibility, updatedAt: now.toISOString() };
    await specs.put(tx, changed);
    incrementComputedVersion(tx);
    return presentSpec(context, changed);
  },
});

export const deleteOpenApiSpec = defineOperation("DELETE /orgs/:organizationId/openapi/:specSlug", {
  summary: "Delete an OpenAPI specification",
  target: openApiSpec,
  right: "edit",
  async handle({ tx, organization, spec, enqueueJob, jobContext }) {
    await specs.delete(tx, spec.id);
    incrementComputedVersion(tx);
    if (jobContext.ports.search.engine)
      enqueueJob(feedComputed, { partition: findOrganizationPartition(organization.id)! });
    enqueueJob(emptySpec, { organization: organization.id, spec: spec.id });
  },
});

export const listOpenApiSpecVersions = defineOperation("GET /orgs/:organizationId/openapi/:specSlug/versions", {
  summary: "List versions of an OpenAPI specification",
  target: openApiSpec,
  right: "view",
  list: OpenApiSpecVersion,
  async handle(context) {
    const { spec } = context;
    return paginateGroup(
      context,
      versions,
      "ofSpec",
      [spec.id],
      (found) => found.map((version) => presentVersion(context, spec, version)),
      { reverse: true },
    );
  },
});

export const getLatestOpenApiSpecVersion = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/latest",
  {
    summary: "Get the latest OpenAPI specification version",
    target: latestVersion,
    right: "view",
    allowsVisitors: true,
    returns: OpenApiSpecVersion,
    handle: async (context) => presentVersion(context, context.spec, context.version),
  },
);

export const getLatestOpenApiSpecContent = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/latest/content",
  {
    summary: "Get the content of the latest OpenAPI specification version",
    target: latestVersion,
    right: "view",
    allowsVisitors: true,
    returns: OpenApiSpecContent,
    version: ({ version, isVisited }) => (isVisited ? `${version.id}~visited` : version.id),
    handle: (context) =>
      presentSpecContent(context.objects, context.version, getTextUrl(context, context.spec, context.version)),
  },
);

export const getLatestOpenApiSpecText = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/latest/content/raw",
  {
    summary: "Get the text of the latest OpenAPI specification version",
    target: latestVersion,
    right: "view",
    allowsVisitors: true,
    returns: BinarySchema,
    mediaTypes: TEXT_TYPES,
    version: ({ version }) => version.id,
    handle: ({ objects, spec, version }) => sendText(objects, spec, version, PRIVATE),
  },
);

export const getOpenApiSpecVersion = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId",
  {
    summary: "Get a version of an OpenAPI specification",
    target: specVersion,
    right: "view",
    returns: OpenApiSpecVersion,
    handle: async (context) => presentVersion(context, context.spec, context.version),
  },
);

export const getOpenApiSpecContent = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId/content",
  {
    summary: "Get the content of an OpenAPI specification version",
    target: specVersion,
    right: "view",
    returns: OpenApiSpecContent,
    version: ({ version }) => version.id,
    handle: (context) =>
      presentSpecContent(context.objects, context.version, getTextUrl(context, context.spec, context.version)),
  },
);

export const getOpenApiSpecText = defineOperation(
  "GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId/content/raw",
  {
    summary: "Get the text of an OpenAPI specification version",
    target: specVersion,
    right: "view",
    returns: BinarySchema,
    mediaTypes: TEXT_TYPES,
    version: ({ version }) => version.id,
    handle: ({ objects, spec, version }) => sendText(objects, spec, version, PRIVATE),
  },
);

export const getPublicOpenApiSpec = defineOperation("GET /public/openapi/:specId", {
  summary: "Get the text of a public OpenAPI specification",
  target: publishedVersion,
  right: "view",
  returns: BinarySchema,
  mediaTypes: TEXT_TYPES,
  version: ({ version }) => version.id,
  handle: ({ objects, spec, version }) => sendText(objects, spec, version, PUBLIC),
});

export const getPublicOpenApiSpecContent = defineOperation("GET /public/openapi/:specId/content", {
  summary: "Get the content of a public OpenAPI specification",
  target: publishedVersion,
  right: "view",
  returns: OpenApiSpecContent,
  version: ({ version }) => version.id,
  handle: ({ objects, spec, version, urls }) => presentSpecContent(objects, version, getPublicUrl(urls, spec)),
});

const PRIVATE = { "cache-control": "private, no-cache" };
/** A public text may be read by web pages of any origin. */
const PUBLIC = {
  "cache-control": "public, no-cache",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

type SpecSourceInput = v.InferOutput<typeof OpenApiSource>["source"];

interface PreparedSource {
  /** The hash of the text; undefined: the source is a URL. */
  readonly text?: string;
  readonly staged?: StagedSet;
}

/** Stages the text of a source, because it may be larger than a commit. */
async function prepareSource({
  body,
  ports,
  store,
  partition,
}: {
  readonly body: { readonly source: SpecSourceInput };
  readonly ports: Ports;
  readonly store: Store;
  readonly partition: string;
}): Promise<PreparedSource> {
  if ("url" in body.source) {
    if (!ports.fetch) throw createError("no_outbound_fetch");
    return {};
  }
  const bytes = new TextEncoder().encode(body.source.text);
  // A text may have megabytes, so other requests run between the passes over it.
  await yieldToEventLoop();
  const text = sha256Hex(bytes);
  await yieldToEventLoop();
  return { text, staged: await stageObjects(store, partition, new Map([[text, bytes]])) };
}

interface AddSourceContext {
  readonly tx: Transaction;
  readonly now: Date;
  readonly body: { readonly source: SpecSourceInput };
  readonly prepared: PreparedSource;
  readonly organization: { readonly id: string };
  readonly newId: (kind: "openApiSpec") => string;
  readonly enqueueJob: (step: typeof processSpec, payload: { organization: string; spec: string }) => void;
}

/** Adds the newest source of a specification, and schedules its processing. A new specification is private. */
async function addSource(context: AddSourceContext, slug: string, existing?: SpecRecord): Promise<SpecRecord> {
  const { tx, body, prepared, now, organization, newId, enqueueJob } = context;
  const updatedAt = now.toISOString();
  const spec: SpecRecord = existing ?? {
    id: newId("openApiSpec"),
    slug,
    createdAt: updatedAt,
    updatedAt,
    visibility: "private",
    state: "pending",
    asked: 0,
    versions: 0,
  };
  const waiting = await sources.list(tx, "inOrder", { under: [spec.id], limit: MAX_WAITING });
  if (waiting.length === MAX_WAITING) throw new DocsError("openapi_spec_busy", { headers: { "retry-after": "30" } });
  if (prepared.staged) await addStagedObjects(tx, prepared.staged);
  const { url: _, ...rest } = spec;
  const url = "url" in body.source ? { url: body.source.url } : {};
  const changed = { ...rest, ...url, updatedAt };
  enqueueJob(processSpec, { organization: organization.id, spec: spec.id });
  return enqueueSource(context, changed, { ...url, ...omitUndefined({ text: prepared.text }), isCheck: false });
}
