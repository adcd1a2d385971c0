// A bridge for tests that remembers what it executed even if our database does not.
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";

interface Creation {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/** A bridge that stores its executions independently of our database: one per reference. */
export interface RememberingProvider {
  readonly server: LocalServer;
  /** Reference → the creation that was executed. */
  readonly executed: ReadonlyMap<string, Creation>;
}

/**
 * Starts it as the only provider of the live environment, for payouts in BRL. It answers `settled`, with the data of
 * the creation. A creation with a known reference executes nothing.
 */
export async function startRememberingProvider(): Promise<RememberingProvider> {
  const server = await startLocalServer();
  const executed = new Map<string, Creation>();
  server.respond = (received, response) => {
    const asked = received.method === "POST" ? (JSON.parse(received.body) as Creation) : null;
    const reference = asked?.reference ?? decodeURIComponent(received.path.split("/").at(-1) ?? "");
    if (asked && !executed.has(reference)) executed.set(reference, asked);
    const known = executed.get(reference);
    if (!known) return json(404, { error: { code: "unknown_reference" } })(received, response);
    const { amount, currency } = known;
    const intended = { intent_amount: amount, intent_currency: currency };
    const report = {
      reference,
      status: "settled",
      amount,
      currency,
      provider_reference: `px-${reference}`,
      ...intended,
    };
    return json(200, report)(received, response);
  };
  const config = {
    name: "remembering",
    url: server.url,
    secret: "a secret of at least thirty-two characters",
    payout_currencies: ["BRL"],
  };
  configureGateways(JSON.stringify([config]));
  configureRoutes(null);
  return { server, executed };
}
