// People sign in with a browser, by an emailed link or an invite. This example prints emails, so you can run it without a mail
// service: `npx tsx sign-in.ts`.

import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSignIn } from "octavo/sign-in";

const port = Number(process.env.PORT || 3000);
const api = createDocsApi(memoryStorage(), {
  origin: process.env.ORIGIN || `http://127.0.0.1:${port}`,
  // Call your mail service here.
  sendMail: ({ to, subject, text }) => console.log(`To: ${to}\nSubject: ${subject}\n\n${text}`),
});
const { user } = await api.provision({
  user: { displayName: "Ada", email: "ada@example.com" },
  organization: { title: "Acme" },
});

const signIn = createSignIn(api);
createServer(nodeHandler(signIn)).listen(port, "127.0.0.1");
console.log(`Ada signs in once with ${await signIn.createSignInLink(user)}`);
