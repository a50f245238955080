// The view that listeners have of a partition at one version: it turns rows of the audit log and of progress into the events that a
// caller may see. Callers with the same credentials see the same, and data that was read for one of them is not read again.

import type { AuditEvent } from "../audit/event";
import { diffMaps } from "../content/prolly-tree";
import { keys } from "../content/revision/entries";
import { DocsError } from "../errors";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import type { LongWork, ProgressRecord } from "../jobs/progress";
import type { Actor } from "../operation/actor";
import { MovedError } from "../operation/moved-error";
import { canCallOperation } from "../operation/roles";
import type { TargetContext } from "../operation/target";
import { changeRequests } from "../resources/content/change-requests/records";
import { createNodeSource, revisions } from "../resources/content/revisions/records";
import { CODE_LENGTH, DIRECTORY, formatOrganizationId } from "../storage/ids";
import { openObjects } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import { type EventGuards, listThings, type ReadCheck, restoreParams } from "./event-guards";
import type { ChangedEvent, ShownContent, WorkProgressEvent } from "./streamed-event";

export interface EventView {
  /** Returns true if the caller may still listen. */
  canListen(actor: Actor): Promise<boolean>;
  /** Returns a row of the log as an event for a caller; undefined if the caller may not see it. */
  toChangedEvent(actor: Actor, event: AuditEvent): Promise<ChangedEvent | undefined>;
  /** Returns a record of progress as an event for a caller; undefined if the caller may not see it. */
  toProgressEvent(actor: Actor, record: ProgressRecord): Promise<WorkProgressEvent | undefined>;
}

export interface EventViewOptions {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  readonly guards: EventGuards;
}

/** The most pages of a revision that an event names. */
const MAX_PAGES = 100;

/** The result of a check: the caller sees the thing, or it is hidden from them, or it is gone. */
type Visibility = "seen" | "hidden" | "gone";

/** The reads that decide who gets the progress of each kind of work. */
const readsOfWork: Readonly<Record<LongWork, string>> = {
  git: "getGitInfo",
  translation: "getTranslation",
  "openapi-spec": "getOpenApiSpec",
  import: "getContent",
  job: "listJobs",
};

