// Queries the document of a page as its readers see it.

import { type QueryState, useQuery } from "../api/queries";
import type { ContentPlace, Document } from "./content-place";

export function useDocument(place: ContentPlace, pageId: string | undefined): QueryState<Document> {
  const { space, changeRequest } = place;
  const query = { evaluated: "true" } as const;
  const ofSpace = useQuery(
    "getPageDocument",
    changeRequest === undefined && pageId !== undefined
      ? { params: { spaceId: place.space, pageId }, query }
      : undefined,
  );
  const ofRequest = useQuery(
    "getChangeRequestPageDocument",
    changeRequest !== undefined && pageId !== undefined
      ? { params: { spaceId: space, changeRequestId: changeRequest, pageId }, query }
      : undefined,
  );
  return changeRequest === undefined ? ofSpace : ofRequest;
}
