// Loads the library that signs and verifies JWTs and reads certificates. Many servers have neither visitors who sign in nor
// SAML.

import { loadLazily } from "../../utils/lazy";

export const loadJose = loadLazily(() => import("jose"));
