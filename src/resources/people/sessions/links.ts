// Links that sign a user in once. The host creates them for users whom it has identified some other way.

import { defineRecordSet } from "../../../storage/records";

export type SignInLinkRecord = {
  /** The SHA-256 of the link's secret. */
  readonly hash: string;
  readonly user: string;
  readonly endsAt: string;
};

export const signInLinks = defineRecordSet("sign-in-link", {
  key: (link: SignInLinkRecord) => [link.hash],
  indexes: { endsAt: (link) => [link.endsAt] },
});
