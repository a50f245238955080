// An address that leads nowhere.

import { useEffect } from "preact/hooks";
import { useWords } from "../words/words";
import { arriveAt } from "./arrive";

export function NotFound() {
  const words = useWords();
  useEffect(() => arriveAt(words.notFound), []);
  return (
    <div class="failed">
      <h1>{words.notFound}</h1>
      <p>{words.notFoundWhy}</p>
    </div>
  );
}
