// What one moment of a partition shows to those who listen. Callers with the same credentials see the same, and what was read
// for one of them is not read again for another.

import type { AuditEvent } from "../audit/event";
import { diffMaps } from "../content/prolly-tree";
import { keys } from "../content/revision/entries";
import { DocsError } from "../errors";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import type { LongWork, ProgressRow } from "../jobs/progress";
import { shown } from "../jobs/progress";
import type { Actor } from "../operation/actor";
import { MovedError } from "../operation/moved-error";
import { canCallOperation } from "../operation/roles";
import type { TargetContext } from "../operation/target";
import { changeRequests } from "../resources/content/change-requests/records";
import { nodesOf, revisions } from "../resources/content/revisions/records";
import { CODE_LENGTH, DIRECTORY, formatOrganizationId } from "../storage/ids";
import { objectsIn } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import type { Changed, ContentNow, Progressed } from "./event";
import { type Check, type Guards, paramsOf, thingsOf } from "./guards";

/** What a moment shows. */
export interface Moment {
  /** Whether the caller may still listen. */
  isMember(actor: Actor): Promise<boolean>;
  /** A row of the log as an event for a caller; undefined when it is not for them. */
  changed(actor: Actor, event: AuditEvent): Promise<Changed | undefined>;
  /** The same for a row of progress. */
  progressed(actor: Actor, row: ProgressRow): Promise<Progressed | undefined>;
}

export interface Listening {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  readonly guards: Guards;
}

/** The most pages of a revision that an event names. */
const MOST_PAGES = 100;

type Sight = "seen" | "hidden" | "gone";

/** The reads that decide who hears how far work is. */
const readsOfWork: Readonly<Record<LongWork, string>> = {
  git: "getGitInfo",
  translation: "getTranslation",
  "openapi-spec": "getOpenApiSpec",
  import: "getContent",
  job: "listJobs",
};

