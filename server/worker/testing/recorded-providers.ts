// The providers of a recorded database, in their state after the recording: bridges with protocol version 1.
import type { ServerResponse } from "node:http";
import type { Recording } from "@/e2e/upgrade/recording";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { json, type LocalServer, type Received, startLocalServer } from "@/server/psp/testing/local-server";
import { receiveCallback } from "@/server/services/callbacks/receive-callback";

const SECRET = "a secret of at least thirty-two characters";
const STATUS: Readonly<Record<string, string>> = { payments: "succeeded", payouts: "settled", topups: "funds_seen" };

interface Known {
  /** The provider's own reference. */
  readonly own: string;
  readonly kind: string;
  readonly amount: string;
  readonly currency: string;
}

export interface RecordedProviders {
  readonly server: LocalServer;
  /** References under which something was created since the recording, in order. */
  readonly created: readonly string[];
  /** Sends a signed callback of acme. */
  callBack(merchantId: string, reference: string, report: object): Promise<void>;
}

/**
 * Starts the recorded providers. Every intent that they accepted is now paid or settled for its amount, or for the
 * amount in `settledAs` by reference.
 */
export async function startRecordedProviders(
  { providers }: Recording,
  settledAs: Readonly<Record<string, string>>,
): Promise<RecordedProviders> {
  const known = new Map<string, Known>();
  for (const line of Object.values(providers).flat()) {
    const own = `fake_${line.digest?.slice(0, 16)}`;
    if (line.event === "accepted") known.set(line.reference, { ...line, own });
  }
  const created: string[] = [];
  const server = await startLocalServer();

  function report(reference: string): object | null {
    const one = known.get(reference);
    if (!one) return null;
    const amount = settledAs[reference] ?? one.amount;
    const confirmed = one.kind === "topups" ? { confirmed: true } : {};
    const core = { reference, provider_reference: one.own, status: STATUS[one.kind] };
    return { ...core, amount, currency: one.currency, ...confirmed };
  }

  function create(kind: string, body: string): object {
    const creation = JSON.parse(body) as Known & { readonly reference: string };
    known.set(creation.reference, { ...creation, kind, own: `after_${created.length}` });
    created.push(creation.reference);
    return { reference: creation.reference, status: "pending" };
  }

  server.respond = (received: Received, response: ServerResponse) => {
    const [, , , kind = "", reference = ""] = received.path.split("/");
    const answer = received.method === "POST" ? create(kind, received.body) : report(reference);
    const respond = answer ? json(200, answer) : json(404, { error: { code: "unknown_reference" } });
    respond(received, response);
  };

  const offer = { secret: SECRET, payment_methods: "all", payout_currencies: "all", environments: ["live"] };
  const configs = Object.keys(providers).map((name) => ({ name, url: `${server.url}/${name}`, ...offer }));
  configureGateways(JSON.stringify(configs));
  configureRoutes(null);

  let callbacks = 0;
  return {
    server,
    created,
    async callBack(merchantId, reference, news) {
      callbacks += 1;
      const body = JSON.stringify({ callback_id: `after_${callbacks}`, merchant_id: merchantId, reference, ...news });
      const message = { method: "POST", path: "/providers/acme/callbacks", body };
      await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
    },
  };
}
