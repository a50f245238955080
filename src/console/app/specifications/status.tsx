// The state of a specification.

import type { OpenApiSpec } from "../../../generated/resources";
import { useMessages } from "../messages/messages";
import { getSpecState } from "./spec-state";

export function Status({ of: spec }: { readonly of: OpenApiSpec }) {
  const messages = useMessages();
  const [label, tone] = {
    working: [messages.specifications.specWorking, "open"],
    failed: [messages.specifications.specFailed, "failed"],
    ready: [messages.specifications.specReady, "merged"],
  }[getSpecState(spec)] as [string, string];
  return <span class={`status ${tone}`}>{label}</span>;
}
