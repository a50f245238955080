// A field for a small file, which is sent inside a request.

import { useId } from "preact/hooks";

export function FileField({
  label,
  accept,
  onBase64,
}: {
  readonly label: string;
  readonly accept: string;
  /** Called with the bytes of the file, and with undefined when it was taken away. */
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
          onBase64(file && base64(new Uint8Array(await file.arrayBuffer())));
        }}
      />
    </div>
  );
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
