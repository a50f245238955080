// A program whose objects are not there: the door opens outside of Workers, and the first use says what went wrong.

import { durableObjectClass, durableObjectStorage, type ObjectNamespaceLike } from "octavo/durable-objects";
import { memoryStorage } from "octavo/memory";

abstract class DurableObject<Env> {
  constructor(
    protected readonly ctx: object,
    protected readonly env: Env,
  ) {}
}
const maintain = async (_env: { readonly ORIGIN: string }) => ({ next: new Date() });
export class OctavoObject extends durableObjectClass(DurableObject, { maintain }) {}

const objects: ObjectNamespaceLike = {
  idFromName: (name) => name,
  get: () => ({
    async currentVersion() {
      throw new Error("Network connection lost.");
    },
  }),
};
const error: unknown = await durableObjectStorage(objects, { blobs: memoryStorage().blobs })
  .partition("directory")
  .snapshot()
  .catch((reason: unknown) => reason);
if (!(error instanceof Error) || error.name !== "Unavailable") throw new Error(`Objects that are away: ${error}`);
