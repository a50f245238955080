// How integrations are asked. What calls them is loaded with the first question: most processes have no integration.

import { callLazily, loadLazily } from "../../../utils/lazy";

/** Asks an integration. An invalid answer counts as no answer. An integration that is too busy gives 503. */
export const invokeIntegration = callLazily(
  loadLazily(() => import("./invoke-integration")),
  (it) => it.invokeAndRecord,
);
