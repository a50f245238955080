// Which user a SAML provider means by a name.

import { defineRecordSet } from "../../../storage/records";

/** In the directory: a provider means this user by a name. Of the name there is only a digest. */
export type SamlLink = {
  readonly provider: string;
  readonly subject: string;
  readonly user: string;
  readonly linkedAt: string;
  /** Whether the user was made a member. Who is none later was removed, and a sign-in does not bring them back. */
  readonly isIn: boolean;
};

export const samlLinks = defineRecordSet("saml-link", {
  key: (link: SamlLink) => [link.provider, link.subject],
  indexes: { ofUser: (link) => [link.user] },
});
