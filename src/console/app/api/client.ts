// Calls the API as the signed-in user. The state of the connection and of the session is tracked in one place for all calls.

import {
  type CallOptions,
  type Client,
  type ClientInput,
  type ClientOutput,
  createClient,
  type OperationName,
  type Result,
} from "../../../client";
import { pageConfig } from "./page-config";
import { createStore } from "./value-store";

const client: Client = createClient({ url: `${location.origin}${pageConfig.api}` });

/** The state of the connection after the last call. `signed-out` means that the server did not recognize the session. */
export type ConnectionState = "good" | "lost" | "signed-out";

export const connectionStore = createStore<ConnectionState>("good");

/** Calls an operation. A failure is returned as a value. */
export async function call<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  options: CallOptions = {},
): Promise<Result<ClientOutput<Name>>> {
  const result = (await client.call(name, input, options as { etag?: never })) as Result<ClientOutput<Name>>;
  if (result.ok) connectionStore.set("good");
  else if (result.error.reason === "network") connectionStore.set("lost");
  else if (result.status === 401) connectionStore.set("signed-out");
  return result;
}
