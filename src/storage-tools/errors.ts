// Why a storage or a backup was refused, in a sentence for the person who called.

export class StorageToolError extends Error {
  override get name(): string {
    return "Refused";
  }
}
