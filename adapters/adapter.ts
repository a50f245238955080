// octavo/adapter: everything that an adapter needs. It exports the storage contract with its errors and limits, and the building
// blocks that all adapters share.

export { addToCounter, checkBatch, checkBlobName, checkPartitionName, getByteLength } from "../src/storage/limits";
export {
  type Batch,
  type Blobs,
  Closed,
  type Committed,
  Conflict,
  Corrupt,
  type Entry,
  type Json,
  type Key,
  MAX_BATCH_BYTES,
  MAX_BATCH_CHECKS,
  MAX_BATCH_ENTRIES,
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  type Partition,
  type Range,
  type Snapshot,
  type Storage,
  StorageError,
  TooLarge,
  Unavailable,
  type Version,
} from "../src/storage/storage";
export { concatBytes } from "../src/utils/bytes";
export { crc32 } from "../src/utils/crc32";
export { createBlobExistsError, splitIntoChunks, streamChunks } from "./blob-bytes";
export { decideBatch, isReadOnlyBatch, type Write } from "./decision";
export { createCorruptRecordError, parseEntry, parseFrozen } from "./frozen";
export { joinReads } from "./joined-reads";
export { clampByteRange, getKeySpan, getPrefixEnd, type KeySpan } from "./range";
