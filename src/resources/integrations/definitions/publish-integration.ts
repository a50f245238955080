// Lists, publishes and unpublishes integrations.

import { createDownloadHeaders } from "../../../content/files/download";
import { createError, createValidationError } from "../../../errors";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { serveFile } from "../../../operation/byte-ranges";
import { foldText } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { OutdatedError } from "../../../operation/outdated-error";
import { paginateRows, readAllRows } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import type { Ports } from "../../../ports/ports";
import { holdName, releaseName, reserveName } from "../../../storage/claims";
import { addStagedObjects, hashBytes, scheduleSweep, stageObjects } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { getOrCompute, type StampedCache } from "../../../utils/stamped-cache";
import { findActiveMember, memberships } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { self } from "../../people/users/rules";
import { trackScopeVersions } from "../installations/agreed-scopes";
import { deleteInstallations } from "../installations/definition-jobs";
import { checkTokenScopes } from "../installations/token-limits";
import {
  getIntegrationClaim,
  getSecretsSealContext,
  type IntegrationAsset,
  type IntegrationListing,
  type IntegrationRecord,
  integrationListings,
  integrationSecrets,
  integrations,
  releaseIntegrationName,
  updateIntegrationListing,
} from "../records";
import type { UploadedPicture } from "./decode-picture";
import {
  type IntegrationContext,
  integration,
  loadIntegrationContext,
  type PublisherContext,
  publishable,
} from "./rules";
import { Integration, IntegrationFilters, Publishing } from "./schema";
import { getAssetSignatureInput, presentIntegration } from "./views";

const pictures = loadLazily(() => import("./decode-picture"));

export const listIntegrations = defineOperation("GET /integrations", {
  summary: "List the integrations that you may find: the public ones, and those of your organizations",
  target: self,
  right: "view",
  query: IntegrationFilters,
  list: Integration,
  cache: false,
  async handle({ tx, actor, query, pageRequest, peek, urls, secrets, ports }) {
    const user = actor.user.id;
    const organizations = await organizationsOf(tx, user, peek);
    const isFound = ({ record: line }: PositionedRecord<IntegrationListing>) =>
      (line.visibility === "public" || organizations.has(line.organization)) && matches(line, query);
    const rows = await publishedLines(tx, ports.cache);
    return paginateRows(pageRequest, rows.filter(isFound), async (lines) => {
      const found = await Promise.all(
        lines.map(async ({ organization, name }) =>
          loadIntegrationContext(await peek(findOrganizationPartition(organization)!), name, user),
        ),
      );
      return found.flatMap((it) => (it && isListed(it) ? [presentIntegration(it, { urls, secrets })] : []));
    });
  },
});

/** About what a row takes in the memory. */
const LINE_BYTES = 1500;

/** The rows of all published integrations, by their names. */
async function publishedLines(
  directory: Reader,
  memory: StampedCache,
): Promise<readonly PositionedRecord<IntegrationListing>[]> {
  const stamp = String(await integrationListings.getGuardVersion(directory, "any"));
  const make = () => readAllRows((slice) => integrationListings.list(directory, "byName", slice));
  return getOrCompute(memory, "published integrations", stamp, make, ({ length }) => LINE_BYTES * length);
}

/** The organizations in which a user sees private integrations. */
async function organizationsOf(
  directory: Reader,
  user: string,
  peek: TargetContext["peek"],
): Promise<ReadonlySet<string>> {
  const lines = await memberships.list(directory, "ofUser", { under: [user], limit: 10_000 });
  const roles = await Promise.all(
    lines.map(async ({ record }) =>
      findActiveMember(await peek(findOrganizationPartition(record.organization)!), user),
    ),
  );
  return new Set(
    lines.flatMap(({ record }, i) => (isRoleAtLeast(roles[i]?.role ?? null, "read") ? [record.organization] : [])),
  );
}

/** The row of the directory may be out of date: the definition decides. */
function isListed(it: IntegrationContext): boolean {
  return it.integration.visibility === "public" || isRoleAtLeast(it.me?.role ?? null, "read");
}

