// A field for a small file, which is sent inside a JSON request.

import { useId } from "preact/hooks";

export function FileField({
  label,
  accept,
  onBase64,
}: {
  readonly label: string;
  readonly accept: string;
  /** Called with the bytes of the file, or with undefined when the file is removed. */
  readonly onBase64: (bytes: string | undefined) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={async (event) => {
          const [file] = event.currentTarget.files ?? [];
          if (!file) return onBase64(undefined);
          const bytes = new Uint8Array(await file.arrayBuffer());
          return onBase64(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
        }}
      />
    </div>
  );
}
