// Calls of the API, as the person who has signed in. What happens to the connection and to the session is told in one place,
// whatever was called.

import {
  type CallOptions,
  type Client,
  type ClientInput,
  type ClientOutput,
  createClient,
  type OperationName,
  type Result,
} from "../../../client";
import { createStore } from "./store";
import { surroundings } from "./surroundings";

const client: Client = createClient({ url: `${location.origin}${surroundings.api}` });

/** Whether the last call reached the server, and whether the server knew who was calling. */
export type Connection = "good" | "lost" | "signed-out";

export const connection = createStore<Connection>("good");

/** Calls an operation. A failure is a value. */
export async function call<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  options: CallOptions = {},
): Promise<Result<ClientOutput<Name>>> {
  const result = (await client.call(name, input, options as { etag?: never })) as Result<ClientOutput<Name>>;
  tell(result);
  return result;
}

function tell({ ok, error, status }: Result<unknown>): void {
  if (ok) connection.set("good");
  else if (error.reason === "network") connection.set("lost");
  else if (status === 401) connection.set("signed-out");
}
