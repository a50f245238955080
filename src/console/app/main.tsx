// The entry of the application in the browser.

import { render } from "preact";
import { pageConfig } from "./api/page-config";
import { App } from "./app";
import { MessagesProvider, setLanguage } from "./messages/messages-provider";

await setLanguage(pageConfig.language);
render(
  <MessagesProvider>
    <App />
  </MessagesProvider>,
  pageConfig.root,
);
