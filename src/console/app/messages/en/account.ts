// Messages of the account page, in English.

export const account = {
  tokens: "API tokens",
  tokensWhy: "A token lets a program do what you may do.",
  noTokens: "You have no tokens.",
  newToken: "New token",
  newTokenLabel: "What the token is for",
  shownOnce: "It is shown only this once.",
  copy: "Copy",
  copied: "Copied",
  revoke: "Revoke",
  revokeWhy: "Programs that use this token stop working at once.",
  sessions: "Where you are signed in",
  thisBrowser: "This browser",
  unknownBrowser: "Another browser",
  endSession: "Sign out there",
  endAll: "Sign out everywhere",
  endAllWhy: "Every browser is signed out, also this one.",
  yourData: "Your data",
  downloadYourData: "Download everything that is stored about you",
} as const;
