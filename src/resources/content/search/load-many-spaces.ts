// Loads the search over many spaces, of an organization or of a site, when it is first used.

import { loadLazily } from "../../../utils/lazy";

export const loadSpaces = loadLazily(() => import("./rank-spaces"));
export const loadPools = loadLazily(() => import("./pools"));
