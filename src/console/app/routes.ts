// The paths of the application. Those of resources equal the `urls.app` of the API.

const encode = encodeURIComponent;

export const addresses = {
  home: () => "/",
  /** The list of organizations. The home page skips it for users of a single organization. */
  organizations: () => "/?all",
  account: () => "/account",
  organization: (organization: string) => `/o/${encode(organization)}`,
  part: (organization: string, name: string) => `/o/${encode(organization)}/${name}`,
  collection: (organization: string, collection: string) => `/o/${encode(organization)}/c/${encode(collection)}`,
  space: (organization: string, space: string) => `/o/${encode(organization)}/s/${encode(space)}`,
  ofSpace: (organization: string, space: string, name: string) =>
    `/o/${encode(organization)}/s/${encode(space)}/~/${name}`,
  page: (organization: string, space: string, changeRequest: string | undefined, path: string) => {
    const base = `/o/${encode(organization)}/s/${encode(space)}`;
    const place = changeRequest === undefined ? base : `${base}/~/changes/${encode(changeRequest)}`;
    return path === "" ? place : `${place}/${path.split("/").map(encode).join("/")}`;
  },
  integration: (name: string, page?: string) => `/integrations/${encode(name)}${page === undefined ? "" : `/${page}`}`,
  changeRequest: (organization: string, space: string, number: number | string) =>
    `/o/${encode(organization)}/s/${encode(space)}/~/changes/${encode(String(number))}`,
} as const;

/** The props of a page: the parameters of its path. */
export type RouteParams<Names extends string> = { readonly [name in Names]: string };

/** The paths that the application opens itself. The browser follows all other links. */
export const ownAddresses = /^\/(?:$|\?|o\/(?![^/]+\/invites\/[^/]+\/?$)|account(?:\/|$)|integrations\/)/;
