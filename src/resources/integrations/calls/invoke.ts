// The entry to invocations.

import { callLazily, loadLazily } from "../../../utils/lazy";

/**
 * Invokes an integration and records the call. An invalid response counts as none. An integration that is too busy gives 503. The
 * code is loaded with the first invocation, because most processes have no integration.
 */
export const invokeIntegration = callLazily(
  loadLazily(() => import("./invoke-integration")),
  (it) => it.invokeAndRecord,
);
