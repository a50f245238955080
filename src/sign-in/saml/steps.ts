// Everything that signing in by SAML does, as one module that is loaded when it is first needed.

export { acs } from "./acs";
export { start } from "./begin";
export { confirm, finish } from "./enter";
export { findProvider, isActive } from "./found";
export { hearLogout, leave, leavingOf } from "./logout";
export { metadata } from "./metadata";
