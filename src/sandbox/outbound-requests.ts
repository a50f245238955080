// The outbound requests of one run, as the run sees them. What has ended waits here until the run takes it; who makes the
// requests is for the two that extend this to say: the thread of the server itself, or the thread that another one asks.

/** What the world is told when a request has ended. */
export interface Settled {
  readonly json: string;
  readonly bytes: Uint8Array | undefined;
}

export abstract class Requests {
  private readonly settled: Settled[] = [];
  private awaken = () => {};

  abstract begin(value: unknown, body: Uint8Array | undefined): void;
  abstract abort(id: unknown): void;
  /** Ends all that is under way. */
  abstract end(): void;
  /** How many have begun and not ended. */
  protected abstract readonly underWay: number;

  /** Whether something may still come. */
  get isBusy(): boolean {
    return this.underWay > 0 || this.settled.length > 0;
  }

  /** What has ended since this was asked last. */
  take(): Settled[] {
    return this.settled.splice(0);
  }

  /** Resolves when a request has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.awaken = resolve;
      if (this.settled.length > 0) resolve();
    });
  }

  protected add(settled: Settled): void {
    this.settled.push(settled);
    this.wake();
  }

  /** Has whoever waits look again. */
  protected wake(): void {
    this.awaken();
  }
}