type Filters = { readonly [name in keyof typeof IntegrationFilters]?: string | boolean | undefined };

function matches(line: IntegrationListing, query: Filters): boolean {
  const { search, category, blockDomain, blocks, contentSources, owner, scope, target } = query;
  const is = (wanted: unknown, actual: unknown) => wanted === undefined || wanted === actual;
  const among = (wanted: unknown, values: readonly unknown[]) => wanted === undefined || values.includes(wanted);
  const told = foldText([line.name, line.title, line.description ?? ""].join("\n"));
  return (
    (search === undefined || told.includes(foldText(String(search)))) &&
    among(category, line.categories) &&
    among(blockDomain, line.blockDomains) &&
    is(blocks, line.hasBlocks) &&
    is(contentSources, line.hasContentSources) &&
    is(owner, line.organization) &&
    among(scope, line.scopes) &&
    (target === undefined || line.target === "all" || line.target === target)
  );
}

export const getIntegration = defineOperation("GET /integrations/:integrationName", {
  summary: "Get an integration",
  target: integration,
  right: "view",
  returns: Integration,
  async handle(context) {
    return presentIntegration(context, context);
  },
});

export const publishIntegration = defineOperation("POST /integrations/:integrationName", {
  summary: "Publish an integration, or a new version of it",
  description:
    "What is left out stays as it was. The version counts up. Names are unique everywhere, whatever their case. Installations keep the scopes that were agreed to; those that a version asks for beyond them are theirs when an admin over there agrees.",
  target: publishable,
  right: "publish",
  body: Publishing,
  returns: Integration,
  async prepare({ store, partition, params, body, integration, ports }) {
    if (body.script !== undefined) await checkScript(ports, store, body.script);
    const objects = new Map<string, Uint8Array | string>();
    const keep = (picture: UploadedPicture): IntegrationAsset => {
      objects.set(picture.object, picture.bytes);
      return { object: picture.object, contentType: picture.contentType };
    };
    const { decodePicture: pictureOf } = await pictures();
    const icon = body.icon === undefined ? undefined : keep(pictureOf(body.icon, "body.icon"));
    const previewImages = body.previewImages?.map((it, i) => keep(pictureOf(it, `body.previewImages.${i}`)));
    const script = body.script === undefined ? undefined : hashBytes(new TextEncoder().encode(body.script));
    if (script !== undefined) objects.set(script, body.script!);
    const attempt = integration
      ? undefined
      : await reserveName(store, partition, getIntegrationClaim(params.integrationName));
    if (!integration && attempt === undefined) throw createError("integration_name_taken");
    return {
      attempt,
      staged: await stageObjects(store, partition, objects),
      files: omitUndefined({ icon, previewImages, script }),
    };
  },
  async handle(context) {
    const { tx, params, body, prepared, now, newId, enqueueJob, secrets } = context;
    const name = params.integrationName;
    if (!context.integration) {
      if (prepared.attempt === undefined) throw new OutdatedError();
      await holdName(tx, getIntegrationClaim(name), prepared.attempt);
    }
    const { icon: _, previewImages: __, script: ___, organization: ____, secrets: values, ...changes } = body;
    const before = context.integration ?? firstVersion(newId("integration"), name, context, now);
    const asked = { scopes: unique(changes.scopes) ?? before.scopes, version: before.version + 1 };
    const published: IntegrationRecord = {
      ...before,
      ...omitUndefined(changes),
      ...omitUndefined({ categories: unique(changes.categories) }),
      ...prepared.files,
      ...asked,
      scopesSince: trackScopeVersions(before, asked)!,
      updatedAt: now.toISOString(),
    };
    checkTokenScopes(context, published.scopes);
    checkSize(published);
    await addStagedObjects(tx, prepared.staged);
    await rejectDuplicates(integrations.put(tx, published), "integration_name_taken");
    if (values) {
      checkSecrets(values);
      const sealed = await secrets.encrypt(JSON.stringify(values), getSecretsSealContext(published.id));
      await integrationSecrets.put(tx, { integration: published.id, sealed });
    }
    if (context.integration) scheduleSweep(tx);
    enqueueJob(updateIntegrationListing, { organization: published.organization, name });
    return presentIntegration({ ...context, integration: published }, context);
  },
});

