// Russian, by the parts of the console.

import { account } from "./account";
import { editor } from "./editor";
import { everywhere } from "./everywhere";
import { frame } from "./frame";
import { home } from "./home";
import { library } from "./library";
import { people } from "./people";
import { review } from "./review";
import { sites } from "./sites";
import { space } from "./space";

export const ru = {
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
};
