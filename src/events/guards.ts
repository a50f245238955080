// Who hears of an operation: those who may read what it was about. The reads are operations themselves, so their targets, rights
// and scopes decide, and nobody hears of a thing that a request would hide.

import { inWords, kindOf } from "../audit/event";
import type { RegisteredOperation } from "../execution/kernel";
import { kinds } from "../storage/ids";

/** Something that a listener must be able to do, for an event to be told. */
export interface Check {
  readonly named: RegisteredOperation;
  readonly params: Readonly<Record<string, string>>;
}

export interface Guards {
  /** What a listener must be able to read, to hear of an operation that made things of some kinds. */
  of(
    named: RegisteredOperation,
    params: Check["params"],
    made: readonly { readonly type: string; readonly id: string }[],
  ): Check[];
  /** What decides about something that is gone: the list that it was in, with the right that is needed. Undefined: it was in
   * the organization itself, whose lists leave out what is hidden. */
  ofGone(named: RegisteredOperation): { readonly named: RegisteredOperation; readonly right: string } | undefined;
}

const paramOf = new Map(Object.keys(kinds).map((kind) => [inWords(kind), `${kind}Id`]));
/** What is told with the thing that it belongs to: grants and reviews name people. */
const PEOPLE = new Set(["userId", "teamId"]);
/** What may be hidden on its own, wherever it is named. */
const TREE = ["spaceId", "collectionId", "siteId"];

export function createGuards(operations: ReadonlyMap<string, RegisteredOperation>): Guards {
  const reads = new Map<string, RegisteredOperation>();
  for (const named of operations.values())
    if (named.definition.method === "GET" && !named.definition.spec.target.allowsAnonymous)
      reads.set(named.definition.path, named);

  /** The read at a path, or at the nearest one above it. */
  function nearest(path: string): RegisteredOperation | undefined {
    for (let at = path; at.length > 1; at = at.slice(0, at.lastIndexOf("/"))) {
      const found = reads.get(at);
      if (found) return found;
    }
    return undefined;
  }

  /** The reads of one thing by a parameter, below what other parameters name: the longest path first. */
  function readsOf(param: string, params: Check["params"]): RegisteredOperation[] {
    return [...reads.values()]
      .filter(({ definition: { params: wanted, path, spec } }) => {
        const isKnown = wanted.every((it) => it === param || params[it] !== undefined);
        return isKnown && path.endsWith(`/:${param}`) && spec.returns !== undefined;
      })
      .sort((a, b) => b.definition.params.length - a.definition.params.length);
  }

  /** The read that covers an operation; the operation itself, where no read covers all that its path names. */
  function covering(named: RegisteredOperation): RegisteredOperation {
    const { path, params } = named.definition;
    const read = nearest(path);
    // An organization is seen by all of its members, and not everything that is done in it.
    if (!read || (read.definition.path === ORGANIZATION && path !== ORGANIZATION)) return named;
    return params.every((it) => PEOPLE.has(it) || read.definition.params.includes(it)) ? read : named;
  }

  return {
    of(named, params, made) {
      const { path } = named.definition;
      let guard = covering(named);
      const checks: Check[] = [];
      for (const { type, id } of made) {
        const param = paramOf.get(type);
        if (param === undefined) continue;
        const [read] = readsOf(param, params);
        if (read) checks.push({ named: read, params: { ...params, [param]: id } });
        else if (guard.definition.path !== path) guard = named;
      }
      for (const param of TREE) {
        const read = params[param] === undefined ? undefined : readsOf(param, params).at(-1);
        // What is below a thing in the path is not found without it.
        if (read && !guard.definition.path.startsWith(read.definition.path)) checks.push({ named: read, params });
      }
      return [{ named: guard, params }, ...checks];
    },
    ofGone({ definition: { path, spec } }) {
      const found = nearest(path.slice(0, path.lastIndexOf("/:")));
      if (!found || !isInside(found.definition.path)) return undefined;
      const list = found.definition.spec;
      const isKnown = spec.right !== "view" && Object.hasOwn(list.target.rights, spec.right);
      return { named: found, right: isKnown ? spec.right : list.right };
    },
  };
}

const ORGANIZATION = "/orgs/:organizationId";

/** Whether a path names something inside of an organization. */
function isInside(path: string): boolean {
  return /\/:(?!organizationId\b)\w+/.test(path);
}

/** The parameters of an operation, from what the log says it was done to. Undefined where the log does not have them all. */
export function paramsOf(
  { definition: operation }: RegisteredOperation,
  organization: string,
  things: readonly { readonly id: string }[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = { organizationId: organization };
  let next = 0;
  for (const name of operation.params) {
    if (name === "organizationId") continue;
    const isLogged = name.endsWith("Id") || NAMED[name] !== undefined;
    const value = isLogged ? things[next++]?.id : undefined;
    if (value === undefined || value === "") return undefined;
    params[name] = value;
  }
  return params;
}

/** What parameters name, from the outside to the inside, as the log names it. */
export function thingsOf(params: Readonly<Record<string, string>>) {
  return Object.entries(params)
    .filter(([name]) => name !== "organizationId")
    .map(([name, id]) => ({ type: kindOf(id) ?? NAMED[name] ?? inWords(name.replace(/Id$/, "")), id }));
}

const NAMED: Readonly<Record<string, string>> = { integrationName: "integration", specSlug: "open-api-spec" };
