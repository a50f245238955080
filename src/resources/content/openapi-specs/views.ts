// Specifications and their versions on the wire.

import type * as v from "valibot";
import type { ComputedDefinition, ComputedPage } from "../../../content/revision/computed";
import type { Progress } from "../../../jobs/progress";
import type { FilesystemEntry } from "../../../openapi/specifications";
import { BinaryResponse } from "../../../operation/binary-response";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { organization } from "../../people/organizations/rules";
import type { ComputedSourceContent } from "../revisions/computed-sources";
import { findSpecByName, type SpecRecord, type VersionRecord, versions } from "./records";
import { openApiSpec, type SpecContext } from "./rules";
import type { OpenApiSpec, OpenApiSpecContent, OpenApiSpecVersion } from "./schema";

/** The memory of parsed values, for each character of their text. */
const VALUE_BYTES_PER_CHARACTER = 8;

type SpecViewContext = Omit<SpecContext, "spec"> & { readonly urls: Urls };

export function presentSpec(
  context: SpecViewContext,
  spec: SpecRecord,
  progress?: Progress,
): v.InferOutput<typeof OpenApiSpec> {
  const { urls, organization, isVisited } = context;
  const { id, createdAt, updatedAt, slug, state, visibility, lastVersion, lastProcessedAt } = spec;
  // The URL of the source may be a secret, and errors of processing are not for visitors.
  const { url, error } = isVisited ? { url: undefined, error: undefined } : spec;
  return {
    object: "openapi-spec",
    id,
    createdAt,
    updatedAt,
    slug,
    ...omitUndefined({ sourceURL: url }),
    processingState: state,
    ...omitUndefined({ progress }),
    visibility,
    ...omitUndefined({ lastVersion, lastProcessedAt }),
    ...omitUndefined({
      lastProcessErrorCode: state === "complete" ? error?.code : undefined,
      lastProcessErrorMessage: state === "complete" ? error?.message : undefined,
    }),
    permissions: getPermissions(openApiSpec, { ...context, spec }, ["view", "edit"]),
    urls: {
      location: urls.api(`/orgs/${organization.id}/openapi/${slug}`),
      app: urls.app(`/o/${organization.id}/openapi/${slug}`),
      ...omitUndefined({ published: visibility === "public" ? getPublicUrl(urls, spec) : undefined }),
    },
  };
}

const getVersionPath = ({ organization }: SpecViewContext, spec: SpecRecord, version: VersionRecord) =>
  `/orgs/${organization.id}/openapi/${spec.slug}/versions/${version.id}`;

export function presentVersion(
  context: SpecViewContext,
  spec: SpecRecord,
  version: VersionRecord,
): v.InferOutput<typeof OpenApiSpecVersion> {
  return {
    object: "openapi-spec-version",
    id: version.id,
    createdAt: version.createdAt,
    url: getTextUrl(context, spec, version),
    urls: { location: context.urls.api(getVersionPath(context, spec, version)) },
  };
}

export function getTextUrl(context: SpecViewContext, spec: SpecRecord, version: VersionRecord): string {
  if (context.isVisited) return getPublicUrl(context.urls, spec);
  return version.url ?? context.urls.api(`${getVersionPath(context, spec, version)}/content/raw`);
}

/** Returns the URL of the text of a public specification. It is not the URL of the source, which may contain a secret. */
export function getPublicUrl(urls: Urls, spec: SpecRecord): string {
  return urls.api(`/public/openapi/${spec.id}`);
}

/** Formats a version with all of its documents, by their names. */
export async function presentSpecContent(
  objects: Objects,
  version: VersionRecord,
  url: string,
): Promise<v.InferOutput<typeof OpenApiSpecContent>> {
  const documents = await parseDocuments(await objects.text(version.filesystem));
  const names = new Set(documents.map(({ filename }) => filename));
  // A specification that was given as a text has no name, and no other document refers to it.
  let fallbackName = `openapi.${version.format}`;
  for (let n = 2; names.has(fallbackName); n++) fallbackName = `openapi-${n}.${version.format}`;
  const named = documents.map((document): [string, FilesystemEntry & { filename: string }] => {
    const filename = document.filename ?? fallbackName;
    return [filename, { ...document, filename }];
  });
  return { filesystem: Object.fromEntries(named) as never, url };
}

export const TEXT_TYPES = ["application/json", "application/yaml"];

/** Sends the text of a version as it was added, with headers that keep browsers from running it. */
export async function sendText(
  objects: Objects,
  spec: SpecRecord,
  version: VersionRecord,
  more: Readonly<Record<string, string>>,
): Promise<BinaryResponse> {
  const { size, read } = await objects.open(version.text);
  return new BinaryResponse(await read(), {
    "content-type": `application/${version.format}; charset=utf-8`,
    "content-length": String(size),
    "content-disposition": `inline; filename="${spec.slug}.${version.format}"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    ...more,
  });
}

/** Finds the content of a computed page that names a specification, by its slug or its id. */
export async function computeOpenApi(
  { tx, objects }: { readonly tx: Reader; readonly objects: Objects },
  definition: ComputedDefinition,
): Promise<ComputedSourceContent | undefined> {
  const { props } = definition;
  const name = getSpecName(definition);
  if (name === undefined) return undefined;
  const spec = await findSpecByName(tx, name);
  const version = spec && (await versions.get(tx, spec.id, spec.lastVersion ?? ""));
  if (!version) return undefined;
  const models = props.models === true;
  return {
    name: `openapi ${version.id} ${version.filesystem} ${models}`,
    isVisibleTo: (reader) => spec.visibility === "public" || organization.rights.viewOpenAPISpecs(reader),
    updatedAt: version.createdAt,
    async pages() {
      const cacheKey = `openapi pages ${version.filesystem} ${models}`;
      const cached = objects.cache.get<readonly ComputedPage[]>(cacheKey);
      if (cached) return cached;
      const text = await objects.text(version.filesystem);
      // Most processes never show a specification.
      const { buildSpecificationPages } = await import("../../../openapi/markdown");
      const pages = buildSpecificationPages(await parseDocuments(text), { models });
      objects.cache.set(cacheKey, pages, { bytes: text.length * VALUE_BYTES_PER_CHARACTER });
      return pages;
    },
  };
}

/** Returns the slug or id of the specification that the definition of a computed page names. */
export function getSpecName(definition: ComputedDefinition | undefined): string | undefined {
  if (definition?.type !== "builtin:openapi") return undefined;
  // Tables of contents name it in `dependencies.spec.ref.spec`.
  const { ref } = (definition.dependencies.spec ?? {}) as { readonly ref?: { readonly spec?: unknown } };
  const name = ref?.spec ?? definition.props.spec;
  return typeof name === "string" && name.length <= 100 ? name : undefined;
}

/** Parses the documents of a version in steps, because they may have megabytes. */
async function parseDocuments(filesystem: string): Promise<FilesystemEntry[]> {
  const { parseJsonInSteps } = await import("../../../utils/concurrency/json-steps");
  return (await runSteps(parseJsonInSteps(filesystem))) as FilesystemEntry[];
}
