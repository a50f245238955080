// Messages of the library, in English.

export const library = {
  newSpace: "New space",
  newCollection: "New collection",
  noSpaces: "Nothing is here yet. A space holds the pages of one book.",
  spaces: "Spaces",
  collections: "Collections",
  changed: "Changed {when}",
  openRequests: { one: "{count} open change request", other: "{count} open change requests" },
} as const;
