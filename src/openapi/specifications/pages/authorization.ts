// Writes the security requirements of an operation: one of several must be met, and each may need several schemes together.

import { isJsonObject } from "../../../utils/objects";
import { escapeInlineText, formatCode, formatLink } from "./format-markdown";
import type { PageWriter } from "./page-writer";
import {
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type ResolveReference,
  type SpecificationObject,
} from "./resolve-references";
import { writeEntry } from "./schemas";

/** The root of a specification, in which the security schemes are defined. */
export type SpecificationRoot = Located<unknown>;

/** The most requirements, and the most scopes of one, that are shown. */
const MAX_SHOWN = 50;

/** Lists the security requirements of an operation, each with scopes by the names of schemes; undefined if there are none. */
export function listSecurityRequirements(
  operation: unknown,
  root: SpecificationRoot,
  isCalledHere: boolean,
): SpecificationObject[] | undefined {
  const own = getOwnMember(operation, "security");
  const requirements = Array.isArray(own) ? own : isCalledHere ? getOwnMember(root.value, "security") : undefined;
  return Array.isArray(requirements) ? requirements.filter(isJsonObject).slice(0, MAX_SHOWN) : undefined;
}

/** Finds a security scheme by its name. */
export function findSecurityScheme(
  resolve: ResolveReference,
  root: SpecificationRoot,
  name: string,
): SpecificationObject | undefined {
  const schemes =
    getOwnMember(root.value, "securityDefinitions") ??
    getOwnMember(getOwnMember(root.value, "components"), "securitySchemes");
  return resolve(getOwnMember(schemes, name), root.document)?.value;
}

/** Writes the security requirements. `isCalledHere` is true if the requirements of all operations hold for this one. */
export function writeAuthorization(
  writing: PageWriter,
  operation: unknown,
  root: SpecificationRoot,
  isCalledHere: boolean,
): string[] {
  const requirements = listSecurityRequirements(operation, root, isCalledHere);
  if (!requirements) return [];
  if (requirements.every((requirement) => Object.keys(requirement).length === 0))
    return ["## Authorization", "None is needed."];
  const lines = requirements.flatMap((requirement) => {
    const schemes = Object.entries(requirement).slice(0, MAX_SHOWN);
    if (schemes.length === 0) return ["* No authorization"];
    if (schemes.length === 1) return [writeScheme(writing, schemes[0]!, root, 0)];
    return ["* All of these together:", ...schemes.map((scheme) => writeScheme(writing, scheme, root, 1))];
  });
  return ["## Authorization", requirements.length > 1 ? "One of these is needed:" : "", lines.join("\n")];
}

function writeScheme(
  writing: PageWriter,
  [name, scopes]: [string, unknown],
  root: SpecificationRoot,
  depth: number,
): string {
  const scheme = findSecurityScheme(writing.resolve, root, name);
  const { kind, limits } = describeSecurityScheme(scheme, scopes);
  const deprecated = getOwnMember(scheme, "deprecated") === true ? ", deprecated" : "";
  const label = `${formatCode(name)}${kind === "" ? "" : `, ${kind}${deprecated}`}`;
  return writeEntry(
    writing,
    { label, kind: "", notes: [], description: getTextMember(scheme, "description"), limits },
    depth,
    false,
  );
}

const FLOWS: Readonly<Record<string, string>> = {
  authorizationCode: "authorization code",
  accessCode: "authorization code",
  clientCredentials: "client credentials",
  application: "client credentials",
  implicit: "implicit",
  password: "password",
  deviceAuthorization: "device authorization",
};

/** Describes a security scheme and its constraints, in Markdown. */
export function describeSecurityScheme(
  scheme: unknown,
  scopes: unknown,
): { readonly kind: string; readonly limits: string } {
  const needed = (Array.isArray(scopes) ? scopes : []).filter((it): it is string => typeof it === "string");
  const kind = scheme ? describeCredential(scheme) : "";
  const meanings = new Map([
    ...getMemberEntries(scheme, "scopes"),
    ...getMemberEntries(scheme, "flows").flatMap(([, flow]) => getMemberEntries(flow, "scopes")),
  ]);
  const described = needed.slice(0, MAX_SHOWN).map((scope) => {
    const meaning = meanings.get(scope);
    const hasMeaning = typeof meaning === "string" && meaning !== "";
    return `${formatCode(scope)}${hasMeaning ? ` (${escapeInlineText(meaning.slice(0, 300))})` : ""}`;
  });
  const scopeWords = `${needed.length === 1 ? "Scope" : "Scopes"}: ${described.join(", ")}.`;

  // The flows by which a token of OAuth 2.0 is obtained. Swagger 2 has one flow, in the scheme itself.
  const swaggerFlow = getTextMember(scheme, "flow");
  const flows: readonly (readonly [string, unknown])[] =
    swaggerFlow === undefined ? getMemberEntries(scheme, "flows") : [[swaggerFlow, scheme]];
  const describedFlows = (getTextMember(scheme, "type") === "oauth2" ? flows.slice(0, 6) : []).map(([name, flow]) => {
    const places = [
      ["authorizationUrl", "authorize at"],
      ["deviceAuthorizationUrl", "authorize at"],
      ["tokenUrl", "get the token at"],
      ["refreshUrl", "refresh it at"],
    ].flatMap(([key, words]) => {
      const address = getTextMember(flow, key!);
      return address === undefined ? [] : [`${words} ${formatLink(address, address)}`];
    });
    const title = Object.hasOwn(FLOWS, name) ? FLOWS[name]! : escapeInlineText(name);
    return `Flow ${title}${places.length === 0 ? "" : `: ${places.join(", ")}`}.`;
  });
  const limits = [...(needed.length === 0 ? [] : [scopeWords]), ...describedFlows].join(" ");
  return { kind, limits };
}

const BASIC_CREDENTIAL = "a name and a password in the header `Authorization: Basic …`";

/** Describes what a caller sends, and where. */
function describeCredential(scheme: unknown): string {
  switch (getTextMember(scheme, "type")) {
    case "apiKey": {
      const location = getTextMember(scheme, "in");
      const place = location === "query" ? "query parameter" : location === "cookie" ? "cookie" : "header";
      return `a key in the ${place} ${formatCode(getTextMember(scheme, "name") ?? "")}`;
    }
    case "basic":
      return BASIC_CREDENTIAL;
    case "http": {
      const name = getTextMember(scheme, "scheme") ?? "";
      const format = getTextMember(scheme, "bearerFormat");
      if (/^basic$/i.test(name)) return BASIC_CREDENTIAL;
      if (!/^bearer$/i.test(name)) return `a proof in the header ${formatCode(`Authorization: ${name} …`)}`;
      return `a token${format === undefined ? "" : ` (${escapeInlineText(format)})`} in the header \`Authorization: Bearer …\``;
    }
    case "oauth2":
      return "a token of OAuth 2.0 in the header `Authorization: Bearer …`";
    case "openIdConnect": {
      const url = getTextMember(scheme, "openIdConnectUrl");
      return `a token of OpenID Connect, described at ${url === undefined ? "another address" : formatLink(url, url)}`;
    }
    case "mutualTLS":
      return "a certificate of the client (mutual TLS)";
    default:
      return "";
  }
}
