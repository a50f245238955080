// The status of an installation.

import type { InstallationStatus } from "../../../generated/resources";
import { useMessages } from "../messages/messages";

export function Status({ of: status }: { readonly of: InstallationStatus }) {
  const messages = useMessages();
  const [label, tone] = {
    active: [messages.integrations.stateActive, "good"],
    pending: [messages.integrations.statePending, "draft"],
    paused: [messages.integrations.statePaused, "bad"],
  }[status] as [string, string];
  return <span class={`status ${tone}`}>{label}</span>;
}
