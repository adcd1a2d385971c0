import { ConfigurationError } from "@/server/platform/env";
import { log } from "@/server/platform/log";

type Step = () => Promise<void>;

/** The steps that a process runs before it exits, latest first. */
export class Shutdown {
  readonly #steps: Step[] = [];
  #ending: Promise<never> | null = null;

  /** Adds steps that run before those added earlier; of several in one call, the last one runs first. */
  before(...steps: readonly Step[]): void {
    this.#steps.push(...steps);
  }

  /** Runs every step and exits with `code`. A second call waits for the first: npm and the terminal both send Ctrl-C. */
  end(code: number): Promise<never> {
    this.#ending ??= (async () => {
      for (const step of this.#steps.reverse()) {
        await step().catch((error: unknown) => log().error({ err: error }, "a shutdown step failed"));
      }
      process.exit(code);
    })();
    return this.#ending;
  }

  /** Runs `start`. If it fails, reports why, undoes what was started and exits with code 1. */
  async run(start: () => Promise<void>): Promise<void> {
    try {
      await start();
    } catch (error) {
      if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
      else log().fatal({ err: error }, "the process could not start");
      await this.end(1);
    }
  }

  /** Ends the process with exit code 0 on SIGINT and SIGTERM, and logs when that begins and when it is done. */
  endOnSignals(): void {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#endFor(signal));
  }

  #endFor(reason: string): void {
    if (this.#ending === null) {
      log().info({ reason }, "the process ends");
      this.#steps.unshift(async () => log().info({ reason }, "the process has ended"));
    }
    void this.end(0);
  }
}
