// Messages of the home page, in English.

export const home = {
  chooseOrganization: "Your organizations",
  noOrganization: "You are in no organization yet. Make one, or ask for an invite.",
  newOrganization: "New organization",
} as const;
