// Waits of a storage whose bucket is a process on the same machine, which answers late when that is busy.

import { PATIENCE_MS } from "../../support/patience";

export const PATIENT = {
  connectMs: PATIENCE_MS,
  firstByteMs: PATIENCE_MS,
  betweenBytesMs: PATIENCE_MS,
  wholeMs: PATIENCE_MS,
};
