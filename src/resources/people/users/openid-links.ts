// Which user a provider of OpenID Connect means, in the directory. A provider knows people by ids of its own, which never
// change and are never given to somebody else. Addresses do and are.

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
