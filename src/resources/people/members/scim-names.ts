// The names that a company's directory has for the members of an organization, by SCIM. A name is deleted with its member.

import { foldText } from "../../../operation/common-schemas";
import { defineRecordSet } from "../../../storage/records";

export type ScimUserRecord = {
  readonly user: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly givenName?: string;
  readonly familyName?: string;
  /** The kind of the e-mail address, such as `jobs`. */
  readonly emailType?: string;
};

export const scimUsers = defineRecordSet("scim-user", {
  key: (it: ScimUserRecord) => [it.user],
  indexes: { externalId: (it) => (it.externalId === null ? undefined : [it.externalId]) },
  unique: { userName: (it) => [foldText(it.userName)] },
});
