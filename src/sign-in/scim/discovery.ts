// The discovery endpoints of SCIM: the features of the service provider, its resource types and their schemas.

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

/** The characteristics of an attribute that differ from the defaults (RFC 7643, section 2.2). */
interface AttributeCharacteristics {
  readonly type?: "string" | "boolean" | "complex" | "reference";
  readonly required?: boolean;
  readonly multiValued?: boolean;
  readonly mutability?: "readWrite" | "readOnly" | "immutable";
  readonly uniqueness?: "none" | "server";
  readonly caseExact?: boolean;
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly object[];
}

function defineAttribute(name: string, description: string, characteristics: AttributeCharacteristics = {}): object {
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
  };
}

const readOnly = { mutability: "readOnly" } as const;

const userAttributes = [
  defineAttribute("userName", "The name that the directory knows the person by.", {
    required: true,
    uniqueness: "server",
  }),
  defineAttribute("displayName", "The name as others see it."),
  defineAttribute("name", "The parts of the name.", {
    type: "complex",
    subAttributes: [
      defineAttribute("formatted", "The whole name."),
      defineAttribute("givenName", "The first name."),
      defineAttribute("familyName", "The last name."),
    ],
  }),
  defineAttribute("emails", "The address of the person. One is kept: the primary one.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      defineAttribute("value", "The address."),
      defineAttribute("type", "The kind of the address.", { canonicalValues: ["work", "home", "other"] }),
      defineAttribute("primary", "Always true.", { type: "boolean" }),
    ],
  }),
  defineAttribute("active", "Whether the member may do anything in the organization.", { type: "boolean" }),
  defineAttribute("roles", "The role in the organization. The highest known one counts.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      defineAttribute("value", "The name of a role.", {
        canonicalValues: ["guest", "read", "comment", "edit", "review", "create", "admin"],
      }),
      defineAttribute("primary", "Always true.", { type: "boolean" }),
    ],
  }),
  defineAttribute("groups", "The teams of the member. They are changed at the groups.", {
    ...readOnly,
    type: "complex",
    multiValued: true,
    subAttributes: [
      defineAttribute("value", "The id of a group.", readOnly),
      defineAttribute("$ref", "The address of the group.", {
        ...readOnly,
        type: "reference",
        referenceTypes: ["Group"],
      }),
      defineAttribute("display", "The name of the group.", readOnly),
      defineAttribute("type", "Always `direct`.", readOnly),
    ],
  }),
];

const groupAttributes = [
  defineAttribute("displayName", "The name of the team.", { required: true, uniqueness: "server" }),
  defineAttribute("members", "Who is in the team.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      defineAttribute("value", "The id of a user.", { mutability: "immutable" }),
      defineAttribute("$ref", "The address of the user.", {
        type: "reference",
        referenceTypes: ["User"],
        mutability: "readOnly",
      }),
      defineAttribute("display", "The name of the user.", readOnly),
      defineAttribute("type", "Always `User`.", readOnly),
    ],
  }),
];

const externalId = defineAttribute("externalId", "The id that the directory knows it by.", { caseExact: true });

export function getScimSchemas(getUrl: GetResourceUrl): object[] {
  return [
    { name: "User", description: "A member of the organization.", attributes: [...userAttributes, externalId] },
    { name: "Group", description: "A team of the organization.", attributes: [...groupAttributes, externalId] },
  ].map((schema) => ({
    schemas: [`${CORE_SCHEMA}:Schema`],
    id: `${CORE_SCHEMA}:${schema.name}`,
    ...schema,
    meta: { resourceType: "Schema", location: getUrl(`Schemas/${CORE_SCHEMA}:${schema.name}`) },
  }));
}
