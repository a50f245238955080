// The content of a space, as this wing needs it: the first revision, counts, transfer to another organization, and
// deletion. The wing of content fills this hook.

import type * as v from "valibot";
import type { MapRoot } from "../../../content/prolly-tree";
import type { JobContext, JobType } from "../../../jobs/jobs";
import type { Actor } from "../../../operation/actor";
import type { Ports } from "../../../ports/ports";
import type { Objects, StagedSet } from "../../../storage/objects";
import type { Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { OrganizationContext } from "../../people/organizations/rules";
import type { SpaceRecord } from "../tree/records";
import type { Space } from "./schema";

/** A space, and the partition that it lives in. */
export type OfSpace = { readonly partition: string; readonly space: string };

export type LaterForSpace = (step: JobType<OfSpace>, payload: OfSpace, when?: Date) => void;

/** What a space is created with. */
export interface Founding extends OrganizationContext {
  readonly tx: Transaction;
  readonly actor: Actor;
  readonly now: Date;
  readonly ports: Ports;
  readonly newId: (kind: "space" | "revision") => string;
  readonly enqueueJob: LaterForSpace;
}

/** Content whose objects are stored but not yet referenced. */
export interface PreparedContent {
  readonly root: MapRoot;
  readonly staged: StagedSet;
}

/** What preparing content needs. */
export interface PreparingContent {
  readonly ports: Ports;
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
  readonly now: Date;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
}

/** A template by its id, and variables that replace its own. */
export interface TemplateWanted {
  readonly id: string;
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** What an answer says about the content of a space. */
export type ContentNumbers = Pick<
  v.InferOutput<typeof Space>,
  "comments" | "changeRequests" | "changeRequestsOpen" | "changeRequestsDraft" | "gitSync"
>;

/**
 * Copies the content of a space into another partition, as far as it is not there yet. The copied objects are kept
 * there as long as the returned announcements exist.
 */
export type SendContent = (
  store: Store,
  view: Reader,
  to: string,
  space: string,
  guard: (tx: Reader) => Promise<void>,
) => Promise<Key[]>;

export interface SpaceContent {
  /**
   * Prepares the content of a new space: the pages of a template, or nothing. An unknown template is reported for
   * `field`.
   */
  readonly prepare: (
    context: PreparingContent,
    template: TemplateWanted | undefined,
    field: string,
  ) => Promise<PreparedContent>;
  /** Writes the first revision of a new space. Returns its id. */
  readonly begin: (context: Founding, space: string, content: PreparedContent) => Promise<string>;
  /** Writes the first revision of a space with the current content of another space. Returns its id. */
  readonly copy: (context: Founding, space: string, original: SpaceRecord) => Promise<string>;
  /** The content data of these spaces, in their order. */
  readonly numbers: (tx: Reader, spaces: readonly string[]) => Promise<ContentNumbers[]>;
  /** The key prefixes of everything that belongs to a space and moves with it. */
  readonly ranges: (space: string) => Key[];
  /** Begins to send spaces. Objects that several of them share are sent once. */
  readonly sending: () => SendContent;
  /** Updates the search after a space was deleted, restored or moved. */
  readonly follow: (ports: Ports, later: LaterForSpace, at: OfSpace) => void;
  /** Removes some of what belongs to a space that has left, beside its key ranges. True: there is more. */
  readonly drop: (tx: Transaction, space: string) => Promise<boolean>;
  /** Removes the small rest. */
  readonly dropRest: (work: JobContext, tx: Transaction, space: string) => Promise<void>;
}

export const content = defineExtensionPoint<SpaceContent>("what spaces hold");

/** Removes a deleted space from a site. True: it may be on more sites. */
export const dropFromSites =
  defineExtensionPoint<(tx: Transaction, space: string) => Promise<boolean>>("the sites that show a space");
