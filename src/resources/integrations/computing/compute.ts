// Queries the content source of a computed page. Its definition and its reply are checked, because others wrote them.

import type { ComputedDefinition } from "../../../content/revision/computed";
import { getOrganizationPartition } from "../../../storage/ids";
import { sha256Hex } from "../../../utils/sha256";
import type { ComputedSourceContent, ComputedText, SourceContext } from "../../content/revisions/computed-sources";
import { organization } from "../../people/organizations/rules";
import { isSafeJson } from "../calls/component-response";
import { SOURCE_TYPE } from "../definitions/records";
import { canReachPlace } from "../delivery/event-access";
import { getGrantedScopes } from "../installations/agreed-scopes";
import { developments, installations, integrations, placements } from "../records";
import { resolveDependencies } from "./dependencies";
import { type LazyText, parseDocumentReply, parseRevisionReply } from "./reply";
import { querySource, type SourceQuery } from "./source-cache";

/** The limits of the definition of a computed page. */
const DEFINITION_BOUNDS = { depth: 32, values: 10_000, hasHandlers: false };

/** Computes the pages and files of a computed page; undefined if it has no source here, or the source does not reply. */
export async function compute(
  context: SourceContext,
  definition: ComputedDefinition,
  spaceId: string,
): Promise<ComputedSourceContent | undefined> {
  const source = await openSource(context, definition, spaceId);
  if (!source) return undefined;
  const { commonQuery, about, inputDigest, integration, resolve, readText, isVisibleTo } = source;
  const query: SourceQuery = { ...commonQuery, name: inputDigest, type: "content_compute_revision", about };
  /** Returns the id of the source of the same integration that a page of the reply names. */
  const findSourceId = (type: string) => {
    const [, name, id] = SOURCE_TYPE.exec(type) ?? [];
    return name === integration.name && integration.contentSources.some((it) => it.id === id) ? id : undefined;
  };
  // Equal inputs may give different replies over time, so the name of the content includes the reply.
  const revision = await querySource(context.jobContext, query, (reply) => ({
    ...parseRevisionReply(reply, findSourceId),
    digest: sha256Hex(reply),
  }));
  if (!revision) return undefined;
  const dependencies = await Promise.all(revision.dependencies.map(resolve));
  const dependencyStates = JSON.stringify(dependencies.map(({ byName }) => byName));
  const suffix = dependencies.length === 0 ? "" : ` ${sha256Hex(dependencyStates)}`;
  const arePublic = dependencies.every((it) => it.arePublic);
  return {
    name: `integration ${inputDigest} ${revision.digest}${suffix}`,
    updatedAt: integration.updatedAt,
    pages: async () => revision.pages,
    files: revision.files,
    readText: (key) => readText(revision.lazyTexts.get(key)!),
    isVisibleTo: (reader) => (arePublic ? isVisibleTo(reader) : organization.rights.viewOpenAPISpecs(reader)),
  };
}

/** Returns the text that a content source computes for a page with these properties. */
export async function computeText(
  context: SourceContext,
  definition: ComputedDefinition,
  spaceId: string,
): Promise<ComputedText | undefined> {
  const source = await openSource(context, definition, spaceId);
  return source && { text: () => source.readText({ props: definition.props }), isVisibleTo: source.isVisibleTo };
}

/** Finds the content source of a computed page, and prepares its queries; undefined if there is no such source here. */
async function openSource(context: SourceContext, definition: ComputedDefinition, spaceId: string) {
  const [, name, sourceId] = SOURCE_TYPE.exec(definition.type)! as unknown as [string, string, string];
  const { props } = definition;
  if (!isSafeJson([props, definition.dependencies], DEFINITION_BOUNDS)) return undefined;

  // The integration must be active on the space, and still have this source.
  const { tx, objects } = context;
  const installation = await installations.find(tx, "integration", name.toLowerCase());
  if (!installation || installation.integration !== name) return undefined;
  const placement = (await placements.get(tx, installation.id, "space", spaceId)) ?? null;
  if (installation.status !== "active" || (placement && placement.status !== "active")) return undefined;
  if (!(await canReachPlace(tx, installation, { spaceId }))) return undefined;
  const owner = await context.peek(getOrganizationPartition(installation.owner));
  const integration = await integrations.get(owner, name);
  if (integration?.id !== installation.definition) return undefined;
  if (!integration.contentSources.some(({ id }) => id === sourceId)) return undefined;
  const ownersDevelopment = (await developments.get(owner, integration.id)) ?? null;
  const isTunnelled = ownersDevelopment?.all || installation.organization === installation.owner;
  const development = isTunnelled ? ownersDevelopment : null;

  const scopes = getGrantedScopes(installation, integration);
  const resolve = (given: Readonly<Record<string, unknown>>) =>
    resolveDependencies({ tx, objects, scopes, spaceId }, given);
  const dependencies = await resolve(definition.dependencies);
  const about = { sourceId, props, dependencies: dependencies.byName };
  // The complete records are part of the key, because a script sees them and its reply may depend on any field.
  const inputs = [integration.id, integration.version, installation, placement, development, spaceId, about];
  const inputDigest = sha256Hex(JSON.stringify(inputs));
  const commonQuery = { integration, installation, spaceId, isDeveloped: development !== null };
  const readText = async (text: LazyText) => {
    const ownDependencies = text.dependencies && (await resolve(text.dependencies)).byName;
    const about = {
      sourceId: text.sourceId ?? sourceId,
      props: text.props,
      dependencies: ownDependencies ?? dependencies.byName,
    };
    const name = sha256Hex(`${inputDigest} ${JSON.stringify(about)}`);
    const query: SourceQuery = { ...commonQuery, name, type: "content_compute_document", about };
    return (await querySource(context.jobContext, query, parseDocumentReply)) ?? "";
  };
  const isVisibleTo: ComputedSourceContent["isVisibleTo"] = (reader) =>
    dependencies.arePublic || organization.rights.viewOpenAPISpecs(reader);
  return { commonQuery, about, inputDigest, integration, resolve, readText, isVisibleTo };
}
