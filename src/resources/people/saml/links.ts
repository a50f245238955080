// Links the names that SAML providers have for people to users.

import { defineRecordSet } from "../../../storage/records";

/** A row of the directory: the user whom a provider means by a name. Only a digest of the name is stored. */
export type SamlLink = {
  readonly provider: string;
  readonly subject: string;
  readonly user: string;
  readonly linkedAt: string;
  /** True if the user became a member. A user who no longer is one was removed, and a sign-in does not bring them back. */
  readonly isIn: boolean;
};

export const samlLinks = defineRecordSet("saml-link", {
  key: (link: SamlLink) => [link.provider, link.subject],
  indexes: { ofUser: (link) => [link.user] },
});
