// Messages about a space and its pages, in English.

export const space = {
  pages: "Pages",
  newPage: "New page",
  newGroup: "New group",
  noPages: "This space has no pages yet.",
  firstPage: "Write the first page",
  edit: "Edit",
  editHere: "Edit directly",
  editInChangeRequest: "Edit in a change request",
  lockedSpace: "This space is changed by change requests only.",
  moveUp: "Move up",
  moveDown: "Move down",
  moveIn: "Move into the page above",
  moveOut: "Move out",
  deletePage: "Delete page",
  deletePageWhy: "“{title}” and the pages below it are taken out of the space. The history keeps them.",
  movedTo: "{title} is now {place} of {count}.",
  history: "History",
} as const;
