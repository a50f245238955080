// What the reader has of its own on every site, by its method and its path below the site.

import type { PlainResponse } from "../http/plain";
import { searchPage } from "./found";
import { integrationAction } from "./integration-actions";
import type { Visit } from "./visit";

type Route = (visit: Visit) => Promise<PlainResponse>;

export const routes: Readonly<Record<string, Route>> = {
  "GET ~octavo/search": searchPage,
  "POST ~octavo/integration": integrationAction,
};
