// Search in a space and in an organization, over the content that the caller may see.

import { defineOperation } from "../../../operation/operation";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { FoundPage, FoundSpace, query } from "./schema";

const loadFindPages = loadLazily(() => import("./find-pages"));
const loadRankSpaces = loadLazily(() => import("./rank-spaces"));

export const searchSpace = defineOperation("GET /spaces/:spaceId/search", {
  summary: "Search a space",
  target: content,
  right: "view",
  query,
  list: FoundPage,
  cache: false,
  handle: callLazily(loadFindPages, ({ searchPages }) => searchPages),
});

/** The pages of each space that an organization's search returns. */
const PAGES_PER_SPACE = 10;

export const searchOrganization = defineOperation("GET /orgs/:organizationId/search", {
  summary: "Search an organization",
  target: organization,
  right: "view",
  query,
  list: FoundSpace,
  cache: false,
  async handle(context) {
    const { searchSpaces } = await loadRankSpaces();
    return searchSpaces(context, PAGES_PER_SPACE);
  },
});
