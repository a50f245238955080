// All messages in German, merged from the files of this folder.

import { access } from "./access";
import { account } from "./account";
import { audience } from "./audience";
import { audit } from "./audit";
import { editor } from "./editor";
import { everywhere } from "./everywhere";
import { frame } from "./frame";
import { git } from "./git";
import { home } from "./home";
import { imports } from "./imports";
import { insights } from "./insights";
import { integrations } from "./integrations";
import { library } from "./library";
import { look } from "./look";
import { member } from "./member";
import { organization } from "./organization";
import { people } from "./people";
import { review } from "./review";
import { site } from "./site";
import { sites } from "./sites";
import { space } from "./space";
import { specifications } from "./specifications";
import { translations } from "./translations";
import { typing } from "./typing";
import { writing } from "./writing";

export const de = {
  ...everywhere,
  ...frame,
  ...home,
  ...library,
  ...space,
  ...editor,
  ...typing,
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
  ...organization,
  ...access,
  ...member,
  ...audit,
  ...integrations,
  ...writing,
};
