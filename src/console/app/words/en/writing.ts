// What happens while somebody writes, in English.

export const writing = {
  changedByOther: "Somebody else has changed this page meanwhile. What you typed is untouched.",
  putTogetherNow: "Put both together",
  changedJustNow: "Somebody else has just changed this page. You see it as it is now.",
  refusedNow: "You may not change this page any more. What you wrote is kept in this browser.",
  goneNow: "Somebody else has deleted this page. What you wrote is kept in this browser.",
  copyText: "Copy the text",
  copied: "Copied",
  savedLater: "It is saved as soon as the server can be reached.",
} as const;
