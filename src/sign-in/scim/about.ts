// What SCIM here says of itself: what it can do, which resources there are, and their attributes.

import { MAX_COUNT, MESSAGE } from "./answers";

const SCHEMA = "urn:ietf:params:scim:schemas:core:2.0";

type Locate = (path: string) => string;

export function serviceProviderConfig(locate: Locate): object {
  return {
    schemas: [`${SCHEMA}:ServiceProviderConfig`],
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
    meta: { resourceType: "ServiceProviderConfig", location: locate("ServiceProviderConfig") },
  };
}

export function resourceTypes(locate: Locate): object[] {
  return ["User", "Group"].map((name) => ({
    schemas: [`${SCHEMA}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${SCHEMA}:${name}`,
    meta: { resourceType: "ResourceType", location: locate(`ResourceTypes/${name}`) },
  }));
}

interface Traits {
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

function attribute(name: string, description: string, traits: Traits = {}): object {
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
    ...traits,
  };
}

const readOnly = { mutability: "readOnly" } as const;

const user = [
  attribute("userName", "The name that the directory knows the person by.", { required: true, uniqueness: "server" }),
  attribute("displayName", "The name as others see it."),
  attribute("name", "The parts of the name.", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The whole name."),
      attribute("givenName", "The first name."),
      attribute("familyName", "The last name."),
    ],
  }),
  attribute("emails", "The address of the person. One is kept: the primary one.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The address."),
      attribute("type", "The kind of the address.", { canonicalValues: ["work", "home", "other"] }),
      attribute("primary", "Always true.", { type: "boolean" }),
    ],
  }),
  attribute("active", "Whether the member may do anything in the organization.", { type: "boolean" }),
  attribute("roles", "The role in the organization. The highest known one counts.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The name of a role.", {
        canonicalValues: ["guest", "read", "comment", "edit", "review", "create", "admin"],
      }),
      attribute("primary", "Always true.", { type: "boolean" }),
    ],
  }),
  attribute("groups", "The teams of the member. They are changed at the groups.", {
    ...readOnly,
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The id of a group.", readOnly),
      attribute("$ref", "The address of the group.", { ...readOnly, type: "reference", referenceTypes: ["Group"] }),
      attribute("display", "The name of the group.", readOnly),
      attribute("type", "Always `direct`.", readOnly),
    ],
  }),
];

const group = [
  attribute("displayName", "The name of the team.", { required: true, uniqueness: "server" }),
  attribute("members", "Who is in the team.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The id of a user.", { mutability: "immutable" }),
      attribute("$ref", "The address of the user.", {
        type: "reference",
        referenceTypes: ["User"],
        mutability: "readOnly",
      }),
      attribute("display", "The name of the user.", readOnly),
      attribute("type", "Always `User`.", readOnly),
    ],
  }),
];

const externalId = attribute("externalId", "The id that the directory knows it by.", { caseExact: true });

export function schemas(locate: Locate): object[] {
  return [
    { name: "User", description: "A member of the organization.", attributes: [...user, externalId] },
    { name: "Group", description: "A team of the organization.", attributes: [...group, externalId] },
  ].map((schema) => ({
    schemas: [`${SCHEMA}:Schema`],
    id: `${SCHEMA}:${schema.name}`,
    ...schema,
    meta: { resourceType: "Schema", location: locate(`Schemas/${SCHEMA}:${schema.name}`) },
  }));
}

/** All of a few resources, as one list. */
export function wholeList(resources: readonly object[]): object {
  return {
    schemas: [`${MESSAGE}:ListResponse`],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