export function momentOf({ kernel, operations, guards }: Listening, view: Reader, partition: string): Moment {
  const { store, jobs: work, secrets } = kernel;
  const code = partition.slice(-CODE_LENGTH);
  const organization = formatOrganizationId(code);
  const objects = objectsIn(store, work.objects, view);
  const now = store.now();
  const sights = new Map<string, Promise<Sight>>();
  const contents = new Map<string, Promise<ContentNow | undefined>>();
  let directory: Promise<Reader> | undefined;

  async function scopeOf(actor: Actor, params: Check["params"], home: string | undefined): Promise<TargetContext> {
    directory ??= store.read(DIRECTORY);
    return {
      tx: view,
      directory: await directory,
      actor,
      params,
      query: {},
      now,
      partitionCode: code,
      forwardedFrom: home === partition ? undefined : home,
      peek: async (elsewhere) => {
        const there = await store.read(elsewhere);
        return actor.samlProviderIds && elsewhere !== DIRECTORY ? kernel.restrictView(there, actor) : there;
      },
      secrets,
      objects,
      ports: work.ports,
    };
  }

  async function look(actor: Actor, { named, params }: Check, right: string): Promise<Sight> {
    const { target: on } = named.definition.spec;
    if (!canCallOperation(actor.scopes, named.name, named.scope)) return "hidden";
    const home = on.findPartition(params, "");
    if (home === undefined || home === DIRECTORY) return "hidden";
    try {
      if (actor.samlProviderIds) await kernel.checkSignInMethod(view, actor);
      const loaded = await on.load(await scopeOf(actor, params, home));
      if (!loaded) return "gone";
      const rights = on.rights as Record<string, (loaded: object) => boolean>;
      return rights.view!(loaded) && rights[right]!(loaded) ? "seen" : "hidden";
    } catch (error) {
      if (error instanceof DocsError || error instanceof MovedError) return "hidden";
      throw error;
    }
  }

  function sightOf(actor: Actor, check: Check, right = check.named.definition.spec.right): Promise<Sight> {
    const name = JSON.stringify([actor.credentials, actor.user.id, check.named.name, right, check.params]);
    const known = sights.get(name) ?? look(actor, check, right);
    sights.set(name, known);
    return known;
  }

  /** Whether a caller sees something. What is gone is seen by those who see the list that it was in; what was in the
   * organization itself, by its admins and by who took it away. */
  async function passes(actor: Actor, check: Check, by: string | undefined): Promise<boolean> {
    const sight = await sightOf(actor, check);
    if (sight !== "gone") return sight === "seen";
    const list = guards.ofGone(check.named);
    if (list) return (await sightOf(actor, { named: list.named, params: check.params }, list.right)) === "seen";
    const admins = { named: operations.get("getOrganization")!, params: { organizationId: organization } };
    return actor.user.id === by || (await sightOf(actor, admins, "admin")) === "seen";
  }

  /** What a revision made of a space, or of a change request. */
  function contentOf(space: string, revision: string): Promise<ContentNow | undefined> {
    const known = contents.get(revision) ?? readContent(space, revision);
    contents.set(revision, known);
    return known;
  }

  async function readContent(space: string, id: string): Promise<ContentNow | undefined> {
    const revision = await revisions.get(view, space, id);
    if (!revision || revision.isAside) return undefined;
    const [before] = revision.parents;
    const parent = before === undefined ? undefined : await revisions.get(view, space, before);
    const pages: string[] = [];
    const differences = diffMaps(nodesOf(objects), parent?.root ?? null, revision.root, { under: keys.pages });
    for await (const { key } of differences) {
      pages.push(key.slice(keys.pages.length));
      if (pages.length > MOST_PAGES) break;
    }
    const { changeRequest } = revision;
    return {
      space,
      ...omitUndefined({ changeRequest: changeRequest === null ? undefined : changeRequest }),
      revision: id,
      pages: pages.slice(0, MOST_PAGES),
      ...omitUndefined({ more: pages.length > MOST_PAGES ? true : undefined }),
    };
  }

  /** Parameters with the id of a change request where its number was used. */
  async function withIds(params: Check["params"]): Promise<Check["params"]> {
    const { spaceId, changeRequestId } = params;
    if (spaceId === undefined || !/^\d+$/.test(changeRequestId ?? "")) return params;
    const found = await changeRequests.find(view, "number", spaceId, Number(changeRequestId));
    return found ? { ...params, changeRequestId: found.id } : params;
  }

  return {
    async isMember(actor) {
      const listen = { named: operations.get("streamEvents")!, params: { organizationId: organization } };
      return (await sightOf(actor, listen)) === "seen";
    },
    async changed(actor, event) {
      const named = operations.get(event.action);
      const logged = named && paramsOf(named, organization, event.things);
      if (!logged || named.definition.spec.allowsVisitors) return undefined;
      const params = await withIds(logged);
      for (const check of guards.of(named, params, event.made))
        if (!(await passes(actor, check, event.actor.id))) return undefined;
      const revision = event.made.find(({ type }) => type === "revision");
      const space = params.spaceId ?? event.made.find(({ type }) => type === "space")?.id;
      const content = revision && space ? await contentOf(space, revision.id) : undefined;
      const { type, id } = event.actor;
      return {
        type: "changed",
        id: event.id,
        at: new Date(event.time).toISOString(),
        action: event.action,
        by: { type, ...omitUndefined({ id }) },
        things: thingsOf(params),
        made: event.made.filter((it) => it !== revision),
        ...omitUndefined({ content }),
      };
    },
    async progressed(actor, row) {
      const params = await withIds({ organizationId: organization, ...row.params });
      const isDraft = row.work === "import" && row.params.changeRequestId !== undefined;
      const named = operations.get(isDraft ? "getChangeRequest" : readsOfWork[row.work])!;
      if ((await sightOf(actor, { named, params })) !== "seen") return undefined;
      const space = row.space ?? row.params.spaceId;
      const content = row.revision && space ? await shownContent(actor, space, row.revision) : undefined;
      return {
        type: "progress",
        at: new Date(row.at).toISOString(),
        work: row.work,
        status: row.status,
        things: thingsOf(params),
        progress: shown({ ...row, status: "running" })!,
        ...omitUndefined({ content }),
      };
    },
  };

  /** The content that came of work, for those who see its space. */
  async function shownContent(actor: Actor, space: string, revision: string): Promise<ContentNow | undefined> {
    const check = { named: operations.get("getContent")!, params: { spaceId: space } };
    return (await sightOf(actor, check)) === "seen" ? contentOf(space, revision) : undefined;
  }
}
