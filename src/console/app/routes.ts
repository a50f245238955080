// The addresses of the application. Those of things are the `urls.app` of the API.

const part = encodeURIComponent;
const pathOf = (path: string) => path.split("/").map(part).join("/");

export const addresses = {
  home: () => "/",
  account: () => "/account",
  organization: (organization: string) => `/o/${part(organization)}`,
  part: (organization: string, name: string) => `/o/${part(organization)}/${name}`,
  collection: (organization: string, collection: string) => `/o/${part(organization)}/c/${part(collection)}`,
  space: (organization: string, space: string) => `/o/${part(organization)}/s/${part(space)}`,
  ofSpace: (organization: string, space: string, name: string) => `/o/${part(organization)}/s/${part(space)}/~/${name}`,
  page: (organization: string, space: string, changeRequest: string | undefined, path: string) =>
    `/o/${part(organization)}/s/${part(space)}${changeRequest === undefined ? "" : `/~/changes/${part(changeRequest)}`}${path === "" ? "" : `/${pathOf(path)}`}`,
  integration: (name: string, page?: string) => `/integrations/${part(name)}${page === undefined ? "" : `/${page}`}`,
  changeRequest: (organization: string, space: string, number: number | string) =>
    `/o/${part(organization)}/s/${part(space)}/~/changes/${part(String(number))}`,
} as const;

/** Which links the application follows itself. All others are left to the browser. */
export const ownAddresses = /^\/(?:$|o\/(?![^/]+\/invites\/[^/]+\/?$)|account(?:\/|$)|integrations\/)/;
