// Links the people of OpenID Connect providers to users, in the directory. A provider has its own ids of people, which never
// change and are never reassigned, unlike e-mail addresses.

import { defineRecordSet } from "../../../storage/records";

type OpenIdLink = {
  readonly issuer: string;
  readonly sub: string;
  readonly user: string;
  readonly linkedAt: string;
};

export const openIdLinks = defineRecordSet("openid-link", {
  key: (link: OpenIdLink) => [link.issuer, link.sub],
  indexes: { ofUser: (link) => [link.user] },
});
