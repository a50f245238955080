// The document of a page, as its readers see it.

import { type Reading, useRead } from "../calls/reads";
import { type Document, type Place, paramsOf } from "./place";

export function useDocument(place: Place, pageId: string | undefined): Reading<Document> {
  const { space, changeRequest } = place;
  const query = { evaluated: "true" } as const;
  const ofSpace = useRead(
    "getPageDocument",
    changeRequest === undefined && pageId !== undefined ? { params: { ...paramsOf(place), pageId }, query } : undefined,
  );
  const ofRequest = useRead(
    "getChangeRequestPageDocument",
    changeRequest !== undefined && pageId !== undefined
      ? { params: { spaceId: space, changeRequestId: changeRequest, pageId }, query }
      : undefined,
  );
  return changeRequest === undefined ? ofSpace : ofRequest;
}
