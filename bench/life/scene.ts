// The environment of the life bench: the service with a provider that calls back, merchants with a webhook endpoint each,
// and their receiver.
import { randomBytes } from "node:crypto";
import type { HttpRequest } from "../load";
import { type Peer, startPeer } from "../processes";
import { type Party, type Stage, setStage } from "../stage";
import { addEndpoint } from "../webhooks/shared";
import { amountOf, type Book, type Course, type ProviderTask } from "./course";

const PROVIDER = "bench";
/** A method that the other cases do not use: theirs stay with the sandbox. */
const METHOD = { payment_method: "MX_CODI", country: "MX", currency: "MXN" };
const CALLBACK_CONNECTIONS = 8;
/** Merchants of each set: one for probes, one for the long run. Not a divisor of the number of fates, so that each has all. */
const MERCHANTS = 3;

export interface Scene {
  readonly stage: Stage;
  readonly provider: Peer;
  readonly receiver: Peer;
  /** Adds merchants, whose webhooks go to this path of the receiver. */
  addMerchants(path: string): Promise<readonly Party[]>;
  follow(course: Course): Promise<void>;
  /** The provider's counts since the last call. */
  readBook(): Promise<Book>;
  /** What the receiver got since the last call, each as "path event-id". */
  readArrivals(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function call<Answer>(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
  return (await answer.json()) as Answer;
}

/** The n-th payment of a load, of these merchants in turn. */
export function lifeRequest(parties: readonly Party[], n: number): HttpRequest {
  const { authorization } = parties[n % parties.length] as Party;
  const id = `${process.pid}-${n}-${randomBytes(6).toString("hex")}`;
  const body = { ...METHOD, amount: String(amountOf(n)), merchant_reference: `order-${id}` };
  return { method: "POST", path: "/v1/payment_intents", key: `key-${id}`, body, authorization };
}

/** Starts everything; the caller closes it. */
export async function setScene(): Promise<Scene> {
  const task: ProviderTask = {
    name: PROVIDER,
    secret: randomBytes(32).toString("hex"),
    connections: CALLBACK_CONNECTIONS,
  };
  const provider = await startPeer("life/provider.ts", [JSON.stringify(task)]);
  const receiver = await startPeer("receiver/server.ts", []);
  const config = { name: PROVIDER, url: provider.baseUrl, secret: task.secret, environments: ["test"], protocol: 2 };
  const route = {
    kind: "payment",
    method: METHOD.payment_method,
    environment: "test",
    providers: [{ name: PROVIDER }],
  };
  const stage = await setStage(
    { isQuick: true },
    {
      PROVIDERS: JSON.stringify([{ ...config, payment_methods: [METHOD.payment_method] }]),
      ROUTES: JSON.stringify([route]),
    },
  );
  return {
    stage,
    provider,
    receiver,
    async addMerchants(path) {
      const parties: Party[] = [];
      for (let n = 0; n < MERCHANTS; n += 1) {
        const party = await stage.addParty("Bench lives", [METHOD.currency]);
        await addEndpoint(stage, party, `${receiver.baseUrl}/${path}/${n}`);
        parties.push(party);
      }
      return parties;
    },
    async follow(course) {
      const body = JSON.stringify({ callbackOrigin: stage.service.baseUrl, ...course });
      await call(provider.baseUrl, { method: "PUT", body });
    },
    readBook: () => call<Book>(provider.baseUrl),
    readArrivals: () => call<string[]>(receiver.baseUrl),
    async close() {
      await stage.close();
      await Promise.all([provider.stop(), receiver.stop()]);
    },
  };
}
