// octavo/storage-tools: copies everything that a storage holds to another one, backs it up, and verifies it.

export { type BackupOptions, type BackupResult, backup } from "./backup/backup";
export type { BackupHeader } from "./backup/read-backup";
export { type RestoreOptions, readBackupHeader, restore } from "./backup/restore";
export { type CopyOptions, copyStorage } from "./copy-storage";
export { StorageToolError } from "./errors";
export type { OnProgress, StorageProgress } from "./progress";
export type { TransferResult } from "./storage-filler";
export type { Damage, StorageFinding } from "./verify/finding";
export { type VerifyOptions, type VerifyResult, verify } from "./verify/verify";
