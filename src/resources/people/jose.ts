// What signs and checks JWTs and reads certificates. It is loaded when it is first needed: many servers have neither visitors
// who sign in nor SAML.

import { loadLazily } from "../../utils/lazy";

export const loadJose = loadLazily(() => import("jose"));
