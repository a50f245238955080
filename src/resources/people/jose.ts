// What signs and checks JWTs and reads certificates. It is loaded when it is first needed: many servers have neither visitors
// who sign in nor SAML.

import { late } from "../../utils/lazy";

export const loadJose = late(() => import("jose"));