export const unpublishIntegration = defineOperation("DELETE /integrations/:integrationName", {
  summary: "Take an integration back; whatever installed it has it no longer",
  target: integration,
  right: "admin",
  async handle({ tx, integration, enqueueJob }) {
    const { id, name, organization } = integration;
    releaseName(tx, getIntegrationClaim(name));
    await integrations.delete(tx, name);
    await integrationSecrets.delete(tx, id);
    scheduleSweep(tx);
    enqueueJob(releaseIntegrationName, { organization, name });
    enqueueJob(updateIntegrationListing, { organization, name });
    enqueueJob(deleteInstallations, { owner: organization, definition: id });
  },
});

/** A picture of an integration, by a name that only the views of the integration contain. */
const picture: Target<{ readonly asset: IntegrationAsset }, "view"> = {
  findPartition: integration.findPartition,
  async load(scope: TargetContext) {
    const found = await integration.load(scope);
    if (!found) return undefined;
    const { icon, previewImages } = found.integration;
    const all = [...(icon ? [icon] : []), ...previewImages];
    const asset = all.find((it) =>
      scope.secrets.isDigest("integration-asset", getAssetSignatureInput(found.integration, it), scope.params.asset!),
    );
    return asset && { asset };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

export const downloadIntegrationAsset = defineOperation("GET /integrations/:integrationName/assets/:asset", {
  summary: "Download a picture of an integration, with a URL that another answer gave",
  description: "The URL cannot be guessed; no token is needed.",
  target: picture,
  allowsUnknownQuery: true,
  right: "view",
  returns: BinarySchema,
  mediaTypes: ["image/*"],
  supportsRanges: true,
  version: ({ asset }) => asset.object.slice(0, 32),
  async handle({ asset, objects, originalRequest }) {
    const { size, read } = await objects.open(asset.object);
    const name = `picture.${asset.contentType.replace(/^image\/|\+.*/gs, "")}`;
    const headers = createDownloadHeaders({ contentType: asset.contentType, name, size });
    const sent = await serveFile(originalRequest, { size, headers, etag: `"${asset.object.slice(0, 32)}"`, read });
    return new BinaryResponse(sent.body, sent.headers, sent.status);
  },
});

const unique = <T>(values: readonly T[] | undefined) => values && [...new Set(values)];

function firstVersion(id: string, name: string, { owner }: PublisherContext, now: Date): IntegrationRecord {
  return {
    id,
    name,
    organization: owner.id,
    version: 0,
    runtime: "v1",
    title: name.slice(0, 30),
    description: null,
    summary: null,
    target: "all",
    visibility: "private",
    scopes: [],
    categories: [],
    blocks: [],
    contentSources: [],
    externalLinks: [],
    configurations: {},
    contentSecurityPolicy: null,
    icon: null,
    previewImages: [],
    script: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** A script that cannot run is refused. A script that this server cannot try is accepted as it is. */
async function checkScript({ scriptRunner: sandbox }: Ports, { now, random }: Store, script: string): Promise<void> {
  const failed = await sandbox.check(script, { now, random });
  if (!failed || failed.kind === "crashed" || failed.kind === "unavailable") return;
  throw createValidationError(
    "body.script",
    `Expected an ES module with a default export that has \`fetch\`: ${failed.message}`,
  );
}

/** A definition is one record of limited size, and so are its secrets. */
const MAX_DEFINITION_BYTES = 48 * 1024;
const MAX_SECRET_BYTES = 32 * 1024;

function checkSize(published: IntegrationRecord): void {
  if (sizeOf(published) > MAX_DEFINITION_BYTES)
    throw createValidationError(
      "body",
      `Expected a definition of at most ${MAX_DEFINITION_BYTES} bytes beside script and pictures`,
    );
}

function checkSecrets(values: object): void {
  if (sizeOf(values) > MAX_SECRET_BYTES)
    throw createValidationError("body.secrets", `Expected secrets of at most ${MAX_SECRET_BYTES} bytes altogether`);
}

function sizeOf(value: object): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
