// octavo/client: the typed client over HTTP for browsers and servers.

export type { Issue } from "../errors";
export type { Operations } from "../generated/operations";
export type { Reason } from "../generated/reasons";
export type * as Resources from "../generated/resources";
export type { Envelope, Paging } from "../operation/pagination";
export type { OperationName } from "../operations";
export { CallError, type CallErrorDetails, type CallReason } from "./call-error";
export {
  type CallOptions,
  type Client,
  type ClientInput,
  type ClientListItem,
  type ClientOptions,
  type ClientOutput,
  createClient,
  type Failure,
  type ListOperationName,
  type NotModified,
  type Result,
  type Success,
} from "./client";
