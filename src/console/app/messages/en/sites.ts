// Messages about sites, in English.

export const sites = {
  newSite: "New site",
  noSites: "There are no sites yet. A site shows spaces to readers.",
  firstSpace: "The first space on it",
  published: "Published",
  notPublished: "Not published",
  visibilityPublic: "Everybody",
  visibilityUnlisted: "Everybody, but search engines do not list it",
  visibilityShareLink: "Whoever has a share link",
  visibilityVisitors: "Visitors who sign in",
  whoSees: "Who sees it",
  openSite: "Open the site",
  publish: "Publish",
  unpublish: "Take offline",
  deleteSite: "Delete site",
  deleteSiteWhy: "“{title}” is no longer at its address. Its spaces stay.",
  spacesOfSite: "Spaces on this site",
  noSpacesOfSite: "No space is on this site yet.",
  addSpace: "Add a space",
  isDefault: "opens first",
} as const;
