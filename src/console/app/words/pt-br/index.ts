// Portuguese (Brazil), by the parts of the console.

import { account } from "./account";
import { audience } from "./audience";
import { editor } from "./editor";
import { everywhere } from "./everywhere";
import { frame } from "./frame";
import { git } from "./git";
import { home } from "./home";
import { imports } from "./imports";
import { insights } from "./insights";
import { library } from "./library";
import { look } from "./look";
import { people } from "./people";
import { review } from "./review";
import { site } from "./site";
import { sites } from "./sites";
import { space } from "./space";
import { specifications } from "./specifications";
import { translations } from "./translations";

export const ptBr = {
  ...everywhere,
  ...frame,
  ...home,
  ...library,
  ...space,
  ...editor,
  ...review,
  ...people,
  ...account,
  ...sites,
  ...site,
  ...audience,
  ...insights,
  ...look,
  ...specifications,
  ...translations,
  ...git,
  ...imports,
};
