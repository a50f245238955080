// Asks the content source of a computed page. Its definition and its answer are checked, because others wrote them.

import type { ComputedDefinition } from "../../../content/revision/computed";
import { getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import type { ComputedSourceContent, ComputedText, SourceContext } from "../../content/revisions/computed-sources";
import { organization } from "../../people/organizations/rules";
import { isSafeJson } from "../calls/component-response";
import { canReachPlace } from "../delivery/event-access";
import { getGrantedScopes } from "../installations/agreed-scopes";
import { developments, type InstallationRecord, installations, integrations, placements } from "../records";
import { resolveDependencies } from "./dependencies";
import { type ComputedRevision, type LazyText, parseDocumentReply, parseRevisionReply } from "./reply";
import { querySource, type SourceQuery } from "./source-cache";
import { SOURCE_TYPE } from "./source-type";

/** The limits of the definition of a computed page. */
const MOST = { depth: 32, values: 10_000, hasHandlers: false };

/** What asking a content source needs; undefined when there is no such source here. */
async function sourceIn(from: SourceContext, definition: ComputedDefinition, spaceId: string) {
  const [, name, sourceId] = SOURCE_TYPE.exec(definition.type)! as unknown as [string, string, string];
  const { props } = definition;
  if (!isSafeJson([props, definition.dependencies], MOST)) return undefined;
  const installed = await installedOn(from, name, sourceId, spaceId);
  if (!installed) return undefined;
  const { integration, placement, development } = installed;
  const { tx, objects } = from;
  const held = getGrantedScopes(installed.installation, integration);
  const look = (given: Readonly<Record<string, unknown>>) => resolveDependencies({ tx, objects, held, spaceId }, given);
  const dependencies = await look(definition.dependencies);
  const about = { sourceId, props, dependencies: dependencies.byName };
  // The complete records are part of the key, because a script sees them and its answer may depend on any field.
  const state = [integration.id, integration.version, installed.installation, placement, development, spaceId, about];
  const inputs = sha256Hex(JSON.stringify(state));
  const isDeveloped = development !== null;
  const place = { integration, installation: installed.installation, spaceId, isDeveloped };
  const textWith = async (wanted: LazyText) => {
    const theirs = wanted.dependencies && (await look(wanted.dependencies)).byName;
    const asked = {
      sourceId: wanted.sourceId ?? sourceId,
      props: wanted.props,
      dependencies: theirs ?? dependencies.byName,
    };
    const name = sha256Hex(`${inputs} ${JSON.stringify(asked)}`);
    const document: SourceQuery = { ...place, name, type: "content_compute_document", about: asked };
    return (await querySource(from.jobContext, document, parseDocumentReply)) ?? "";
  };
  const isSeenBy: ComputedSourceContent["isVisibleTo"] = (reader) =>
    dependencies.arePublic || organization.rights.viewOpenAPISpecs(reader);
  return { place, about, inputs, integration, look, textWith, isSeenBy };
}

/** Calls the content source of a computed page; undefined when there is none here, or it does not answer. */
export async function compute(
  from: SourceContext,
  definition: ComputedDefinition,
  spaceId: string,
): Promise<ComputedSourceContent | undefined> {
  const source = await sourceIn(from, definition, spaceId);
  if (!source) return undefined;
  const { place, about, inputs, integration, look, textWith, isSeenBy } = source;
  const question: SourceQuery = { ...place, name: inputs, type: "content_compute_revision", about };
  /** The source of the same integration that a page of the answer names. */
  const sourceNamed = (type: string) => {
    const [, name, id] = SOURCE_TYPE.exec(type) ?? [];
    return name === integration.name && integration.contentSources.some((it) => it.id === id) ? id : undefined;
  };
  const revision = await querySource(from.jobContext, question, (reply) =>
    named(reply, parseRevisionReply(reply, sourceNamed)),
  );
  if (!revision) return undefined;
  const late = await Promise.all(revision.dependencies.map(look));
  const lateStates = JSON.stringify(late.map(({ byName }) => byName));
  return {
    name: `integration ${inputs} ${revision.digest}${late.length === 0 ? "" : ` ${sha256Hex(lateStates)}`}`,
    updatedAt: integration.updatedAt,
    pages: async () => revision.pages,
    files: revision.files,
    readText: (key) => textWith(revision.late.get(key)!),
    isVisibleTo: (reader) =>
      late.every(({ arePublic }) => arePublic) ? isSeenBy(reader) : organization.rights.viewOpenAPISpecs(reader),
  };
}

/** The text that a content source gives for a page with these properties. */
export async function computeText(
  from: SourceContext,
  definition: ComputedDefinition,
  spaceId: string,
): Promise<ComputedText | undefined> {
  const source = await sourceIn(from, definition, spaceId);
  return source && { text: () => source.textWith({ props: definition.props }), isVisibleTo: source.isSeenBy };
}

/** What a source answered, with a name for it: the same inputs need not give the same answer for ever. */
function named(reply: string, revision: ComputedRevision): ComputedRevision & { readonly digest: string } {
  return { ...revision, digest: sha256Hex(reply) };
}

/** The integration with a name that is active on a space, and has a source with this id. */
async function installedOn(from: SourceContext, name: string, sourceId: string, spaceId: string) {
  const { tx } = from;
  const installation = await installations.find(tx, "integration", name.toLowerCase());
  const placement = installation && (await placements.get(tx, installation.id, "space", spaceId));
  if (!installation || installation.integration !== name || !(await isActiveOn(tx, installation, placement, spaceId)))
    return undefined;
  const owner = await from.peek(getOrganizationPartition(installation.owner));
  const integration = await integrations.get(owner, name);
  if (integration?.id !== installation.definition) return undefined;
  if (!integration.contentSources.some(({ id }) => id === sourceId)) return undefined;
  const development = (await developments.get(owner, integration.id)) ?? null;
  const isTunnelled = development && (development.all || installation.organization === installation.owner);
  return { integration, installation, placement: placement ?? null, development: isTunnelled ? development : null };
}

async function isActiveOn(
  tx: Reader,
  installation: InstallationRecord,
  placement: { readonly status: string } | undefined,
  spaceId: string,
): Promise<boolean> {
  if (installation.status !== "active" || (placement && placement.status !== "active")) return false;
  return canReachPlace(tx, installation, { spaceId });
}
