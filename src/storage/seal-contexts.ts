// The contexts with which texts of records are sealed. A text opens only with the context with which it was sealed, so it is valid for
// one thing only, and a format never changes.

export const sealContexts = {
  /** The name and the password of a space's requests of Git. */
  gitRequests: (space: string) => `git ${space}`,
  /** The validators of a specification's source. */
  sourceValidators: (spec: string) => `openapi-known ${spec}`,
  integrationSecrets: (integration: string) => `integration ${integration}`,
  signingKey: (site: string) => `visitors of ${site}`,
  preview: (site: string) => `preview ${site}`,
};
