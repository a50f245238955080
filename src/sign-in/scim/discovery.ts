// The discovery endpoints of SCIM: the features of the service provider, its resource types and their schemas.

import { omitUndefined } from "../../utils/objects";
import attributes from "./attributes.json";
import { CORE_SCHEMA, MAX_COUNT } from "./protocol";

type GetResourceUrl = (path: string) => string;

export function getServiceProviderConfig(getUrl: GetResourceUrl): object {
  return {
    schemas: [`${CORE_SCHEMA}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A token of the organization: `POST /v1/orgs/{organizationId}/scim-tokens`.",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: getUrl("ServiceProviderConfig") },
  };
}

export function getResourceTypes(getUrl: GetResourceUrl): object[] {
  return ["User", "Group"].map((name) => ({
    schemas: [`${CORE_SCHEMA}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE_SCHEMA}:${name}`,
    meta: { resourceType: "ResourceType", location: getUrl(`ResourceTypes/${name}`) },
  }));
}

/** An attribute, with the characteristics that differ from the defaults (RFC 7643, section 2.2). */
interface AttributeDefinition {
  readonly name: string;
  readonly description: string;
  readonly subAttributes?: readonly AttributeDefinition[];
}

function defineAttribute({ name, description, subAttributes, ...characteristics }: AttributeDefinition): object {
  return {
    name,
    type: "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...characteristics,
    ...omitUndefined({ subAttributes: subAttributes?.map(defineAttribute) }),
  };
}

export function getScimSchemas(getUrl: GetResourceUrl): object[] {
  return [
    { name: "User", description: "A member of the organization.", attributes: attributes.User.map(defineAttribute) },
    { name: "Group", description: "A team of the organization.", attributes: attributes.Group.map(defineAttribute) },
  ].map((schema) => ({
    schemas: [`${CORE_SCHEMA}:Schema`],
    id: `${CORE_SCHEMA}:${schema.name}`,
    ...schema,
    meta: { resourceType: "Schema", location: getUrl(`Schemas/${CORE_SCHEMA}:${schema.name}`) },
  }));
}
