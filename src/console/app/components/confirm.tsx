// A button that asks for confirmation before a destructive action.

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
  const action = useAction(async () => {
    await act();
    setAsking(false);
  });
  return (
    <>
      <Button kind={kind} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Dialog title={label} onClose={() => setAsking(false)}>
          <p>{question}</p>
          <Form action={action} submit={label} onCancel={() => setAsking(false)} isDanger />
        </Dialog>
      )}
    </>
  );
}
