/** The reason why a storage or a backup was refused, as a sentence for the person who called. */
export class StorageToolError extends Error {
  override get name(): string {
    return "StorageToolError";
  }
}
