// The public entry: createDocsApi, the storage types, the error types.

export type { CacheSizes } from "./api/cache-sizes";
export { createDocsApi, type DocsApi, type Metrics } from "./api/create-docs-api";
export type { KnownUser } from "./api/list-users";
export type { AuthenticationRequest, DocsApiOptions, FileOptions, GitOptions, OpenApiSpecOptions } from "./api/options";
export type { ProvisionRequest, ProvisionResult } from "./api/provision";
export type { PrintedPage, Printer, PrintJob } from "./content/print-job";
export type { SearchPage } from "./content/search";
export type { Template, TemplatePage } from "./content/templates";
export type { GlossaryEntry, TranslationRequest, Translator } from "./content/translation/translator";
export { DocsError, type Issue, type Reason } from "./errors";
export type { MaintainOptions, MaintenanceReport } from "./execution/maintain";
export type { Operations } from "./generated/operations";
export type * as Resources from "./generated/resources";
export {
  type GitAuth,
  type GitChange,
  type GitClient,
  type GitCommit,
  type GitContent,
  GitError,
  type GitErrorReason,
  type GitFile,
  type GitLimits,
  type GitMode,
  type GitPerson,
  type GitPushOptions,
  type GitPushResult,
  type GitReadOptions,
  type GitRemote,
  type GitSkippedEntry,
} from "./git/port";
export type { CorsOptions } from "./http/cors";
export type { PlainRequest, PlainResponse } from "./http/plain-request";
export type { RateLimitOptions } from "./http/rate-limit";
export type { OnRequest, RequestReport } from "./http/request-report";
export type { DocsEvent, Listener } from "./jobs/outbox";
export type { Envelope, Paging } from "./operation/pagination";
export type { OperationInput, OperationName, OperationOutput } from "./operations";
export type { AnswerContext, AnswerModel, AnswerPart, Passage } from "./ports/answer-model";
export type { DomainClaim, VerifyDomain } from "./ports/domain-verification";
export type { ImportLimits } from "./ports/importer";
export type { SearchEngine } from "./ports/search-engine";
export type { VisitorClaims } from "./resources/people/organizations/visitor-claims";
export type { HostUser } from "./resources/people/users/host-users";
export {
  type CallObserver,
  type CallStatistics,
  type MeasuredStorage,
  measureStorage,
  observeStorage,
  type StorageCall,
  type StorageStatistics,
  storageCalls,
} from "./storage/observed-storage";
export * from "./storage/storage";
export type { CacheStats } from "./utils/versioned-cache";
