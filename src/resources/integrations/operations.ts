// Integrations: other people's code that reacts to what happens here.

export { createInstallationToken, queueTask } from "./acting";
export * from "./endpoint";
export * from "./events";
export {
  getInstallation,
  installIntegration,
  listInstallations,
  listOrganizationInstallations,
  uninstallIntegration,
  updateInstallation,
} from "./installing";
export * from "./on-sites";
export * from "./on-spaces";
export { fetchPublishedScript } from "./published-scripts";
export * from "./publishing";
export * from "./rendering";
