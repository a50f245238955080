// The search over all spaces of an organization, loaded when it is first asked for.

import { late } from "../../../late";

export const loadSpaces = late(() => import("./rank-spaces"));
