// What a space holds is the business of the wing of content, which fills this hook: the first revision, what is counted,
// what goes along to another organization, and what goes when the space does.

import type * as v from "valibot";
import type { Root } from "../../../content/map";
import { hook } from "../../../hook";
import type { Actor } from "../../../operation/operation";
import type { Parts } from "../../../parts/parts";
import type { Objects, StagedSet } from "../../../store/objects";
import type { Key } from "../../../store/storage";
import type { Store } from "../../../store/store";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Step } from "../../../work/jobs";
import type { InOrganization } from "../../people/organizations/rules";
import type { SpaceRecord } from "../tree/records";
import type { Space } from "./schema";

/** A space, and the partition that it lives in. */
export type OfSpace = { readonly partition: string; readonly space: string };

export type LaterForSpace = (step: Step<OfSpace>, payload: OfSpace, when?: Date) => void;

/** What a space is founded with. */
export interface Founding extends InOrganization {
  readonly tx: Transaction;
  readonly actor: Actor;
  readonly now: Date;
  readonly parts: Parts;
  readonly newId: (kind: "space" | "revision") => string;
  readonly later: LaterForSpace;
}

/** Content that is stored, and named by nothing yet. */
export interface PreparedContent {
  readonly root: Root;
  readonly staged: StagedSet;
}

/** What preparing content takes. */
export interface PreparingContent {
  readonly parts: Parts;
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
  readonly now: Date;
  readonly newId: (kind: "page" | "file" | "reusableContent") => string;
}

/** What an answer tells of the content of a space. */
export type ContentNumbers = Pick<
  v.InferOutput<typeof Space>,
  "comments" | "changeRequests" | "changeRequestsOpen" | "changeRequestsDraft" | "gitSync"
>;

/** Copies what a space holds into another partition, as far as it has not come yet. It lives there for as long as the
 * announcements do that are given back. */
export type SendContent = (
  store: Store,
  view: Reader,
  to: string,
  space: string,
  guard: (tx: Reader) => Promise<void>,
) => Promise<Key[]>;

export interface SpaceContent {
  /** Prepares what a new space holds: the pages of a template, or nothing. An unknown template is said of `field`. */
  readonly prepare: (
    context: PreparingContent,
    template: string | undefined,
    field: string,
  ) => Promise<PreparedContent>;
  /** Writes the first revision of a new space; its id. */
  readonly begin: (context: Founding, space: string, content: PreparedContent) => Promise<string>;
  /** Writes the first revision of a space that shows what another one shows now; its id. */
  readonly copy: (context: Founding, space: string, original: SpaceRecord) => Promise<string>;
  /** What is to be told of these spaces, in their order. */
  readonly numbers: (tx: Reader, spaces: readonly string[]) => Promise<ContentNumbers[]>;
  /** What the keys begin with of all that is in a space and goes where it goes. */
  readonly ranges: (space: string) => Key[];
  /** Begins to send spaces; what several of them share is sent once. */
  readonly sending: () => SendContent;
  /** Has searching follow a space that was deleted, has come back, or is in another place. */
  readonly follow: (parts: Parts, later: LaterForSpace, at: OfSpace) => void;
  /** Takes away some of what belongs to a space that is gone from here, beside its ranges; true: there is more. */
  readonly drop: (tx: Transaction, space: string) => Promise<boolean>;
  /** Takes away the rest, which is little. */
  readonly dropRest: (tx: Transaction, space: string) => Promise<void>;
}

export const content = hook<SpaceContent>("what spaces hold");

/** Takes a space that is gone off a site; true when it may be on more of them. */
export const dropFromSites = hook<(tx: Transaction, space: string) => Promise<boolean>>("the sites that show a space");
