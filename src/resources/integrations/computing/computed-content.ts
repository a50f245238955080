// Pages and files that integrations compute. `integration:<name>:<sourceId>` is a content source of an integration that
// is active in the space's organization and on the space. Everybody who sees the computed page sees its result.

import { callLazily, loadLazily } from "../../../utils/lazy";
import type { IntegrationSources } from "../../content/revisions/computed-sources";
import { SOURCE_TYPE } from "../definitions/records";
import { installations } from "../records";

/** The code that calls sources is loaded with the first call. */
const loadComputation = loadLazily(() => import("./compute"));

export const integrationSourceProvider: IntegrationSources = {
  isIntegrationSource: ({ type }) => SOURCE_TYPE.test(type),
  compute: callLazily(loadComputation, (it) => it.compute),
  computeText: callLazily(loadComputation, (it) => it.computeText),
  hasSources: async (tx) => (await installations.total(tx, "all")) > 0,
};
