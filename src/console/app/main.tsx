// Where the application begins in the browser.

import { render } from "preact";
import { App } from "./app";
import { surroundings } from "./calls/surroundings";
import { Spoken, speak } from "./words/spoken";

await speak(surroundings.language);
render(
  <Spoken>
    <App />
  </Spoken>,
  surroundings.root,
);
