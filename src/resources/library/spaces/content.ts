// The extension point by which spaces use their content: the first revision, counts, transfer to another organization,
// and deletion. The module of content implements it.

import type * as v from "valibot";
import type { MapRoot } from "../../../content/prolly-tree";
import type { JobContext, JobType } from "../../../jobs/jobs";
import type { CallContext } from "../../../operation/operation";
import type { TargetContext } from "../../../operation/target";
import type { Ports } from "../../../ports/ports";
import type { StagedSet } from "../../../storage/objects";
import type { Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { OrganizationContext } from "../../people/organizations/rules";
import type { SpaceRecord } from "../tree/records";
import type { Space } from "./schema";

export type SpaceRef = { readonly partition: string; readonly space: string };

export type EnqueueSpaceJob = (step: JobType<SpaceRef>, payload: SpaceRef, when?: Date) => void;

export interface SpaceCreation extends OrganizationContext, Pick<CallContext, "actor" | "now" | "tx"> {
  readonly ports: Ports;
  readonly newId: (kind: "space" | "revision") => string;
  readonly enqueueJob: EnqueueSpaceJob;
}

/** Content whose objects are stored but not yet referenced. */
export interface PreparedContent {
  readonly root: MapRoot;
  readonly staged: StagedSet;
}

/** The context in which the content of a new space is prepared. */
export interface ContentPreparation extends Pick<TargetContext, "objects" | "now"> {
  readonly ports: Ports;
  readonly store: Store;
  readonly partition: string;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
}

/** A template by its id, and variables that replace its own. */
export interface TemplateChoice {
  readonly id: string;
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** The fields of a space on the wire that the module of content computes. */
export type ContentCounts = Pick<
  v.InferOutput<typeof Space>,
  "comments" | "changeRequests" | "changeRequestsOpen" | "changeRequestsDraft" | "gitSync"
>;

/**
 * Copies the content of a space into another partition, unless it is already there. The returned announcements protect
 * the copied objects from the garbage collection there.
 */
export type SendContent = (
  store: Store,
  view: Reader,
  to: string,
  space: string,
  guard: (tx: Reader) => Promise<void>,
) => Promise<Key[]>;

export interface SpaceContent {
  /** Prepares the first content: the pages of a template, or nothing. An unknown template is reported for `field`. */
  readonly prepare: (
    context: ContentPreparation,
    template: TemplateChoice | undefined,
    field: string,
  ) => Promise<PreparedContent>;
  /** Writes the first revision of a new space. Returns its id. */
  readonly createFirstRevision: (context: SpaceCreation, space: string, content: PreparedContent) => Promise<string>;
  /** Writes the first revision of a space with the current content of another space. Returns its id. */
  readonly copyFirstRevision: (context: SpaceCreation, space: string, original: SpaceRecord) => Promise<string>;
  /** Counts the content of these spaces, in their order. */
  readonly count: (tx: Reader, spaces: readonly string[]) => Promise<ContentCounts[]>;
  /** Lists the key prefixes of everything that belongs to a space and moves with it. */
  readonly listRanges: (space: string) => Key[];
  /** Creates a function that sends spaces. Objects that several of them share are sent once. */
  readonly createSender: () => SendContent;
  /** Enqueues an update of the search after a space was deleted, restored or moved. */
  readonly updateSearch: (ports: Ports, later: EnqueueSpaceJob, at: SpaceRef) => void;
  /** Removes some of the records of a space that has left, besides its key ranges. Returns true if there are more. */
  readonly drop: (tx: Transaction, space: string) => Promise<boolean>;
  /** Removes the few records that are left after `drop`. */
  readonly dropRest: (work: JobContext, tx: Transaction, space: string) => Promise<void>;
}

export const content = defineExtensionPoint<SpaceContent>("what spaces hold");

/** Removes a deleted space from a site. Returns true if it may be on more sites. */
export const dropFromSites =
  defineExtensionPoint<(tx: Transaction, space: string) => Promise<boolean>>("the sites that show a space");
