// A field for files.

import { useId } from "preact/hooks";

export function FileField({
  label,
  accept,
  isMany = false,
  onChange,
}: {
  readonly label: string;
  readonly accept: string;
  /** Accepts several files, and requires one. */
  readonly isMany?: boolean;
  readonly onChange: (files: readonly File[]) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple={isMany}
        required={isMany}
        accept={accept}
        onChange={(event) => onChange([...(event.currentTarget.files ?? [])])}
      />
    </div>
  );
}
