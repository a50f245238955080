// The security requirements of an operation: one of several must be met, and each may need several schemes together.

import { isJsonObject } from "../../utils/objects";
import {
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type SpecificationObject,
  type SpecificationRoot,
} from "./document";
import { escapeInlineText, formatCode, formatLink } from "./format-markdown";
import type { SpecificationOperation } from "./operations";

/** The most requirements, and the most schemes and scopes of one, that are shown. */
const MAX_SHOWN = 50;

const FLOWS: Readonly<Record<string, string>> = {
  authorizationCode: "authorization code",
  accessCode: "authorization code",
  clientCredentials: "client credentials",
  application: "client credentials",
  implicit: "implicit",
  password: "password",
  deviceAuthorization: "device authorization",
};

export interface RequiredScheme {
  readonly name: string;
  readonly scheme: SpecificationObject | undefined;
  /** What a caller sends, in Markdown. */
  readonly kind: string;
  readonly isDeprecated: boolean;
  readonly description: string | undefined;
  /** The scopes that are needed, and the ways to a token, in Markdown. */
  readonly limits: string;
}

/**
 * Lists the security requirements of an operation, each with the schemes that it needs together; undefined if there are none.
 * `isCalledHere` is true if the requirements of all operations hold for this one.
 */
export function listSecurityRequirements(
  { value, root }: Pick<SpecificationOperation, "value" | "root">,
  isCalledHere: boolean,
): RequiredScheme[][] | undefined {
  const own = getOwnMember(value, "security");
  const requirements = Array.isArray(own) ? own : isCalledHere ? getOwnMember(root.value, "security") : undefined;
  if (!Array.isArray(requirements)) return undefined;
  return requirements
    .filter(isJsonObject)
    .slice(0, MAX_SHOWN)
    .map((requirement) =>
      Object.entries(requirement)
        .slice(0, MAX_SHOWN)
        .map(([name, scopes]) => describeRequiredScheme(root, name, scopes)),
    );
}

function describeRequiredScheme(root: SpecificationRoot, name: string, scopes: unknown): RequiredScheme {
  const schemes =
    getOwnMember(root.value, "securityDefinitions") ??
    getOwnMember(getOwnMember(root.value, "components"), "securitySchemes");
  const scheme = root.document.resolve(getOwnMember(schemes, name))?.value;
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
  return {
    name,
    scheme,
    kind,
    isDeprecated: getOwnMember(scheme, "deprecated") === true,
    description: getTextMember(scheme, "description"),
    limits: [...(needed.length === 0 ? [] : [scopeWords]), ...describedFlows].join(" "),
  };
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
