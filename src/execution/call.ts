// A call of an operation in one partition: the context that its handler gets, and the steps that every call takes before its
// handler runs.

import { createError } from "../errors";
import type { Actor } from "../operation/actor";
import type { Operation } from "../operation/operation";
import type { Target, TargetContext } from "../operation/target";
import { CODE_LENGTH, DIRECTORY } from "../storage/ids";
import { openObjects } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { type CheckedQuery, checkBody } from "./check-input";
import type { Caller, Kernel, RawInput, RegisteredOperation, RequestConditions } from "./kernel";

/** One call, in the partition where its target may live. */
export interface Call {
  readonly kernel: Kernel;
  readonly operation: RegisteredOperation;
  readonly input: RawInput;
  readonly caller: Caller & { readonly actor: Actor };
  readonly conditions: RequestConditions;
  readonly partition: string;
  /** The partition that forwarded the call here, because the target has moved. */
  readonly forwardedFrom: string | undefined;
  readonly now: Date;
  /** The body, once it was checked. */
  checkedBody: { readonly value: unknown } | undefined;
  /** True once the call has read another partition. */
  hasPeeked: boolean;
}

/** Thrown if the thing that the path names is absent, or hidden from the caller. The two cannot be told apart. */
export class TargetNotFoundError extends Error {}

/**
 * Creates the context of a call before its target is loaded. The members that the target loads are assigned to it in place, because
 * spreading both into a new object costs a tenth of a small request. `readPartition` reads another partition.
 */
export function createContext(
  call: Call,
  { query, pageRequest }: CheckedQuery,
  tx: Reader,
  readPartition: (partition: string) => Promise<Reader> = call.kernel.store.read,
) {
  const { kernel, operation, input, caller, conditions, partition, forwardedFrom, now } = call;
  const { urls, secrets, apiInfo, jobs } = kernel;
  const { method, spec } = operation.definition;
  return {
    tx,
    directory: partition === DIRECTORY ? tx : caller.directory,
    actor: caller.actor,
    params: input.params,
    query,
    // The body is checked when it is first used: by a target whose ids are in it, otherwise after the right was checked.
    get body() {
      call.checkedBody ??= { value: checkBody(operation, input) };
      return call.checkedBody.value;
    },
    forwardedRequest: input.forwardedRequest,
    originalRequest: conditions.originalRequest,
    pageRequest,
    now,
    // The ids of the directory begin with no code.
    partitionCode: partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH),
    forwardedFrom,
    isWriting: method !== "GET" && !spec.isReadOnly,
    async peek(otherPartition: string) {
      call.hasPeeked = true;
      const view = await readPartition(otherPartition);
      return caller.actor.samlProviderIds && otherPartition !== DIRECTORY
        ? kernel.restrictView(view, caller.actor)
        : view;
    },
    get objects() {
      return openObjects(kernel.store, jobs.objects, tx);
    },
    urls,
    secrets,
    apiInfo,
    ports: jobs.ports,
    jobContext: jobs,
  } satisfies TargetContext & HandlerContext;
}

/** The members of a context that every handler gets. */
type HandlerContext = Parameters<Operation["spec"]["handle"]>[0];

export type CallContext = ReturnType<typeof createContext>;

/**
 * Checks the caller's sign-in method, loads the target, checks the right and then the body, and returns the members that the target
 * loaded. The body comes last, so that only callers with the right learn what is wrong with it.
 */
export async function enterTarget({ kernel, operation, partition }: Call, context: TargetContext): Promise<object> {
  if (context.actor.samlProviderIds && partition !== DIRECTORY)
    await kernel.checkSignInMethod(context.tx, context.actor);
  const { target, right } = operation.definition.spec;
  const loaded = await loadTarget(target, right, context);
  // Reading the body checks it.
  void context.body;
  return loaded;
}

/** Loads a target. Throws `TargetNotFoundError` if it is absent or hidden, and 403 if it is visible and the caller lacks the right. */
export async function loadTarget(target: Target, right: string, context: TargetContext): Promise<object> {
  const loaded = await target.load(context);
  const rights = target.rights as Record<string, (loaded: object) => boolean>;
  if (!loaded || !rights.view!(loaded)) throw new TargetNotFoundError();
  if (!rights[right]!(loaded)) throw createError("forbidden");
  return loaded;
}
