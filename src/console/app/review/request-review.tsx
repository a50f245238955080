// The button that opens a draft for review. A change request without a subject gets one first.

import { useState } from "preact/hooks";
import type { ChangeRequest } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { Button } from "../components/button";
import { ActionError } from "../components/loaded";
import { NameDialog } from "../components/name-dialog";
import { useMessages } from "../messages/messages";

export function RequestReview({
  params,
  changeRequest,
  onDone = () => {},
}: {
  readonly params: { readonly spaceId: string; readonly changeRequestId: string };
  readonly changeRequest: ChangeRequest;
  readonly onDone?: () => void;
}) {
  const messages = useMessages();
  const [isNaming, setNaming] = useState(false);
  const request = async (subject?: string) => {
    const body = subject === undefined ? { status: "open" as const } : { status: "open" as const, subject };
    await runMutation("updateChangeRequest", { params, body });
    setNaming(false);
    onDone();
  };
  const open = useAction(() => request());
  return (
    <>
      <ActionError error={open.error} />
      <Button
        isBusy={open.isBusy}
        onClick={() => {
          if (changeRequest.subject) void open.run();
          else setNaming(true);
        }}
      >
        {messages.changeRequests.askForReview}
      </Button>
      {isNaming && (
        <NameDialog
          title={messages.changeRequests.askForReview}
          label={messages.changeRequests.subject}
          hint={messages.changeRequests.subjectHint}
          submit={messages.changeRequests.askForReview}
          create={request}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