export function createEventView(
  { kernel, operations, guards }: EventViewOptions,
  view: Reader,
  partition: string,
): EventView {
  const { store, jobs, secrets } = kernel;
  const partitionCode = partition.slice(-CODE_LENGTH);
  const organizationId = formatOrganizationId(partitionCode);
  const objects = openObjects(store, jobs.objects, view);
  const now = store.now();
  const visibilities = new Map<string, Promise<Visibility>>();
  const contents = new Map<string, Promise<ShownContent | undefined>>();
  let directory: Promise<Reader> | undefined;

  /** Checks if a caller may make a read, and caches the result. */
  function checkVisibility(
    actor: Actor,
    check: ReadCheck,
    right = check.operation.definition.spec.right,
  ): Promise<Visibility> {
    const name = JSON.stringify([actor.credentials, actor.user.id, check.operation.name, right, check.params]);
    const known = visibilities.get(name) ?? computeVisibility(actor, check, right);
    visibilities.set(name, known);
    return known;
  }

  async function computeVisibility(actor: Actor, { operation, params }: ReadCheck, right: string): Promise<Visibility> {
    const { target } = operation.definition.spec;
    if (!canCallOperation(actor.scopes, operation.name, operation.scope)) return "hidden";
    const home = target.findPartition(params, "");
    if (home === undefined || home === DIRECTORY) return "hidden";
    try {
      if (actor.samlProviderIds) await kernel.checkSignInMethod(view, actor);
      directory ??= store.read(DIRECTORY);
      const context: TargetContext = {
        tx: view,
        directory: await directory,
        actor,
        params,
        query: {},
        now,
        partitionCode,
        forwardedFrom: home === partition ? undefined : home,
        async peek(otherPartition) {
          const otherView = await store.read(otherPartition);
          const isRestricted = actor.samlProviderIds && otherPartition !== DIRECTORY;
          return isRestricted ? kernel.restrictView(otherView, actor) : otherView;
        },
        secrets,
        objects,
        ports: jobs.ports,
      };
      const loaded = await target.load(context);
      if (!loaded) return "gone";
      const rights = target.rights as Record<string, (loaded: object) => boolean>;
      return rights.view!(loaded) && rights[right]!(loaded) ? "seen" : "hidden";
    } catch (error) {
      if (error instanceof DocsError || error instanceof MovedError) return "hidden";
      throw error;
    }
  }

  /** Returns the changes that a revision made to a space, or to a change request, and caches them. */
  function getContent(space: string, revisionId: string): Promise<ShownContent | undefined> {
    const known = contents.get(revisionId);
    if (known !== undefined) return known;
    const reading = (async () => {
      const revision = await revisions.get(view, space, revisionId);
      if (!revision || revision.isAside) return undefined;
      const [parentId] = revision.parents;
      const parent = parentId === undefined ? undefined : await revisions.get(view, space, parentId);

      const pages: string[] = [];
      const source = createNodeSource(objects);
      const differences = diffMaps(source, parent?.root ?? null, revision.root, { under: keys.pages });
      for await (const { key } of differences) {
        pages.push(key.slice(keys.pages.length));
        if (pages.length > MAX_PAGES) break;
      }
      return {
        space,
        ...omitUndefined({ changeRequest: revision.changeRequest ?? undefined }),
        revision: revisionId,
        pages: pages.slice(0, MAX_PAGES),
        ...omitUndefined({ more: pages.length > MAX_PAGES ? true : undefined }),
      } satisfies ShownContent;
    })();
    contents.set(revisionId, reading);
    return reading;
  }

  /** Returns the parameters with the id of a change request if its number was used. */
  async function resolveNumbers(params: ReadCheck["params"]): Promise<ReadCheck["params"]> {
    const { spaceId, changeRequestId } = params;
    if (spaceId === undefined || !/^\d+$/.test(changeRequestId ?? "")) return params;
    const found = await changeRequests.find(view, "number", spaceId, Number(changeRequestId));
    return found ? { ...params, changeRequestId: found.id } : params;
  }

  return {
    async canListen(actor) {
      const check = { operation: operations.get("streamEvents")!, params: { organizationId } };
      return (await checkVisibility(actor, check)) === "seen";
    },

    async toChangedEvent(actor, event) {
      const { made } = event;
      const operation = operations.get(event.action);
      const loggedParams = operation && restoreParams(operation, organizationId, event.things);
      if (!loggedParams || operation.definition.spec.allowsVisitors) return undefined;
      const params = await resolveNumbers(loggedParams);
      for (const check of guards.listChecks(operation, params, made)) {
        let visibility = await checkVisibility(actor, check);
        if (visibility === "gone") {
          // A thing that is gone is seen by those who see the list that it was in. If it was in the organization itself, it is seen by
          // the admins and by the person who removed it.
          const list = guards.findListCheck(check.operation);
          const organizationCheck = { operation: operations.get("getOrganization")!, params: { organizationId } };
          if (list)
            visibility = await checkVisibility(actor, { operation: list.operation, params: check.params }, list.right);
          else if (actor.user.id === event.actor.id) visibility = "seen";
          else visibility = await checkVisibility(actor, organizationCheck, "admin");
        }
        if (visibility !== "seen") return undefined;
      }

      const revision = made.find(({ type }) => type === "revision");
      const spaceId = params.spaceId ?? made.find(({ type }) => type === "space")?.id;
      const content = revision && spaceId ? await getContent(spaceId, revision.id) : undefined;
      const { type, id } = event.actor;
      return {
        type: "changed",
        id: event.id,
        at: new Date(event.time).toISOString(),
        action: event.action,
        by: { type, ...omitUndefined({ id }) },
        things: listThings(params),
        made: made.filter((thing) => thing !== revision),
        ...omitUndefined({ content }),
      };
    },

    async toProgressEvent(actor, record) {
      const { work, status, at, revision, done, total, step } = record;
      const params = await resolveNumbers({ organizationId, ...record.params });
      const isDraft = work === "import" && record.params.changeRequestId !== undefined;
      const operation = operations.get(isDraft ? "getChangeRequest" : readsOfWork[work])!;
      if ((await checkVisibility(actor, { operation, params })) !== "seen") return undefined;

      // The content that the work created is for those who see its space.
      const spaceId = record.space ?? record.params.spaceId;
      let content: ShownContent | undefined;
      if (revision && spaceId) {
        const contentCheck = { operation: operations.get("getContent")!, params: { spaceId } };
        if ((await checkVisibility(actor, contentCheck)) === "seen") content = await getContent(spaceId, revision);
      }
      return {
        type: "progress",
        at: new Date(at).toISOString(),
        work,
        status,
        things: listThings(params),
        progress: { done, ...omitUndefined({ total }), step },
        ...omitUndefined({ content }),
      };
    },
  };
}
