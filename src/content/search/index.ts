// The search index of a space: pages are added, and queries find them. The index is in memory. It has only the words of the pages and
// their places, not their texts. Excerpts are created from the sections of the pages that are shown, which the caller has.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { createSectionFinder, type SectionHit } from "./excerpts";
import { IndexedPages, type SearchPage, type SearchSection, type TextVariation, VARIATION_TERMS } from "./pages";
import { parseQuery } from "./query";
import { type RankedPage, Ranker, type RankingResult, type RankingScope, type SearchStatistics } from "./ranking";
import { ByteReader, ByteWriter, FIELD_MASKS, PAGE_NUMBER_SHIFT, Vocabulary } from "./vocabulary";
import { ANALYZER_VERSION } from "./words";

export type { SectionHit } from "./excerpts";
export type { SearchPage, SearchSection, TextVariation } from "./pages";
export { type RankedPage, type RankingScope, type SearchStatistics, sumStatistics } from "./ranking";

/** The pages of an index that match a query. */
export interface SearchFindings {
  /** The number of all matching pages. */
  readonly total: number;
  /** The requested pages, the best first. */
  readonly hits: readonly RankedPage[];
  /** Returns the sections of a page that match, the best first, with excerpts. */
  findSections(sections: readonly SearchSection[]): SectionHit[];
  /** Does the same as `findSections`, in steps. */
  findSectionsInSteps(sections: readonly SearchSection[]): Steps<SectionHit[]>;
}

export interface SearchIndex {
  readonly size: number;
  /** The approximate memory of the index. */
  readonly bytes: number;
  listIds(): Iterable<string>;
  /** Returns the ids of the pages whose text varies in this way. */
  listVaryingIds(variation: TextVariation): readonly string[];
  /** Adds a page, or replaces the one with its id. */
  put(page: SearchPage): void;
  /** Does the same as `put`, in steps. The index must not be used until they are done. */
  putInSteps(page: SearchPage): Steps<void>;
  /** Removes a page. Returns false if it was not there. */
  remove(id: string): boolean;
  /** Finds pages, the best first. */
  search(query: string, limit: number, offset?: number, scope?: RankingScope): SearchFindings;
  /** Finds all pages, unordered. */
  searchAll(query: string, scope?: RankingScope): SearchFindings;
  /** Returns the statistics of pages for a query, so that several indexes can rank as one. */
  collectStatistics(query: string, includes?: RankingScope["includes"]): SearchStatistics;
  /** Returns the best pages that may match after some of their texts are removed: everything that `search` could find then, and more. */
  findCandidates(query: string, limit: number, includes?: RankingScope["includes"]): readonly RankedPage[];
  /** Prepares everything that the next search would: it sweeps pages that were removed, and sorts new terms. */
  prepareInSteps(): Steps<void>;
  /** Returns the index as bytes. The same pages result in the same bytes. */
  serialize(): Uint8Array;
  /** Does the same as `serialize`, in steps. */
  serializeInSteps(): Steps<Uint8Array>;
}

/** The approximate memory of an index beside its terms, and of each of its pages. */
const BYTES_PER_INDEX = 1000;
const BYTES_PER_PAGE = 300;

/** Creates an index of pages. Default: none. */
export function createSearchIndex(pages = new IndexedPages()): SearchIndex {
  const ranker = new Ranker(pages);
  return {
    get size() {
      return pages.size;
    },
    get bytes() {
      return BYTES_PER_INDEX + pages.size * BYTES_PER_PAGE + pages.vocabulary.bytes;
    },
    listIds: () => pages.ids.filter((id) => id !== undefined),
    listVaryingIds(variation) {
      const ids: string[] = [];
      for (const entry of pages.vocabulary.get(VARIATION_TERMS[variation]) ?? []) {
        const id = pages.ids[entry >>> PAGE_NUMBER_SHIFT];
        if (id !== undefined) ids.push(id);
      }
      return ids;
    },
    put: (page) => runStepsSync(pages.putInSteps(page)),
    putInSteps: (page) => pages.putInSteps(page),
    remove: (id) => pages.remove(id),
    search(query, limit, offset = 0, scope = {}) {
      const window = { offset: toNonNegativeInteger(offset), limit: toNonNegativeInteger(limit) };
      return createFindings(ranker.rank(parseQuery(query), window, scope));
    },
    searchAll: (query, scope) => createFindings(ranker.rankAll(parseQuery(query), scope)),
    collectStatistics: (query, includes) => ranker.collectStatistics(parseQuery(query), includes),
    findCandidates: (query, limit, includes) =>
      ranker.findCandidates(parseQuery(query), toNonNegativeInteger(limit), includes),
    *prepareInSteps() {
      yield* pages.sweepIfNeededInSteps();
      yield* pages.vocabulary.sortInSteps();
    },
    serialize: () => runStepsSync(serializePagesInSteps(pages)),
    serializeInSteps: () => serializePagesInSteps(pages),
  };
}

