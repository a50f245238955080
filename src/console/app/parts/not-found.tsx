// An address that leads nowhere.

import { useWords } from "../words/words";

export function NotFound() {
  const words = useWords();
  return (
    <div class="failed">
      <h1>{words.notFound}</h1>
      <p>{words.notFoundWhy}</p>
    </div>
  );
}
