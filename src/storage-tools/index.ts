// octavo/storage-tools: moves everything that a storage holds to another one, keeps it as a backup, and proves that it is
// whole.

export type { Moved } from "./arrival";
export { type BackedUp, type BackupOptions, backup } from "./backup/backup";
export type { Header as BackupHeader } from "./backup/read-backup";
export { type RestoreOptions, readHeader as readBackupHeader, restore } from "./backup/restore";
export { type CopyOptions, copyStorage } from "./copy";
export type { OnProgress, Progress } from "./progress";
export { Refused } from "./refused";
export type { Damage, Finding } from "./verify/finding";
export { type Verified, type VerifyOptions, verify } from "./verify/verify";
