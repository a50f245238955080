// The script of pages with operations to try, blocks of integrations, or scripts that ask first: one file, so that such a page
// makes no more requests than others.

import "./index";
import "./try-it";
import "./integrations";
import "./consent";
