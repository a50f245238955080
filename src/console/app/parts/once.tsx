// A secret that is shown once, to be copied.

import { useWords } from "../words/words";
import { CopyButton } from "./copy";

export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }) {
  const words = useWords();
  return (
    <div class="notice once" role="status">
      <p>
        <strong>{label}</strong> {words.shownOnce}
        <br />
        <code>{value}</code>
      </p>
      <CopyButton value={value} />
    </div>
  );
}
