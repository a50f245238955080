// The confirmation of a destructive action: a dialog, and a button that opens one.

import { useState } from "preact/hooks";
import { useAction } from "../api/mutations";
import { Button, type ButtonProps } from "./button";
import { Dialog } from "./dialog";
import { Form } from "./form";

export function Confirm({
  label,
  question,
  act,
  kind = "danger",
}: {
  readonly label: string;
  /** The consequences, in a sentence or two. */
  readonly question: string;
  readonly act: () => Promise<unknown>;
  readonly kind?: NonNullable<ButtonProps["kind"]>;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && <ConfirmDialog title={label} question={question} act={act} onClose={() => setAsking(false)} />}
    </>
  );
}

/** A dialog that asks for confirmation. It closes when the action succeeded. */
export function ConfirmDialog({
  title,
  submit = title,
  question,
  act,
  onClose,
}: {
  readonly title: string;
  /** The label of the button. Default: the title. */
  readonly submit?: string;
  readonly question: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const action = useAction(async () => {
    await act();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{question}</p>
      <Form action={action} submit={submit} onCancel={onClose} isDanger />
    </Dialog>
  );
}
