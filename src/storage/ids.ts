// Ids: a kind, the code of the partition in which the thing was made, and random characters: `tem_<12><16>`. The kind
// keeps ids of two resources apart. The code finds the partition without a lookup. Ids of content rise with the time.

import { sha256Hex } from "../utils/sha256";

/** The kinds of things that have ids, and how their ids begin. */
export const idPrefixes = {
  organization: "org",
  user: "usr",
  token: "tok",
  session: "ses",
  team: "tem",
  invite: "inv",
  samlProvider: "sml",
  job: "job",
  collection: "col",
  space: "spc",
  event: "evt",
  auditEvent: "aud",
  revision: "rev",
  page: "pag",
  file: "fil",
  reusableContent: "reu",
  changeRequest: "chr",
  review: "rvw",
  comment: "com",
  commentReply: "rep",
  site: "sit",
  siteSection: "sec",
  siteSectionGroup: "grp",
  siteSpace: "ssp",
  shareLink: "shl",
  siteRedirect: "red",
  font: "fnt",
  integration: "int",
  installation: "ins",
  call: "cal",
  openApiSpec: "oas",
  openApiSpecVersion: "oav",
  translation: "trl",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Random bytes; `crypto.getRandomValues` unless an option says otherwise. */
export type Random = (bytes: number) => Uint8Array;

/** The partition for what is global: users, tokens, who is in which organization, names that are unique everywhere. */
export const DIRECTORY = "directory";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CODE = 12;
const CHANCE = 16;
const wellFormed = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Random bytes of the platform, fetched for many calls at once: a call of the platform takes longer than the rest of
 * making an id. Bytes that were handed out are erased here.
 */
export function createPooledRandom(): Random {
  const pool = new Uint8Array(2048);
  let used = pool.length;
  return (bytes) => {
    if (bytes > pool.length / 8) return crypto.getRandomValues(new Uint8Array(bytes));
    if (used + bytes > pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const taken = pool.slice(used, used + bytes);
    pool.fill(0, used, used + bytes);
    used += bytes;
    return taken;
  };
}

/** Characters of five random bits each. */
export function generateRandomText(random: Random, length: number): string {
  return encodeIdText(random(length));
}

/** The same bytes give the same text: for ids that must be equal when a request is repeated. */
export function encodeIdText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return text;
}

/** A new code for an organization's partition. */
export function generateCode(random: Random): string {
  return generateRandomText(random, CODE);
}

/** The length of a partition's code, in characters. */
export const CODE_LENGTH = CODE;

/** The id of the organization that lives in the partition with this code. */
export function formatOrganizationId(code: string): string {
  return `${idPrefixes.organization}_${code}`;
}

/** A new id in the partition with this code; things of the directory have no code. */
export function generateId(kind: Exclude<IdKind, "organization">, code: string, random: Random): string {
  return `${idPrefixes[kind]}_${code}${generateRandomText(random, CHANCE)}`;
}

/** The id that follows from a text: whoever makes it again has the same one. */
export function deriveId(kind: Exclude<IdKind, "organization">, code: string, text: string): string {
  return `${idPrefixes[kind]}_${code}${sha256Hex(text).slice(0, CHANCE)}`;
}

/** Makes an id in the partition with a code. */
export type NewId = (kind: Exclude<IdKind, "organization">, code: string) => string;

/** What a revision holds many of. */
const CONTENT: ReadonlySet<IdKind> = new Set(["page", "file", "reusableContent"]);

/**
 * Makes ids. Those of content rise with the time, so what is made together stands side by side in the map of a revision:
 * writing and reading it takes few nodes.
 */
export function createIdGenerator(now: () => Date, random: Random): NewId {
  const rising = risingText(now, random);
  return (kind, code) =>
    CONTENT.has(kind) ? `${idPrefixes[kind]}_${code}${rising()}` : generateId(kind, code, random);
}

/** How many characters of a rising id are the time in milliseconds, and how many are random. */
const TIME = 9;
const REST = CHANCE - TIME;
const MOST_REST = 32 ** REST;

/** Texts that rise. Within a millisecond the random part of the first one is counted up, so no two are equal. */
function risingText(now: () => Date, random: Random): () => string {
  let [time, rest] = [0, 0];
  return () => {
    const present = now().getTime();
    rest++;
    if (present > time || rest >= MOST_REST) {
      time = Math.max(present, time + 1);
      rest = 0;
      for (const byte of random(REST)) rest = rest * 32 + (byte & 31);
    }
    return encodeSortableNumber(time, TIME) + encodeSortableNumber(rest, REST);
  };
}

/** A number in so many characters, which sort as numbers do. */
function encodeSortableNumber(number: number, length: number): string {
  let text = "";
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** The code of the partition in which an id was made; undefined when the id is not of this kind. */
export function parsePartitionCode(kind: IdKind, id: string): string | undefined {
  const prefix = `${idPrefixes[kind]}_`;
  const code = id.slice(prefix.length, prefix.length + CODE);
  if (!wellFormed.test(id) || !id.startsWith(prefix) || code.length < CODE) return undefined;
  return /^[0-9a-z]+$/.test(code) ? code : undefined;
}

/** The partition of an organization, by code. */
export function getPartitionByCode(code: string): string {
  return `org-${code}`;
}

/** The partition of an organization whose id comes from a record, and not from a request. */
export function getOrganizationPartition(organization: string): string {
  return getPartitionRef(organization).partition;
}

/** Where an organization keeps its records. */
export interface PartitionRef {
  readonly partition: string;
  /** New ids begin with it. */
  readonly code: string;
}

/** The place of an organization whose id comes from a record. */
export function getPartitionRef(organization: string): PartitionRef {
  const code = parsePartitionCode("organization", organization)!;
  return { partition: getPartitionByCode(code), code };
}
