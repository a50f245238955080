// What an operation demands of who calls it: one of several ways, each of which may need several proofs together.

import { isValues, member, membersIn, type Placed, type Resolve, textIn, type Values } from "./pointers";
import { entry } from "./schemas";
import { code, inLine, linked } from "./words";
import type { Writing } from "./writing";

/** The root of a specification, where the ways are defined. */
export type Root = Placed<unknown>;

/** The most ways, and the most scopes of one, that are shown. */
const MAX_SHOWN = 50;

/** The ways to be authorized, each with the scopes of its proofs by their names; undefined where nothing is said. */
export function waysOf(operation: unknown, root: Root, isCalledHere: boolean): Values[] | undefined {
  const own = member(operation, "security");
  const ways = Array.isArray(own) ? own : isCalledHere ? member(root.value, "security") : undefined;
  return Array.isArray(ways) ? ways.filter(isValues).slice(0, MAX_SHOWN) : undefined;
}

/** What a specification says of a proof. */
export function schemeOf(resolve: Resolve, root: Root, name: string): Values | undefined {
  const schemes =
    member(root.value, "securityDefinitions") ?? member(member(root.value, "components"), "securitySchemes");
  return resolve(member(schemes, name), root.document)?.value;
}

/** The ways to be authorized, as blocks. `isCalledHere`: what holds for all operations holds for this one. */
export function authorizationBlocks(writing: Writing, operation: unknown, root: Root, isCalledHere: boolean): string[] {
  const known = waysOf(operation, root, isCalledHere);
  if (!known) return [];
  if (known.every((way) => Object.keys(way).length === 0)) return ["## Authorization", "None is needed."];
  const lines = known.flatMap((way) => {
    const proofs = Object.entries(way).slice(0, MAX_SHOWN);
    if (proofs.length === 0) return ["* No authorization"];
    if (proofs.length === 1) return [proofLine(writing, proofs[0]!, root, 0)];
    return ["* All of these together:", ...proofs.map((proof) => proofLine(writing, proof, root, 1))];
  });
  return ["## Authorization", known.length > 1 ? "One of these is needed:" : "", lines.join("\n")];
}

function proofLine(writing: Writing, [name, scopes]: [string, unknown], root: Root, depth: number): string {
  const scheme = schemeOf(writing.resolve, root, name);
  const { kind, limits } = proofWords(scheme, scopes);
  const deprecated = member(scheme, "deprecated") === true ? ", deprecated" : "";
  const label = `${code(name)}${kind === "" ? "" : `, ${kind}${deprecated}`}`;
  return entry(
    writing,
    { label, kind: "", notes: [], description: textIn(scheme, "description"), limits },
    depth,
    false,
  );
}

/** What a proof is, and what is demanded of it, in Markdown. */
export function proofWords(scheme: unknown, scopes: unknown): { readonly kind: string; readonly limits: string } {
  const needed = (Array.isArray(scopes) ? scopes : []).filter((it): it is string => typeof it === "string");
  const kind = scheme ? wordsOf(scheme) : "";
  const limits = [scopesOf(scheme, needed), ...(scheme ? flowsOf(scheme) : [])].filter((it) => it !== "").join(" ");
  return { kind, limits };
}

/** What a proof is, and where it goes. */
function wordsOf(scheme: unknown): string {
  const name = textIn(scheme, "name") ?? "";
  switch (textIn(scheme, "type")) {
    case "apiKey":
      return `a key in the ${placeOf(textIn(scheme, "in"))} ${code(name)}`;
    case "basic":
      return BASIC;
    case "http":
      return httpWords(textIn(scheme, "scheme") ?? "", textIn(scheme, "bearerFormat"));
    case "oauth2":
      return "a token of OAuth 2.0 in the header `Authorization: Bearer …`";
    case "openIdConnect":
      return `a token of OpenID Connect, described at ${addressOf(textIn(scheme, "openIdConnectUrl"))}`;
    case "mutualTLS":
      return "a certificate of the client (mutual TLS)";
    default:
      return "";
  }
}

const BASIC = "a name and a password in the header `Authorization: Basic …`";

function httpWords(scheme: string, format: string | undefined): string {
  if (/^basic$/i.test(scheme)) return BASIC;
  if (!/^bearer$/i.test(scheme)) return `a proof in the header ${code(`Authorization: ${scheme} …`)}`;
  return `a token${format === undefined ? "" : ` (${inLine(format)})`} in the header \`Authorization: Bearer …\``;
}

function placeOf(place: string | undefined): string {
  return place === "query" ? "query parameter" : place === "cookie" ? "cookie" : "header";
}

function addressOf(address: string | undefined): string {
  return address === undefined ? "another address" : linked(address, address);
}

/** The scopes that are needed, with what each allows. */
function scopesOf(scheme: unknown, needed: readonly string[]): string {
  if (needed.length === 0) return "";
  const meanings = new Map([
    ...membersIn(scheme, "scopes"),
    ...membersIn(scheme, "flows").flatMap(([, flow]) => membersIn(flow, "scopes")),
  ]);
  const told = needed.slice(0, MAX_SHOWN).map((scope) => {
    const meaning = meanings.get(scope);
    return `${code(scope)}${typeof meaning === "string" && meaning !== "" ? ` (${inLine(meaning.slice(0, 300))})` : ""}`;
  });
  return `${needed.length === 1 ? "Scope" : "Scopes"}: ${told.join(", ")}.`;
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

/** Where a token of OAuth 2.0 comes from. Swagger 2 has one flow, in the scheme itself. */
function flowsOf(scheme: unknown): string[] {
  if (textIn(scheme, "type") !== "oauth2") return [];
  const old = textIn(scheme, "flow");
  const flows: readonly [string, unknown][] = old === undefined ? membersIn(scheme, "flows") : [[old, scheme]];
  return flows.slice(0, 6).map(([name, flow]) => {
    const places = [
      ["authorizationUrl", "authorize at"],
      ["deviceAuthorizationUrl", "authorize at"],
      ["tokenUrl", "get the token at"],
      ["refreshUrl", "refresh it at"],
    ].flatMap(([key, words]) => {
      const address = textIn(flow, key!);
      return address === undefined ? [] : [`${words} ${linked(address, address)}`];
    });
    const title = Object.hasOwn(FLOWS, name) ? FLOWS[name]! : inLine(name);
    return `Flow ${title}${places.length === 0 ? "" : `: ${places.join(", ")}`}.`;
  });
}
