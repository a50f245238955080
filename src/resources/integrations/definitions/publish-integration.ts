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
import { holdName, nameClaims, releaseName, reserveName } from "../../../storage/claims";
import { addStagedObjects, lastSweep, stageObjects } from "../../../storage/objects";
import { sealContexts } from "../../../storage/seal-contexts";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { getJsonSize } from "../../../utils/bytes";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { findActiveMember, memberships } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { self } from "../../people/users/rules";
import { deleteInstallations } from "../installations/definition-jobs";
import { checkTokenScopes } from "../installations/token-limits";
import {
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
import { integration, loadIntegrationContext, publishable } from "./rules";
import { Integration, IntegrationDefinition, IntegrationFilters } from "./schema";
import { getAssetSignatureInput, presentIntegration } from "./views";

const loadPictureDecoder = loadLazily(() => import("./decode-picture"));

export const listIntegrations = defineOperation("GET /integrations", {
  summary: "List integrations",
  target: self,
  right: "view",
  query: IntegrationFilters,
  list: Integration,
  cache: false,
  async handle({ tx, actor, query, pageRequest, peek, urls, secrets, ports }) {
    const user = actor.user.id;
    // Private integrations are listed to members of their organization who are more than guests.
    const memberRows = await memberships.list(tx, "ofUser", { under: [user], limit: 10_000 });
    const memberOf = memberRows.map(({ record }) => record.organization);
    const roles = await Promise.all(
      memberOf.map(async (id) => findActiveMember(await peek(findOrganizationPartition(id)!), user)),
    );
    const organizationIds = new Set(memberOf.filter((_, i) => isRoleAtLeast(roles[i]?.role ?? null, "read")));

    const readListings = () => readAllRows((slice) => integrationListings.list(tx, "byName", slice));
    const rows: readonly PositionedRecord<IntegrationListing>[] = await ports.cache.getOrCompute(
      "published integrations",
      [await integrationListings.getGuardVersion(tx, "any")],
      readListings,
      ({ length }) => BYTES_PER_LISTING * length,
    );
    const { search, category, blockDomain, blocks, contentSources, owner, scope, target } = query;
    const equals = (filter: unknown, value: unknown) => filter === undefined || filter === value;
    const isAmong = (filter: unknown, values: readonly unknown[]) => filter === undefined || values.includes(filter);
    const isListed = ({ record: listing }: PositionedRecord<IntegrationListing>) => {
      if (listing.visibility !== "public" && !organizationIds.has(listing.organization)) return false;
      const text = foldText([listing.name, listing.title, listing.description ?? ""].join("\n"));
      return (
        (search === undefined || text.includes(foldText(search))) &&
        isAmong(category, listing.categories) &&
        isAmong(blockDomain, listing.blockDomains) &&
        equals(blocks, listing.hasBlocks) &&
        equals(contentSources, listing.hasContentSources) &&
        equals(owner, listing.organization) &&
        isAmong(scope, listing.scopes) &&
        (target === undefined || listing.target === "all" || listing.target === target)
      );
    };
    return paginateRows(pageRequest, rows.filter(isListed), async (listings) => {
      const found = await Promise.all(
        listings.map(async ({ organization, name }) =>
          loadIntegrationContext(await peek(findOrganizationPartition(organization)!), name, user),
        ),
      );
      // The listing may be out of date: the definition decides.
      return found.flatMap((it) => {
        const isVisible = it && (it.integration.visibility === "public" || isRoleAtLeast(it.me?.role ?? null, "read"));
        return isVisible ? [presentIntegration(it, { urls, secrets })] : [];
      });
    });
  },
});

/** The approximate memory of a listing. */
const BYTES_PER_LISTING = 1500;

export const getIntegration = defineOperation("GET /integrations/:integrationName", {
  summary: "Get an integration",
  target: integration,
  right: "view",
  returns: Integration,
  handle: async (context) => presentIntegration(context, context),
});

export const publishIntegration = defineOperation("POST /integrations/:integrationName", {
  summary: "Publish an integration",
  target: publishable,
  right: "publish",
  body: IntegrationDefinition,
  returns: Integration,
  async prepare({ store, partition, params, body, integration, ports }) {
    const { now, random } = store;
    const failure =
      body.script === undefined ? undefined : await ports.scriptRunner.check(body.script, { now, random });
    // A script that this server cannot try is accepted as it is.
    if (failure && failure.kind !== "crashed" && failure.kind !== "unavailable")
      throw createValidationError(
        "body.script",
        `Expected an ES module with a default export that has \`fetch\`: ${failure.message}`,
      );

    const objects = new Map<string, Uint8Array | string>();
    const addObject = (picture: UploadedPicture): IntegrationAsset => {
      objects.set(picture.object, picture.bytes);
      return { object: picture.object, contentType: picture.contentType };
    };
    const { decodePicture } = await loadPictureDecoder();
    const icon = body.icon === undefined ? undefined : addObject(decodePicture(body.icon, "body.icon"));
    const previewImages = body.previewImages?.map((it, i) => addObject(decodePicture(it, `body.previewImages.${i}`)));
    const script = body.script === undefined ? undefined : sha256Hex(new TextEncoder().encode(body.script));
    if (script !== undefined) objects.set(script, body.script!);
    const attempt = integration
      ? undefined
      : await reserveName(store, partition, nameClaims.integration(params.integrationName));
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
      await holdName(tx, nameClaims.integration(name), prepared.attempt);
    }
    const { icon: _, previewImages: __, script: ___, organization: ____, secrets: values, ...changes } = body;
    // The first version of an integration changes this state.
    const before: IntegrationRecord = context.integration ?? {
      id: newId("integration"),
      name,
      organization: context.owner.id,
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
    const scopes = changes.scopes ? [...new Set(changes.scopes)] : before.scopes;
    const categories = changes.categories && [...new Set(changes.categories)];
    const version = before.version + 1;
    // Each scope has the version since which it has been requested without a break. Scopes that were requested before this was
    // recorded have no number: everybody who installed the integration agreed to them.
    const scopesSince = scopes.flatMap((scope) => {
      const since = before.scopes.includes(scope) ? before.scopesSince?.[scope] : version;
      return since === undefined ? [] : [[scope, since]];
    });
    const published: IntegrationRecord = {
      ...before,
      ...omitUndefined(changes),
      ...omitUndefined({ categories }),
      ...prepared.files,
      scopes,
      version,
      scopesSince: Object.fromEntries(scopesSince),
      updatedAt: now.toISOString(),
    };
    checkTokenScopes(context, published.scopes);
    if (getJsonSize(published) > MAX_DEFINITION_BYTES)
      throw createValidationError(
        "body",
        `Expected a definition of at most ${MAX_DEFINITION_BYTES} bytes beside script and pictures`,
      );
    await addStagedObjects(tx, prepared.staged);
    await rejectDuplicates(integrations.put(tx, published), "integration_name_taken");
    if (values) {
      if (getJsonSize(values) > MAX_SECRET_BYTES)
        throw createValidationError("body.secrets", `Expected at most ${MAX_SECRET_BYTES} bytes of secrets in total`);
      const sealed = await secrets.encrypt(JSON.stringify(values), sealContexts.integrationSecrets(published.id));
      await integrationSecrets.put(tx, { integration: published.id, sealed });
    }
    if (context.integration) lastSweep.forget(tx);
    enqueueJob(updateIntegrationListing, { organization: published.organization, name });
    return presentIntegration({ ...context, integration: published }, context);
  },
});

export const unpublishIntegration = defineOperation("DELETE /integrations/:integrationName", {
  summary: "Delete an integration",
  target: integration,
  right: "admin",
  async handle({ tx, integration, enqueueJob }) {
    const { id, name, organization } = integration;
    releaseName(tx, nameClaims.integration(name));
    await integrations.delete(tx, name);
    await integrationSecrets.delete(tx, id);
    lastSweep.forget(tx);
    enqueueJob(releaseIntegrationName, { organization, name });
    enqueueJob(updateIntegrationListing, { organization, name });
    enqueueJob(deleteInstallations, { owner: organization, definition: id });
  },
});

/** A picture of an integration, by a name that is known only from responses with the integration. */
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
  summary: "Download an image of an integration",
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

/** A definition is one record of limited size, and so are its secrets. */
const MAX_DEFINITION_BYTES = 48 * 1024;
const MAX_SECRET_BYTES = 32 * 1024;
