// Pages and files that integrations compute. `integration:<name>:<sourceId>` is a content source of an integration that
// is active in the space's organization and on the space. Everybody who sees the computed page sees its result.

import { callLazily, loadLazily } from "../../../utils/lazy";
import type { IntegrationSources } from "../../content/revisions/computed-sources";
import { installations } from "../records";
import { SOURCE_TYPE } from "./source-type";

/** What asks sources, and reads their answers, is loaded by the first who asks one. */
const computing = loadLazily(() => import("./compute"));

export const integrationSourceProvider: IntegrationSources = {
  isIntegrationSource: ({ type }) => SOURCE_TYPE.test(type),
  compute: callLazily(computing, (it) => it.compute),
  computeText: callLazily(computing, (it) => it.computeText),
  hasSources: async (tx) => (await installations.total(tx, "all")) > 0,
};
