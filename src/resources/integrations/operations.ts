// The operations of integrations: third-party code that reacts to events.

export * from "./calls/public-endpoint";
export * from "./calls/render-component";
export * from "./definitions/publish-integration";
export * from "./delivery/events";
export {
  getInstallation,
  installIntegration,
  listInstallations,
  listOrganizationInstallations,
  uninstallIntegration,
  updateInstallation,
} from "./installations/install-integration";
export { getInstallationStatus, listInstallationStatuses } from "./installations/installation-status";
export { listOrganizationIntegrations } from "./installations/list-active-integrations";
export * from "./installations/on-places";
export {
  cancelTask,
  createInstallationToken,
  getTask,
  listTasks,
  queueIntegrationTask,
  queueTask,
} from "./installations/tokens-and-tasks";
export { fetchPublishedScript } from "./published/published-scripts";
