// The public entry: createDocsApi, the storage types, the error type.

export {
  type Credentials,
  createDocsApi,
  type DocsApi,
  type DocsApiOptions,
  type FileOptions,
  type GitOptions,
  type OpenApiSpecOptions,
} from "./api";
export type { PrintedPage, Printer, PrintJob } from "./content/print";
export type { SearchPage } from "./content/search";
export type { Template, TemplatePage } from "./content/templates";
export type { GlossaryEntry, TranslationRequest, Translator } from "./content/translation/translator";
export { DocsError, type Issue, type Reason } from "./errors";
export type { Operations } from "./generated/operations";
export type * as Resources from "./generated/resources";
export type * from "./git/port";
export type { CorsOptions } from "./http/cors";
export type { PlainRequest, PlainResponse } from "./http/plain";
export type { RateLimitOptions } from "./http/rate-limit";
export type { Maintained } from "./kernel/maintain";
export type { KnownUser } from "./known-users";
export type { Envelope, Paging } from "./operation/operation";
export type { OperationInput, OperationName, OperationOutput } from "./operations";
export type { DomainClaim, VerifyDomain } from "./parts/domains";
export type { ImportLimits } from "./parts/importer";
export type { SearchEngine } from "./parts/search-engine";
export type { Provision, Provisioned } from "./provision";
export type { VisitorClaims } from "./resources/people/organizations/visitor";
export type { HostUser } from "./resources/people/users/records";
export * from "./store/storage";
export type { DocsEvent, Listener } from "./work/events";
