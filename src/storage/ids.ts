// Ids such as `tem_<12><16>`: a prefix for the kind, the code of the partition in which the thing was created, and random
// characters. The prefix keeps the ids of two resources apart, and the code finds the partition without a lookup. Ids of content
// increase over time.

import { sha256Hex } from "../utils/sha256";

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
  siteExternalLink: "exl",
  shareLink: "shl",
  siteRedirect: "red",
  font: "fnt",
  integration: "int",
  installation: "ins",
  call: "cal",
  openApiSpec: "oas",
  openApiSpecVersion: "oav",
  translation: "trl",
  glossaryEntry: "gle",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Returns random bytes. Default: `crypto.getRandomValues`. */
export type Random = (bytes: number) => Uint8Array;

/** The partition of global records: users, tokens, memberships and globally unique names. */
export const DIRECTORY = "directory";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** The length of a partition's code, in characters. */
export const CODE_LENGTH = 12;
const RANDOM_LENGTH = 16;
const wellFormed = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Creates a source of random bytes that fetches them from the platform in bulk, because a platform call takes longer than the
 * rest of generating an id. Bytes that have been returned are erased from the pool.
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

/** Generates a text whose characters have five random bits each. */
export function generateRandomText(random: Random, length: number): string {
  return encodeIdText(random(length));
}

/** Encodes bytes with the alphabet of ids. Used where a repeated request must produce the same id. */
export function encodeIdText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return text;
}

export function formatOrganizationId(code: string): string {
  return `${idPrefixes.organization}_${code}`;
}

/** Generates an id in the partition with this code. Ids in the directory have an empty code. */
export function generateId(kind: Exclude<IdKind, "organization">, code: string, random: Random): string {
  return `${idPrefixes[kind]}_${code}${generateRandomText(random, RANDOM_LENGTH)}`;
}

/** Derives an id from a text. The same text always results in the same id. */
export function deriveId(kind: Exclude<IdKind, "organization">, code: string, text: string): string {
  return `${idPrefixes[kind]}_${code}${sha256Hex(text).slice(0, RANDOM_LENGTH)}`;
}

/** Generates an id in the partition with a code. */
export type NewId = (kind: Exclude<IdKind, "organization">, code: string) => string;

/** The kinds of which a revision contains many. */
const CONTENT: ReadonlySet<IdKind> = new Set(["page", "file", "reusableContent"]);

/** The number of characters of a content id that encode the time in milliseconds; the other ones are random. */
const TIME_LENGTH = 9;
const SEQUENCE_LENGTH = RANDOM_LENGTH - TIME_LENGTH;
const SEQUENCE_END = 32 ** SEQUENCE_LENGTH;

/**
 * Creates an id generator. Ids of content increase over time, so things that are created together are neighbours in the map of a
 * revision, and writing and reading them touches few nodes.
 */
export function createIdGenerator(now: () => Date, random: Random): NewId {
  let time = 0;
  let sequence = 0;
  return (kind, code) => {
    if (!CONTENT.has(kind)) return generateId(kind, code, random);
    const present = now().getTime();
    // The sequence starts at a random number in each millisecond and is then incremented, so no two ids are equal.
    sequence++;
    if (present > time || sequence >= SEQUENCE_END) {
      time = Math.max(present, time + 1);
      sequence = 0;
      for (const byte of random(SEQUENCE_LENGTH)) sequence = sequence * 32 + (byte & 31);
    }
    const ordered = encodeSortableNumber(time, TIME_LENGTH) + encodeSortableNumber(sequence, SEQUENCE_LENGTH);
    return `${idPrefixes[kind]}_${code}${ordered}`;
  };
}

/** Encodes a number with a fixed number of characters that sort numerically. */
function encodeSortableNumber(number: number, length: number): string {
  let text = "";
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** Returns the code of the partition in which an id was created; undefined if the id is not of this kind. */
export function parsePartitionCode(kind: IdKind, id: string): string | undefined {
  const prefix = `${idPrefixes[kind]}_`;
  const code = id.slice(prefix.length, prefix.length + CODE_LENGTH);
  if (!wellFormed.test(id) || !id.startsWith(prefix) || code.length < CODE_LENGTH) return undefined;
  return /^[0-9a-z]+$/.test(code) ? code : undefined;
}

export function getPartitionByCode(code: string): string {
  return `org-${code}`;
}

/** Returns the partition of an organization. The id must come from a record, not from a request. */
export function getOrganizationPartition(organization: string): string {
  return getPartitionRef(organization).partition;
}

/** The partition of an organization, with the code that its new ids contain. */
export interface PartitionRef {
  readonly partition: string;
  readonly code: string;
}

/** Returns the partition and the code of an organization. The id must come from a record, not from a request. */
export function getPartitionRef(organization: string): PartitionRef {
  const code = parsePartitionCode("organization", organization)!;
  return { partition: getPartitionByCode(code), code };
}
