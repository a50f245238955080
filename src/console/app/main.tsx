// Where the application begins in the browser.

import { render } from "preact";
import { App } from "./app";
import { surroundings } from "./calls/surroundings";

render(<App />, surroundings.root);
