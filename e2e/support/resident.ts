// A child process that stays and works on requests, such as the operator's commands: each is one message, and so is its
// answer. A process per request would take seconds of CPU time.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

interface Request {
  readonly id: number;
  readonly words: readonly string[];
}

/** The answer to request 0, which is never sent, says that the process is ready. */
type Answer = { readonly id: number; readonly document: unknown } | { readonly id: number; readonly error: string };

export interface Resident {
  /** What the process said when it was ready. */
  readonly ready: unknown;
  /** Sends a request and returns its document. Rejects with the reported error, or if the process ends. */
  run<Document = unknown>(...words: readonly string[]): Promise<Document>;
  /** Lets the process end, and waits for it. */
  close(): Promise<void>;
}

/** Waits until the child is ready. It must have been forked with an IPC channel and call `serveRequests`. */
export async function openResident(child: ChildProcess): Promise<Resident> {
  const waiting = new Map<number, { resolve(document: unknown): void; reject(error: Error): void }>();
  const ended = once(child, "exit");
  let latest = 0;
  let hasEnded = false;
  const readiness = new Promise((resolve, reject) => waiting.set(latest, { resolve, reject }));
  child.on("message", (answer: Answer) => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) request?.reject(new Error(answer.error));
    else request?.resolve(answer.document);
  });
  child.once("exit", () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error("the process ended"));
  });
  return {
    ready: await readiness,
    run: <Document>(...words: readonly string[]) =>
      new Promise<Document>((resolve, reject) => {
        if (hasEnded) throw new Error("the process has ended");
        latest += 1;
        waiting.set(latest, { resolve: (document) => resolve(document as Document), reject });
        // A process that was killed a moment ago has no channel; its end rejects the request.
        child.send({ id: latest, words } satisfies Request, () => {});
      }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** In the child: says that it is ready, and answers each request with what `run` returns or the error it throws. */
export function serveRequests(run: (words: readonly string[]) => Promise<unknown>, ready: unknown = null): void {
  const send = (answer: Answer) => process.connected && process.send?.(answer);
  process.on("message", ({ id, words }: Request) => {
    run(words).then(
      (document) => send({ id, document }),
      (error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  send({ id: 0, document: ready });
}
