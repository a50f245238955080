// The public entry: createDocsApi, the storage types, the error type.

export { createDocsApi, type DocsApi, type Metrics } from "./api";
export type { CacheSizes } from "./caches";
export type { PrintedPage, Printer, PrintJob } from "./content/print";
export type { SearchPage } from "./content/search";
export type { Template, TemplatePage } from "./content/templates";
export type { GlossaryEntry, TranslationRequest, Translator } from "./content/translation/translator";
export type { CacheNumbers } from "./counted-cache";
export { DocsError, type Issue, type Reason } from "./errors";
export type { Operations } from "./generated/operations";
export type * as Resources from "./generated/resources";
export type * from "./git/port";
export type { Answered, OnRequest } from "./http/answered";
export type { CorsOptions } from "./http/cors";
export type { PlainRequest, PlainResponse } from "./http/plain";
export type { RateLimitOptions } from "./http/rate-limit";
export type { Maintained, MaintainOptions } from "./kernel/maintain";
export type { KnownUser } from "./known-users";
export type { Envelope, Paging } from "./operation/operation";
export type { OperationInput, OperationName, OperationOutput } from "./operations";
export type { Credentials, DocsApiOptions, FileOptions, GitOptions, OpenApiSpecOptions } from "./options";
export type { Ask, AskContext, AskPart, Passage } from "./parts/asking";
export type { DomainClaim, VerifyDomain } from "./parts/domains";
export type { ImportLimits } from "./parts/importer";
export type { SearchEngine } from "./parts/search-engine";
export type { Provision, Provisioned } from "./provision";
export type { VisitorClaims } from "./resources/people/organizations/visitor";
export type { HostUser } from "./resources/people/users/host-users";
export {
  type CallNumbers,
  type MeasuredStorage,
  measuredStorage,
  observedStorage,
  type StorageCall,
  type StorageNumbers,
  storageCalls,
  type Watch,
} from "./store/observed-storage";
export * from "./store/storage";
export type { DocsEvent, Listener } from "./work/events";
