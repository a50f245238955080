// The handlers of the SAML routes, as one module that is loaded when it is first needed.

export { completeSignIn, confirmLink } from "./complete-sign-in";
export { findConnection } from "./connection";
export { findLogoutLink, receiveLogout, startLogout } from "./logout";
export { showMetadata } from "./metadata";
export { receiveResponse } from "./receive-response";
export { startSignIn } from "./start-sign-in";
