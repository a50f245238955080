// The search over many spaces, of an organization or of a site, loaded when it is first asked for.

import { loadLazily } from "../../../utils/lazy";

export const loadSpaces = loadLazily(() => import("./rank-spaces"));
export const loadPools = loadLazily(() => import("./pools"));
