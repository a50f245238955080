// French, by the parts of the console.

import { access } from "./access";
import { account } from "./account";
import { audit } from "./audit";
import { editor } from "./editor";
import { everywhere } from "./everywhere";
import { frame } from "./frame";
import { home } from "./home";
import { integrations } from "./integrations";
import { library } from "./library";
import { member } from "./member";
import { organization } from "./organization";
import { people } from "./people";
import { review } from "./review";
import { sites } from "./sites";
import { space } from "./space";
import { typing } from "./typing";
import { writing } from "./writing";

export const fr = {
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
  ...organization,
  ...access,
  ...member,
  ...audit,
  ...integrations,
  ...writing,
};
