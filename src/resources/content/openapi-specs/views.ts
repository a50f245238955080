// Specifications and their versions on the wire.

import type * as v from "valibot";
import type { ComputedDefinition, ComputedPage } from "../../../content/revision/computed";
import type { Progress } from "../../../jobs/progress";
import type { FilesystemEntry } from "../../../openapi/specifications/read";
import { BinaryResponse } from "../../../operation/binary-response";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { organization } from "../../people/organizations/rules";
import type { ComputedSourceContent } from "../revisions/computed-sources";
import { type SpecRecord, specNamed, type VersionRecord, versions } from "./records";
import { type InSpec, openApiSpec } from "./rules";
import type { OpenApiSpec, OpenApiSpecContent, OpenApiSpecVersion } from "./schema";

type Showing = Omit<InSpec, "spec"> & { readonly urls: Urls };

/** The path of a public specification. */
const publishedAt = (spec: SpecRecord) => `/public/openapi/${spec.id}`;

export function specView(context: Showing, spec: SpecRecord, progress?: Progress): v.InferOutput<typeof OpenApiSpec> {
  const { urls, organization, isVisited } = context;
  const { id, createdAt, updatedAt, slug, state, visibility, lastVersion, lastProcessedAt } = spec;
  // Where a specification comes from may be a secret, and what went wrong there is not for visitors.
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
    ...(error === undefined || state !== "complete"
      ? {}
      : { lastProcessErrorCode: error.code, lastProcessErrorMessage: error.message }),
    permissions: getPermissions(openApiSpec, { ...context, spec }, ["view", "edit"]),
    urls: {
      location: urls.api(`/orgs/${organization.id}/openapi/${slug}`),
      app: urls.app(`/o/${organization.id}/openapi/${slug}`),
      ...omitUndefined({ published: visibility === "public" ? urls.api(publishedAt(spec)) : undefined }),
    },
  };
}

const versionAt = ({ organization }: Showing, spec: SpecRecord, version: VersionRecord) =>
  `/orgs/${organization.id}/openapi/${spec.slug}/versions/${version.id}`;

export function versionView(
  context: Showing,
  spec: SpecRecord,
  version: VersionRecord,
): v.InferOutput<typeof OpenApiSpecVersion> {
  return {
    object: "openapi-spec-version",
    id: version.id,
    createdAt: version.createdAt,
    url: addressOf(context, spec, version),
    urls: { location: context.urls.api(versionAt(context, spec, version)) },
  };
}

/** The URL of the text of a version. */
export function addressOf(context: Showing, spec: SpecRecord, version: VersionRecord): string {
  if (context.isVisited) return publishedAddress(context.urls, spec);
  return version.url ?? context.urls.api(`${versionAt(context, spec, version)}/content/raw`);
}

/** The URL of the text of a public specification. It is not the URL of the source, which may hold a secret. */
export function publishedAddress(urls: Urls, spec: SpecRecord): string {
  return urls.api(publishedAt(spec));
}

export async function contentView(
  objects: Objects,
  version: VersionRecord,
  url: string,
): Promise<v.InferOutput<typeof OpenApiSpecContent>> {
  const documents = await parsed(await objects.text(version.filesystem));
  const names = new Set(documents.map(({ filename }) => filename));
  const named = documents.map((document): [string, FilesystemEntry & { filename: string }] => {
    const filename = document.filename ?? freeName(names, version.format);
    return [filename, { ...document, filename }];
  });
  return { filesystem: Object.fromEntries(named) as never, url };
}

/** The name of a specification without an address. No other document refers to it. */
function freeName(taken: ReadonlySet<string | null>, format: VersionRecord["format"]): string {
  let name = `openapi.${format}`;
  for (let n = 2; taken.has(name); n++) name = `openapi-${n}.${format}`;
  return name;
}

/** The possible content types of a version's text. */
export const TEXT_TYPES = ["application/json", "application/yaml"];

/** The text of a version as it was given, with headers that keep browsers from running it. */
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

/** The specification that a computed page names, by its slug or its id. */
export async function computeOpenApi(
  { tx, objects }: { readonly tx: Reader; readonly objects: Objects },
  definition: ComputedDefinition,
): Promise<ComputedSourceContent | undefined> {
  const { props } = definition;
  const named = specNameIn(definition);
  if (named === undefined) return undefined;
  const spec = await specNamed(tx, named);
  const version = spec && (await versions.get(tx, spec.id, spec.lastVersion ?? ""));
  if (!version) return undefined;
  const models = props.models === true;
  return {
    name: `openapi ${version.id} ${version.filesystem} ${models}`,
    isVisibleTo: (reader) => spec.visibility === "public" || organization.rights.viewOpenAPISpecs(reader),
    updatedAt: version.createdAt,
    pages: () => pagesFrom(objects, version.filesystem, models),
  };
}

/** The slug or id of the specification that a definition of a computed page names. */
export function specNameIn(definition: ComputedDefinition | undefined): string | undefined {
  if (definition?.type !== "builtin:openapi") return undefined;
  const named = specNamedBy(definition.dependencies) ?? definition.props.spec;
  return typeof named === "string" && named.length <= 100 ? named : undefined;
}

/** `dependencies.spec.ref.spec`, as tables of contents write it. */
function specNamedBy(dependencies: ComputedDefinition["dependencies"]): unknown {
  const { ref } = (dependencies.spec ?? {}) as { readonly ref?: { readonly spec?: unknown } };
  return ref?.spec;
}

/** The documents of a version, which may have megabytes. */
async function parsed(filesystem: string): Promise<FilesystemEntry[]> {
  const { parseJsonInSteps } = await import("../../../utils/concurrency/json-steps");
  return (await runSteps(parseJsonInSteps(filesystem))) as FilesystemEntry[];
}

/** Parsed values take about this many times the memory of their text. */
const ROOM_FOR_VALUES = 8;

async function pagesFrom(objects: Objects, filesystem: string, models: boolean): Promise<readonly ComputedPage[]> {
  const name = `openapi pages ${filesystem} ${models}`;
  const known = objects.cache.get(name)?.value as readonly ComputedPage[] | undefined;
  if (known) return known;
  const text = await objects.text(filesystem);
  // Most processes never show a specification.
  const { pagesOf } = await import("../../../openapi/specifications/pages");
  const pages = pagesOf(await parsed(text), { models });
  objects.cache.set(name, { value: pages, bytes: text.length * ROOM_FOR_VALUES });
  return pages;
}
