// The script of pages with try-it forms, blocks of integrations, or a notice about cookies. It is one file, so that such a page
// makes no more requests than any other.

import "./index";
import "../../openapi/browser/try-it";
import "./integrations";
import "./consent";
