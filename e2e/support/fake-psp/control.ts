// The fake provider's control interface for tests: rules, events, callbacks, and the record.
import type { ServerResponse } from "node:http";
import type { Book } from "./book";
import type { CallbackOrder } from "./callbacks";
import { sendError, sendJson } from "./exchange";
import { type Faults, MODES, type Rule } from "./faults";
import type { Line } from "./record";

/** An event at the provider, reported by a callback unless `quiet`. */
export interface Happening {
  readonly reference: string;
  readonly event: Exclude<Line["event"], "accepted">;
  /** Minor units; by default the intent's own amount. */
  readonly amount?: string;
  readonly confirmed?: boolean;
  readonly quiet?: boolean;
}

export interface Controls {
  readonly book: Book;
  readonly faults: Faults;
  /** Every call under `/v1/`, in order, with the fault of its signature if any. */
  readonly calls: readonly object[];
  setCallbackUrl(url: string): void;
  send(order: CallbackOrder): Promise<number[]>;
}

/** Compares the members that the query names. */
function isWanted(query: URLSearchParams): (line: Line) => boolean {
  const wanted = [...query];
  return (line) => wanted.every(([member, value]) => line[member as keyof Line] === value);
}

interface ControlCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Answers `/control…` and `/record`; false for any other path. */
export async function answerControl(
  controls: Controls,
  { method, path, query, body }: ControlCall,
  response: ServerResponse,
): Promise<boolean> {
  const { book, faults } = controls;
  switch (`${method} ${path}`) {
    case "GET /record":
      // A long run has more lines than one string can hold.
      sendJson(response, 200, book.lines.filter(isWanted(query)));
      return true;
    case "GET /calls":
      sendJson(response, 200, controls.calls);
      return true;
    case "DELETE /control":
      faults.clear();
      sendJson(response, 200, {});
      return true;
    case "POST /control": {
      const { callback_url, ...rule } = JSON.parse(body) as Partial<Rule> & { callback_url?: string };
      if (callback_url !== undefined) controls.setCallbackUrl(callback_url);
      const mode = MODES.find((known) => known === rule.mode);
      if (rule.mode !== undefined && !mode) sendError(response, 400, "unknown_mode");
      else {
        if (mode) faults.add({ ...rule, mode });
        sendJson(response, 200, {});
      }
      return true;
    }
    case "POST /control/happen": {
      const { quiet, reference, event, ...changes } = JSON.parse(body) as Happening;
      book.note(reference, event, changes);
      sendJson(response, 200, { deliveries: quiet ? [] : await controls.send({ reference }) });
      return true;
    }
    case "POST /control/callbacks":
      sendJson(response, 200, { deliveries: await controls.send(JSON.parse(body) as CallbackOrder) });
      return true;
    default:
      return false;
  }
}
