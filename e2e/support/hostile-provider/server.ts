// What fakes of providers' own APIs share: an HTTP server in this process, calls that go wrong before or after their effect,
// and a record of every call.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readBody, sendHtml, sendJson } from "../fake-psp/exchange";

/** How one call goes wrong. The faults of the second line execute the call first. */
export type CommonFault =
  | "lost_request"
  | "error_before"
  | "rate_limited"
  | "lost_answer"
  | "error_after"
  | "html"
  | "hang";

export interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type Reply = readonly [status: number, body: object];

/** What became of a call; `answer` is null if the caller received none, or none that is the provider's. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As the provider reads it; null if there is none. */
  readonly body: unknown;
  readonly answer: { readonly status: number; readonly body: unknown } | null;
}

/** A call that was answered by the provider. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Rule<Fault> {
  readonly path: RegExp;
  readonly fault: Fault;
}

export abstract class HostileProvider<OwnFault extends string> {
  readonly calls: Call[] = [];
  /** Called with each call once it is answered or lost, before the caller can act on it. */
  watch: (call: SeenCall) => void = () => undefined;
  readonly #rules: Rule<CommonFault | OwnFault>[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  /** Starts on a free port of 127.0.0.1. */
  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** The next calls whose method and path match go wrong; rules apply in their order. */
  spoil(path: RegExp, ...faults: readonly (CommonFault | OwnFault)[]): void {
    this.#rules.push(...faults.map((fault) => ({ path, fault })));
  }

  /** No further call goes wrong. */
  clear(): void {
    this.#rules.length = 0;
  }

  /** Parses a body; null if there is none. */
  protected abstract parse(text: string): unknown;
  /** Executes a call. */
  protected abstract execute(request: Request, body: unknown): Reply;
  /** The provider's error of its own with this status. */
  protected abstract errorBody(status: 429 | 500 | 502): object;
  /** A fault of this provider only: called instead of `execute`. */
  protected abstract misbehave(fault: OwnFault, request: Request, body: unknown): Reply;

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = incoming;
    const text = await readBody(incoming);
    const request: Request = { method, path, headers, text };
    const body = this.parse(text);
    const send = ([status, answer]: Reply) => {
      this.calls.push({ ...request, body, status, answer });
      this.watch({ method, path, headers, body, answer: { status, body: answer } });
      sendJson(response, status, answer);
    };
    const lose = () => {
      this.watch({ method, path, headers, body, answer: null });
      response.destroy();
    };
    const fault = this.#nextFault(`${method} ${path}`);
    switch (fault) {
      case null:
        return send(this.execute(request, body));
      case "lost_request":
        return lose();
      case "error_before":
        return send([500, this.errorBody(500)]);
      case "rate_limited":
        return send([429, this.errorBody(429)]);
      case "lost_answer":
        this.execute(request, body);
        return lose();
      case "error_after":
        this.execute(request, body);
        return send([502, this.errorBody(502)]);
      case "hang":
        this.execute(request, body);
        return;
      case "html":
        this.execute(request, body);
        this.watch({ method, path, headers, body, answer: null });
        return sendHtml(response, 200, "<html><body>maintenance</body></html>");
      default:
        return send(this.misbehave(fault as OwnFault, request, body));
    }
  }

  #nextFault(call: string): CommonFault | OwnFault | null {
    const at = this.#rules.findIndex((rule) => rule.path.test(call));
    return at < 0 ? null : (this.#rules.splice(at, 1)[0]?.fault ?? null);
  }
}
