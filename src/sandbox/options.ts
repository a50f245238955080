// What a host may say about the sandbox: how scripts are run, and what one event may take. Apart from the port, because the
// options of the API lead here, and whoever imports the core reads no more of the sandbox.

/** How scripts are run. */
export interface SandboxOptions {
  /** The compiled engine, `octavo/sandbox.wasm`, where WebAssembly cannot be compiled at run time, as in Workers. Default:
   * the one that the package brings is compiled when a script is first run. */
  readonly engine?: WebAssembly.Module;
  /** How much one event may take; what is not named has its default. */
  readonly limits?: Partial<SandboxLimits>;
  /** In how many threads scripts run, which all APIs of the process share; 0: in none, but where the server does. So it is
   * where the runtime has no threads, as in Workers, and where `engine` is handed in. Default: 1. */
  readonly threads?: number;
  /** Hears, once, why no thread could be started: scripts run where the server does then. Default: `onError` of the API. */
  readonly onError?: (error: unknown) => void;
}

/** The limits of one event; each has a default. */
export interface SandboxLimits {
  /** Steps of the engine: turns of its loops and calls of its functions, whoever causes them. Ten million are some 50 ms of work,
   * and the same script takes the same number on every machine. Default: 200 million. */
  readonly steps: number;
  /** From the beginning to the end, waiting included. Default: 10,000. */
  readonly milliseconds: number;
  /** The memory of the engine with all that the script keeps; never less than 6 MiB. Default: 48 MiB. */
  readonly memoryBytes: number;
  /** The stack of the engine. Default: 256 KiB. */
  readonly stackBytes: number;
  /** The text of a script. Default: 2 MiB. */
  readonly scriptBytes: number;
  /** Outbound requests. Default: 50. */
  readonly requests: number;
  /** Outbound requests at the same time. Default: 6. */
  readonly requestsAtOnce: number;
  /** The bodies of all outbound requests together. Default: 8 MiB. */
  readonly sentBytes: number;
  /** The bodies of all answers to outbound requests together. Default: 8 MiB. */
  readonly receivedBytes: number;
  /** The body of the script's answer. Default: 8 MiB. */
  readonly answerBytes: number;
  /** The headers of a request or of an answer, names and values. Default: 32 KiB. */
  readonly headerBytes: number;
  /** Lines of `console` that are kept; the rest is counted. Default: 200. */
  readonly logLines: number;
  /** Characters of all lines that are kept together. Default: 64 Ki. */
  readonly logCharacters: number;
}
