// Specifications and their versions made into answers.

import type * as v from "valibot";
import { permissions, type Urls } from "../../operation";
import { Sent } from "../../sent";
import type { Objects } from "../../store/objects";
import type { SpecRecord, VersionRecord } from "./records";
import { type InSpec, openApiSpec } from "./rules";
import type { OpenApiSpec, OpenApiSpecContent, OpenApiSpecVersion } from "./schema";

type Showing = Omit<InSpec, "spec"> & { readonly urls: Urls };

/** The path of a specification that is public. */
const publishedAt = (spec: SpecRecord) => `/public/openapi/${spec.id}`;

export function specView(context: Showing, spec: SpecRecord): v.InferOutput<typeof OpenApiSpec> {
  const { urls, organization } = context;
  const { id, createdAt, updatedAt, slug, url, state, visibility, lastVersion, lastProcessedAt, error } = spec;
  return {
    object: "openapi-spec",
    id,
    createdAt,
    updatedAt,
    slug,
    ...(url === undefined ? {} : { sourceURL: url }),
    processingState: state,
    visibility,
    ...(lastVersion === undefined ? {} : { lastVersion }),
    ...(lastProcessedAt === undefined ? {} : { lastProcessedAt }),
    ...(error === undefined || state !== "complete"
      ? {}
      : { lastProcessErrorCode: error.code, lastProcessErrorMessage: error.message }),
    permissions: permissions(openApiSpec, { ...context, spec }, ["view", "edit"]),
    urls: {
      location: urls.api(`/orgs/${organization.id}/openapi/${slug}`),
      app: urls.app(`/o/${organization.id}/openapi/${slug}`),
      ...(visibility === "public" ? { published: urls.api(publishedAt(spec)) } : {}),
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

/** Where the text of a version is to be found. */
export function addressOf(context: Showing, spec: SpecRecord, version: VersionRecord): string {
  return version.url ?? context.urls.api(`${versionAt(context, spec, version)}/content/raw`);
}

/** Where the text of a public specification is to be found: not where it came from, which may be secret. */
export function publishedAddress(urls: Urls, spec: SpecRecord): string {
  return urls.api(publishedAt(spec));
}

export async function contentView(
  objects: Objects,
  version: VersionRecord,
  url: string,
): Promise<v.InferOutput<typeof OpenApiSpecContent>> {
  return { filesystem: JSON.parse(await objects.text(version.filesystem)) as never, url };
}

/** The text of a version as it came, under headers that let nothing in it run. */
export async function sendText(
  objects: Objects,
  spec: SpecRecord,
  version: VersionRecord,
  more: Readonly<Record<string, string>>,
): Promise<Sent> {
  const { size, body } = await objects.open(version.text);
  return new Sent(body, {
    "content-type": `application/${version.format}; charset=utf-8`,
    "content-length": String(size),
    "content-disposition": `inline; filename="${spec.slug}.${version.format}"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    ...more,
  });
}
