// One exchange with a receiver: collects the answer and ends exactly once.
import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import { now } from "@/server/platform/clock";
import { codeOf, type DeliveryAnswer, type DeliveryFailure, describeFailure, readableText } from "./answer";
import { readRetryAfter } from "./retry-after";

const MAXIMUM_BODY_BYTES = 64 * 1024;

const ENOUGH_READ = new Error("enough of the answer has been read");

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A handler for undici that converts any behavior of a receiver to one answer, `settled`, at most `deadlineMs` after
 * its creation. It rejects only if `signal` aborts, with the signal's reason, or if the request is invalid.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly settled: Promise<DeliveryAnswer>;
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private status: number | null = null;
  private retryAfterMs: number | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private isOver = false;
  private resolve!: (answer: DeliveryAnswer) => void;
  private reject!: (reason: unknown) => void;

  constructor(
    deadlineMs: number,
    private readonly signal?: AbortSignal,
  ) {
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(this.onDeadline, deadlineMs, deadlineMs);
    if (signal?.aborted) this.onAbort();
    else signal?.addEventListener("abort", this.onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The exchange ended while waiting for a connection; the request must not be sent.
    if (this.isOver) controller.abort(ENOUGH_READ);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.status = status;
    if (status >= 300) this.retryAfterMs = readRetryAfter(headers["retry-after"], now());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const wanted = chunk.subarray(0, MAXIMUM_BODY_BYTES - this.size);
    this.chunks.push(wanted);
    this.size += wanted.length;
    if (this.size === MAXIMUM_BODY_BYTES) this.finish(null);
  }

  onResponseEnd(): void {
    // The connection can be reused.
    this.controller = null;
    this.finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (codeOf(error) === "UND_ERR_INVALID_ARG") this.end(() => this.reject(error));
    else this.finish(describeFailure(error));
  }

  private readonly onDeadline = (deadlineMs: number): void => {
    const missing = this.status === null ? "did not answer" : "did not finish its answer";
    this.finish({ error: "timeout", detail: `The receiver ${missing} within ${deadlineMs / 1_000} seconds.` });
  };

  private readonly onAbort = (): void => {
    this.end(() => this.reject(this.signal?.reason));
  };

  private finish(failure: DeliveryFailure | null): void {
    const seen = this.status === null ? "" : ` Its status was ${this.status}.`;
    this.end(() =>
      this.resolve({
        kind: failure === null ? "answered" : "failed",
        status: failure === null ? this.status : null,
        durationMs: Math.round(performance.now() - this.startedAt),
        body: readableText(Buffer.concat(this.chunks)),
        retryAfterMs: failure === null ? this.retryAfterMs : null,
        error: failure?.error ?? null,
        detail: failure && failure.detail + seen,
      }),
    );
  }

  /** The first caller decides. Destroys a connection that could still receive data. */
  private end(settle: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener("abort", this.onAbort);
    settle();
    this.controller?.abort(ENOUGH_READ);
  }
}
