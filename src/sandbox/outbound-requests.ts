// The outbound requests of one run, as the run sees them. Settled requests wait in a queue until the run takes them. Two
// classes extend this: one sends the requests in the thread of the server, the other has them sent by that thread.

/** The outcome of a request, as the world receives it. */
export interface SettledRequest {
  readonly json: string;
  readonly bytes: Uint8Array | undefined;
}

export abstract class OutboundRequests {
  private readonly settledRequests: SettledRequest[] = [];
  private notifyWaiter = () => {};

  abstract begin(value: unknown, body: Uint8Array | undefined): void;
  abstract abort(id: unknown): void;
  /** Ends all requests. */
  abstract end(): void;
  /** The number of requests that have begun and not ended. */
  protected abstract readonly pendingCount: number;

  /** True if a request may still settle. */
  get isBusy(): boolean {
    return this.pendingCount > 0 || this.settledRequests.length > 0;
  }

  takeSettled(): SettledRequest[] {
    return this.settledRequests.splice(0);
  }

  /** Resolves when a request has settled. */
  waitForSettled(): Promise<void> {
    return new Promise((resolve) => {
      this.notifyWaiter = resolve;
      if (this.settledRequests.length > 0) resolve();
    });
  }

  protected addSettled(request: SettledRequest): void {
    this.settledRequests.push(request);
    this.wake();
  }

  /** Lets a waiting run check again. */
  protected wake(): void {
    this.notifyWaiter();
  }
}
