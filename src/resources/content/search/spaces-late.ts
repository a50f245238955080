// The search over many spaces, of an organization or of a site, loaded when it is first asked for.

import { late } from "../../../utils/lazy";

export const loadSpaces = late(() => import("./rank-spaces"));
export const loadPools = late(() => import("./pools"));