function createFindings({ total, best, matches }: RankingResult): SearchFindings {
  const findSectionsInSteps = createSectionFinder(matches);
  return {
    total,
    hits: best,
    findSections: (sections) => runStepsSync(findSectionsInSteps(sections)),
    findSectionsInSteps,
  };
}

function toNonNegativeInteger(value: number): number {
  return Math.max(0, Math.floor(value) || 0);
}

// An index is converted to bytes and back, so that a process that starts need not build it again. The same pages result in the same
// bytes, in whatever order they came. Layout: magic bytes, format version, analyzer version, checksum of the rest; then the ids, the
// lengths of their fields, the terms, the lengths of their lists, and the lists.

const MAGIC = [0x4f, 0x63, 0x53, 0x78] as const; // "OcSx"
const FORMAT_VERSION = 1;
const HEADER_BYTES = 12;

/** The numbers, lines and bytes that are processed in one step. */
const NUMBERS_PER_STEP = 5000;
const BYTES_PER_STEP = 1 << 20;

/** Returns the bytes of an index. The index is swept, sorted by its ids, and packed. */
function* serializePagesInSteps(pages: IndexedPages): Steps<Uint8Array> {
  yield* pages.sweepInSteps("by id");
  yield* pages.vocabulary.packInSteps();

  const writer = new ByteWriter();
  writer.writeText(JSON.stringify(pages.ids));
  for (const number of pages.ids.keys()) {
    for (const fieldLengths of pages.lengths) writer.writeNumber(fieldLengths[number]!);
    if (number % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
  }

  // The terms are written as one text with a line for each, in chunks.
  const terms = pages.vocabulary.listTerms();
  const chunks: Uint8Array[] = [];
  let textLength = 0;
  for (let i = 0; i < terms.length; i += NUMBERS_PER_STEP) {
    const lines = terms.slice(i, i + NUMBERS_PER_STEP).join("\n");
    const chunk = new TextEncoder().encode(i === 0 ? lines : `\n${lines}`);
    textLength += chunk.length;
    chunks.push(chunk);
    yield;
  }
  writer.writeNumber(textLength);
  for (const chunk of chunks) writer.writeBytes(chunk);
  yield;

  const { bytes: lists, ends } = pages.vocabulary.packed;
  for (let i = 0; i < ends.length; i++) {
    writer.writeNumber(ends[i]! - (ends[i - 1] ?? 0));
    if (i % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
  }

  const serialized = new Uint8Array(HEADER_BYTES + writer.length + lists.length);
  serialized.set([...MAGIC, FORMAT_VERSION, 0, ANALYZER_VERSION & 0xff, ANALYZER_VERSION >> 8]);
  serialized.set(writer.getBytes(), HEADER_BYTES);
  serialized.set(lists, HEADER_BYTES + writer.length);
  yield;
  new DataView(serialized.buffer).setUint32(8, yield* computeChecksumInSteps(serialized.subarray(HEADER_BYTES)));
  return serialized;
}

/** Returns a serialized index, or undefined if it must be built again: its bytes are damaged, or of another format or analyzer version. */
export function* deserializeIndexInSteps(serialized: Uint8Array): Steps<SearchIndex | undefined> {
  if (serialized.length < HEADER_BYTES || MAGIC.some((byte, i) => serialized[i] !== byte)) return undefined;
  const header = new DataView(serialized.buffer, serialized.byteOffset, HEADER_BYTES);
  if (header.getUint16(4, true) !== FORMAT_VERSION || header.getUint16(6, true) !== ANALYZER_VERSION) return undefined;
  const content = serialized.subarray(HEADER_BYTES);
  if (header.getUint32(8) !== (yield* computeChecksumInSteps(content))) return undefined;
  try {
    const reader = new ByteReader(content);
    const ids = JSON.parse(reader.readText()) as string[];
    const lengths = FIELD_MASKS.map(() => new Uint32Array(ids.length));
    for (const number of ids.keys()) {
      for (const fieldLengths of lengths) fieldLengths[number] = reader.readNumber();
      if (number % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
    }

    const text = reader.readText();
    const terms = text === "" ? [] : text.split("\n");
    yield;

    const ends = new Uint32Array(terms.length);
    let end = 0;
    for (let i = 0; i < terms.length; i++) {
      end += reader.readNumber();
      ends[i] = end;
      if (i % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
    }
    const bytes = reader.readRest().slice();
    if (bytes.length !== end) throw new RangeError("The lists are not as long as they should be.");
    yield;
    return createSearchIndex(new IndexedPages(yield* Vocabulary.createInSteps(terms, { bytes, ends }), ids, lengths));
  } catch {
    // The checksum is right but the contents are not, so this code did not write them.
    return undefined;
  }
}

/** Computes the FNV-1a hash. It detects damage, not attacks; only our own data is stored here. */
function* computeChecksumInSteps(bytes: Uint8Array): Steps<number> {
  let sum = 0x811c9dc5;
  for (let start = 0; start < bytes.length; start += BYTES_PER_STEP) {
    const end = Math.min(bytes.length, start + BYTES_PER_STEP);
    for (let i = start; i < end; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
    yield;
  }
  return sum >>> 0;
}
