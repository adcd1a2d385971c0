// A bridge that serves the provider protocol over HTTP and answers from the worlds of the histories.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { TERMS } from "../world/history";
import type { Answer, Report } from "../world/reports";
import { providerName, QUOTES } from "./providers";

/** The world of one history, as the service's calls reach it. */
export interface Listener {
  /** Called when a call has arrived and before it is answered. */
  called(): Promise<void>;
  /** `provider` is the name of the called provider. */
  create(provider: string): Answer;
  query(): Answer;
  cancel(): Answer;
}

interface Creation {
  readonly reference: string;
  readonly next_action_type?: string;
  readonly source?: { readonly network: string };
}

interface NewCreation extends Creation {
  readonly merchant_id: string;
}

const STATUS_OF: Readonly<Record<string, number>> = { unknown_reference: 404, not_accepted: 400 };
const MAXIMUM_SKEW_S = 300;

/** Instructions in the form that the creation requested (docs/provider-protocol.md, "Instructions"). */
function instructionsFor({ reference, next_action_type, source }: Creation): object {
  if (source) return { address: "TMODELADDRESS000001", network: source.network };
  if (next_action_type === "redirect_to_url") return { type: "redirect_to_url", url: "https://pay.example.com/1" };
  if (next_action_type === "display_qr_code") return { type: "display_qr_code", data: `code of ${reference}` };
  const bank = { network: "spei", bank_name: "Model", bank_code: "001", account_number: "1", account_holder_name: "M" };
  return { type: "display_bank_transfer_instructions", reference: "1", financial_addresses: [bank] };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export class Bridge {
  readonly #secret = randomBytes(32).toString("hex");
  readonly #server: Server;
  readonly #byMerchant = new Map<string, Listener>();
  /**
   * The merchant that calls before the first history: the demo of the service's first start. All its work is declined.
   */
  readonly #demo = new Set<string>();
  readonly #byReference = new Map<string, { readonly listener: Listener; readonly creation: Creation }>();
  #baseUrl = "";
  /** Calls with an invalid signature, and calls that the document does not describe. */
  readonly faults: string[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.faults.push(String(error));
        response.destroy();
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** An entry of PROVIDERS. */
  entry(name: string, more: object): object {
    const { port } = this.#server.address() as AddressInfo;
    return { name, url: `http://127.0.0.1:${port}/${name}`, secret: this.#secret, ...more };
  }

  callbacksTo(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** All calls for the merchant, who has one intent, go to this listener. */
  register(merchantId: string, listener: Listener): void {
    this.#byMerchant.set(merchantId, listener);
  }

  /** Calls about a reference whose creation has not arrived yet go to the merchant's listener too. */
  name(merchantId: string, reference: string): void {
    const listener = this.#byMerchant.get(merchantId);
    if (listener && !this.#byReference.has(reference)) {
      this.#byReference.set(reference, { listener, creation: { reference } });
    }
  }

  /** Sends one signed callback; resolves to the status. */
  async callback(provider: string, body: string): Promise<number> {
    const path = `/providers/${provider}/callbacks`;
    const headers = { "content-type": "application/json", ...this.#sign("POST", path, body) };
    const answer = await fetch(this.#baseUrl + path, { method: "POST", headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  #sign(method: string, path: string, body: string): Record<string, string> {
    const timestamp = Math.floor(Date.now() / 1_000);
    return { "sluice-timestamp": String(timestamp), "sluice-signature": this.#mac(timestamp, method, path, body) };
  }

  #mac(timestamp: number, method: string, path: string, body: string): string {
    return `v1=${createHmac("sha256", this.#secret).update(`${timestamp}.${method}.${path}.${body}`).digest("hex")}`;
  }

  #isSigned(request: IncomingMessage, body: string): boolean {
    const timestamp = Number(request.headers["sluice-timestamp"]);
    if (!(Math.abs(Date.now() / 1_000 - timestamp) <= MAXIMUM_SKEW_S)) return false;
    const expected = Buffer.from(this.#mac(timestamp, request.method ?? "", request.url ?? "", body));
    const given = Buffer.from(String(request.headers["sluice-signature"]));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (!this.#isSigned(request, body)) this.faults.push(`unsigned ${request.method} ${request.url}`);
    const path = new URL(request.url ?? "", "http://bridge").pathname;
    const [, provider = "", , , reference, verb] = path.split("/");
    if (reference === "quote") return this.#send(response, 200, quoteOf(provider));
    if (!reference) return this.#create(provider, JSON.parse(body) as NewCreation, response);
    const known = this.#byReference.get(decodeURIComponent(reference));
    if (!known) throw new Error(`no history has the reference ${reference}`);
    await known.listener.called();
    const answer = verb === "cancel" ? known.listener.cancel() : known.listener.query();
    return this.#reply(response, 200, known.creation, answer);
  }

  async #create(provider: string, creation: NewCreation, response: ServerResponse): Promise<void> {
    const { merchant_id } = creation;
    if (this.#byMerchant.size === 0) this.#demo.add(merchant_id);
    if (this.#demo.has(merchant_id)) return this.#send(response, 422, { error: { code: "declined" } });
    const listener = this.#byMerchant.get(merchant_id);
    if (!listener) throw new Error(`no history has the merchant ${merchant_id}`);
    this.#byReference.set(creation.reference, { listener, creation });
    await listener.called();
    return this.#reply(response, 201, creation, listener.create(provider));
  }

  #reply(response: ServerResponse, status: number, creation: Creation, answer: Answer): void {
    if (answer.kind === "silence" || answer.kind === "unsent" || answer.kind === "no_news") {
      response.destroy();
      return;
    }
    if (answer.kind === "garbage") {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>502 Bad Gateway</html>");
      return;
    }
    if (answer.kind === "refusal") {
      this.#send(response, STATUS_OF[answer.code] ?? 422, { error: { code: answer.code } });
      return;
    }
    this.#send(response, status, messageOf(creation, answer.report));
  }

  #send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
}

function quoteOf(provider: string): object {
  const terms = TERMS.find((one) => provider === providerName(1, one) || provider === providerName(2, one));
  if (!terms) throw new Error(`no quote of ${provider}`);
  return { ...QUOTES[terms], networks: ["tron"] };
}

function messageOf(creation: Creation, { next_action, ...report }: Report): object {
  const instructions = next_action ? { next_action: instructionsFor(creation) } : {};
  return { reference: creation.reference, ...report, ...instructions };
}
