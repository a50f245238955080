// Decides who gets an event: those who may read what its operation was about. The reads are operations themselves, so their targets,
// rights and scopes decide, and nobody learns of a thing that a request would hide.

import { getIdKind, toKebabCase } from "../audit/event";
import type { RegisteredOperation } from "../execution/kernel";
import { idPrefixes } from "../storage/ids";
import type { StreamedThing } from "./streamed-event";

/** A read that a listener must be allowed to make, to get an event. */
export interface ReadCheck {
  readonly operation: RegisteredOperation;
  readonly params: Readonly<Record<string, string>>;
}

export interface EventGuards {
  /** Lists the reads that a listener must be allowed to make, to get the event of an operation that made some things. */
  listChecks(operation: RegisteredOperation, params: ReadCheck["params"], made: readonly StreamedThing[]): ReadCheck[];
  /**
   * Finds the list that a thing was in, which decides about it once it is gone, and the right that is needed. Returns undefined if it
   * was in the organization itself, whose lists leave out hidden things.
   */
  findListCheck(
    operation: RegisteredOperation,
  ): { readonly operation: RegisteredOperation; readonly right: string } | undefined;
}

const ORGANIZATION_PATH = "/orgs/:organizationId";
const paramsByType = new Map(Object.keys(idPrefixes).map((kind) => [toKebabCase(kind), `${kind}Id`]));
/** The types of things that parameters name by something else than an id. */
const TYPES_OF_NAMES: Readonly<Record<string, string>> = {
  integrationName: "integration",
  specSlug: "open-api-spec",
};
/** People, who are seen together with the thing that they belong to: grants and reviews name them. */
const PEOPLE_PARAMS = new Set(["userId", "teamId"]);
/** Things that may be hidden by themselves, wherever they are named. */
const TREE_PARAMS = ["spaceId", "collectionId", "siteId"];

export function createEventGuards(operations: ReadonlyMap<string, RegisteredOperation>): EventGuards {
  const readsByPath = new Map<string, RegisteredOperation>();
  for (const operation of operations.values()) {
    const { method, path, spec } = operation.definition;
    if (method === "GET" && !spec.target.allowsAnonymous) readsByPath.set(path, operation);
  }

  function findNearestRead(path: string): RegisteredOperation | undefined {
    for (let prefix = path; prefix.length > 1; prefix = prefix.slice(0, prefix.lastIndexOf("/"))) {
      const read = readsByPath.get(prefix);
      if (read) return read;
    }
    return undefined;
  }

  /** Returns the reads of one thing by a parameter, below the things that other parameters name. The longest path comes first. */
  function listReads(param: string, params: ReadCheck["params"]): RegisteredOperation[] {
    return [...readsByPath.values()]
      .filter(({ definition: { params: names, path, spec } }) => {
        const hasAllParams = names.every((name) => name === param || params[name] !== undefined);
        return hasAllParams && path.endsWith(`/:${param}`) && spec.returns !== undefined;
      })
      .sort((a, b) => b.definition.params.length - a.definition.params.length);
  }

  return {
    listChecks(operation, params, made) {
      const { path, params: names } = operation.definition;
      // The guard is the nearest read that names everything that the path names, or else the operation itself. All members see the
      // organization, but not everything that is done in it.
      const nearestRead = findNearestRead(path);
      const isOrganization = nearestRead?.definition.path === ORGANIZATION_PATH && path !== ORGANIZATION_PATH;
      const isCovered = (name: string) =>
        PEOPLE_PARAMS.has(name) || nearestRead?.definition.params.includes(name) === true;
      let guard = nearestRead && !isOrganization && names.every(isCovered) ? nearestRead : operation;

      const checks: ReadCheck[] = [];
      for (const { type, id } of made) {
        const param = paramsByType.get(type);
        if (param === undefined) continue;
        const [read] = listReads(param, params);
        if (read) checks.push({ operation: read, params: { ...params, [param]: id } });
        else if (guard.definition.path !== path) guard = operation;
      }
      for (const param of TREE_PARAMS) {
        const read = params[param] === undefined ? undefined : listReads(param, params).at(-1);
        // A thing below another one in the path is not found without it.
        if (read && !guard.definition.path.startsWith(read.definition.path)) checks.push({ operation: read, params });
      }
      return [{ operation: guard, params }, ...checks];
    },

    findListCheck({ definition: { path, spec } }) {
      const list = findNearestRead(path.slice(0, path.lastIndexOf("/:")));
      const isInsideOrganization = list && /\/:(?!organizationId\b)\w+/.test(list.definition.path);
      if (!isInsideOrganization) return undefined;
      const listSpec = list.definition.spec;
      const hasRight = spec.right !== "view" && Object.hasOwn(listSpec.target.rights, spec.right);
      return { operation: list, right: hasRight ? spec.right : listSpec.right };
    },
  };
}

/** Returns the parameters of an operation, by the things that the log names. Undefined if the log does not have them all. */
export function restoreParams(
  { definition }: RegisteredOperation,
  organizationId: string,
  things: readonly { readonly id: string }[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = { organizationId };
  let next = 0;
  for (const name of definition.params) {
    if (name === "organizationId") continue;
    const isLogged = name.endsWith("Id") || TYPES_OF_NAMES[name] !== undefined;
    const value = isLogged ? things[next++]?.id : undefined;
    if (value === undefined || value === "") return undefined;
    params[name] = value;
  }
  return params;
}

/** Returns the things that parameters name, from the outside to the inside, as the log names them. */
export function listThings(params: Readonly<Record<string, string>>): StreamedThing[] {
  const things: StreamedThing[] = [];
  for (const [name, id] of Object.entries(params)) {
    if (name === "organizationId") continue;
    things.push({ type: getIdKind(id) ?? TYPES_OF_NAMES[name] ?? toKebabCase(name.replace(/Id$/, "")), id });
  }
  return things;
}
