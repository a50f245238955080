// What the reader has of its own on every site, by its method and its path below the site.

import type { PlainResponse } from "../http/plain";
import { diagramPage } from "./diagram";
import { searchAnswer, searchPage } from "./found";
import type { Visit } from "./visit";

type Route = (visit: Visit) => Promise<PlainResponse>;

export const routes: Readonly<Record<string, Route>> = {
  "GET ~octavo/diagram": diagramPage,
  "GET ~octavo/search": searchPage,
  "GET ~octavo/search.json": searchAnswer,
};
