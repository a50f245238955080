// What `npm run generate:console` builds into files.js.

/** The files that the page names itself. */
export declare const entry: { readonly script: string; readonly style: string };
/** Every file of the application, by its name. */
export declare const files: Readonly<Record<string, string>>;
