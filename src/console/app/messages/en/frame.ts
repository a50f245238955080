// Messages of the page layout, in English.

export const frame = {
  organizations: "Organizations",
  yourAccount: "Your account",
  signOut: "Sign out",
  library: "Library",
  changeRequests: "Change requests",
  sites: "Sites",
  specifications: "API specifications",
  translations: "Translations",
  integrations: "Integrations",
  people: "People",
  settings: "Settings",
  auditLog: "Audit log",
  navigation: "Navigation",
  language: "Language",
} as const;
