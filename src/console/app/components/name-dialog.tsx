// A dialog that asks for the name of something new, and creates it.

import { useState } from "preact/hooks";
import { useAction } from "../api/mutations";
import { useMessages } from "../messages/messages";
import { Dialog } from "./dialog";
import { TextField } from "./field";
import { Form } from "./form";

export function NameDialog({
  title,
  label,
  hint,
  submit,
  maxLength = 255,
  create,
  onClose,
}: {
  readonly title: string;
  /** The label of the field for the name. */
  readonly label: string;
  readonly hint?: string;
  /** The label of the button. Default: "Create". */
  readonly submit?: string;
  readonly maxLength?: number;
  readonly create: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const [name, setName] = useState("");
  const action = useAction(() => create(name));
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit ?? messages.general.create} onCancel={onClose}>
        <TextField label={label} hint={hint} value={name} onChange={setName} required autoFocus maxLength={maxLength} />
      </Form>
    </Dialog>
  );
}
