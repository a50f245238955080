// The state of a specification.

import type { OpenApiSpec } from "../../../generated/resources";
import { useMessages } from "../messages/messages";
import { getSpecState } from "./spec-state";

export function Status({ of: spec }: { readonly of: OpenApiSpec }) {
  const messages = useMessages();
  const [label, tone] = {
    working: [messages.specWorking, "open"],
    failed: [messages.specFailed, "failed"],
    ready: [messages.specReady, "merged"],
  }[getSpecState(spec)] as [string, string];
  return <span class={`status ${tone}`}>{label}</span>;
}
