// The public door: createDocsApi, the storage types, the error type.

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
export type { DomainClaim, VerifyDomain } from "./domains";
export { DocsError, type Issue, type Reason } from "./errors";
export type { Operations } from "./generated/operations";
export type * as Resources from "./generated/resources";
export type * from "./git/port";
export type { CorsOptions } from "./http/cors";
export type { PlainRequest, PlainResponse } from "./http/plain";
export type { RateLimitOptions } from "./http/rate-limit";
export type { ImportLimits } from "./importing";
export type { Maintained } from "./kernel/maintain";
export type { Envelope, Paging } from "./operation";
export type { OperationInput, OperationName, OperationOutput } from "./operations";
export type { Provision, Provisioned } from "./provision";
export type { VisitorClaims } from "./resources/organizations/visitor";
export type { HostUser } from "./resources/users/records";
export type { SearchEngine } from "./searching";
export * from "./store/storage";
export type { DocsEvent, Listener } from "./work/events";
