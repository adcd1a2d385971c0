// Compares what Sluice assumes about BTCPay Server with the document of its Greenfield API, which is not part of this
// repository: `npm run btcpay:compare -- PATH...` with the templates of `wwwroot/swagger/v1`, or with the file that a server
// serves at `/swagger/v1/swagger.json`. Checks the tables, every request that the adapter makes, every answer that the fake
// gives, and its webhooks. Prints the differences and ends with status 1 if there are some.
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { faultsOf, printDifferences } from "../../testing/compare";
import { type Json, joined, OpenApiDocument, texts } from "../../testing/openapi-document";
import { sampleTopup } from "../../testing/requests";
import { createBtcpayGateway } from "../gateway";
import { createBtcpayInspection } from "../inspection";
import {
  ADDITIONAL_STATUSES,
  CALLS,
  DOCUMENT,
  FIELDS,
  INVOICE_EVENTS,
  INVOICE_STATUSES,
  PAYMENT_STATUSES,
  TOPUP_ROWS,
} from "../tables";
import { configAt, KEY, SECRET, STORE } from "./entry";

const JSON_BODY = ["content", "application/json", "schema"] as const;
const SCHEMAS = ["components", "schemas"] as const;

function schemaAt(document: OpenApiDocument, ...path: readonly string[]): Json | undefined {
  const found = document.at(...path);
  return found === undefined ? undefined : joined(found);
}

function membersOf(schema: Json | undefined): string[] {
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  return Object.keys(properties ?? {});
}

/** Returns the differences between the tables and the document. */
function compareTables(document: OpenApiDocument): string[] {
  const found: string[] = [];
  const expect = (isRight: boolean, difference: string) => {
    if (!isRight) found.push(difference);
  };
  expect(document.at("info", "title") === DOCUMENT.title, "the document is not the Greenfield API's");
  expect(document.at("info", "version") === DOCUMENT.version, `the document does not have version ${DOCUMENT.version}`);
  for (const { method, path } of Object.values(CALLS)) {
    expect(document.at("paths", path, method.toLowerCase()) !== undefined, `the document has no ${method} ${path}`);
  }
  for (const [name, fields] of Object.entries(FIELDS)) {
    const members = membersOf(schemaAt(document, ...SCHEMAS, name));
    for (const field of fields) expect(members.includes(field), `${name} has no member ${field}`);
  }
  const enums = {
    InvoiceStatus: INVOICE_STATUSES,
    InvoiceAdditionalStatus: ADDITIONAL_STATUSES,
    PaymentStatus: PAYMENT_STATUSES,
  };
  for (const [name, table] of Object.entries(enums)) {
    const values = texts(document.at(...SCHEMAS, name, "enum"));
    for (const value of values) expect(Object.hasOwn(table, value), `a ${name} without a row: ${value}`);
    for (const value of Object.keys(table)) expect(values.includes(value), `the document has no ${name} ${value}`);
  }
  const policies = texts(document.at(...SCHEMAS, "SpeedPolicy", "enum"));
  const described = JSON.stringify(document.at(...SCHEMAS, "PaymentMethodId") ?? "");
  for (const [token, { paymentMethod, speedPolicy, source }] of Object.entries(TOPUP_ROWS)) {
    expect(policies.includes(speedPolicy), `${token}: no speed policy ${speedPolicy}`);
    if (source === "openapi") expect(described.includes(paymentMethod), `${token}: no payment method ${paymentMethod}`);
  }
  const events = Object.keys((document.at("x-webhooks") ?? {}) as object).filter((name) => name.startsWith("Invoice"));
  for (const name of events) expect(Object.hasOwn(INVOICE_EVENTS, name), `an event without a row: ${name}`);
  for (const name of Object.keys(INVOICE_EVENTS)) expect(events.includes(name), `the document has no event ${name}`);
  return found;
}

/** Makes every call of the adapter against the fake, with an invoice in each state. */
async function play(fake: FakeBtcpay): Promise<void> {
  const store = fake.open(KEY, { storeId: STORE });
  const config = configAt(fake.url);
  const gateway = createBtcpayGateway(config);
  const { signal } = new AbortController();
  for (const [token, { network }] of Object.entries(TOPUP_ROWS)) {
    const { destination = "" } = config.topups.find(({ source }) => source === token) ?? {};
    await gateway.quoteTopup(token, destination, "test", signal);
    const reference = `tuin_${token.toLowerCase()}_01h455vb4pex5vsknk084`;
    const request = sampleTopup(100_000n, { reference, sourceCurrency: token, network });
    await gateway.createTopup(request, signal);
    const invoice = store.find(reference);
    const query = () => gateway.queryTopup(request, signal, new Date());
    await query();
    const gone = fake.pay(store, invoice, "0.00000100", false);
    store.drop(invoice, gone);
    await query();
    fake.pay(store, invoice, "1000");
    await query();
    fake.announce(invoice, "InvoiceExpired");
  }
  await createBtcpayInspection(config)(signal);
}

/** Returns the path of the document for an address that was called. */
function pathOf(address: string): string {
  const path = address.split("?")[0] ?? "";
  const isLike = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return Object.values(CALLS).find((call) => isLike(call.path))?.path ?? path;
}

/** Returns where requests of the adapter, answers of the fake or its webhooks violate the document's schemas. */
async function compareMessages(document: OpenApiDocument): Promise<string[]> {
  const fake = await FakeBtcpay.start();
  await play(fake);
  await fake.stop();
  const found = fake.calls.flatMap(({ method, path, body, status, answer }) => {
    const operation = ["paths", pathOf(path), method.toLowerCase()];
    const call = `${method} ${pathOf(path)}`;
    const request =
      method === "POST"
        ? faultsOf(schemaAt(document, ...operation, "requestBody", ...JSON_BODY), body, `${call} request`)
        : [];
    const schema = schemaAt(document, ...operation, "responses", status.toString(), ...JSON_BODY);
    return [...request, ...faultsOf(schema, answer, `${call} answer`)];
  });
  const event = schemaAt(document, ...SCHEMAS, "WebhookInvoiceEvent");
  const bodies = fake.outbox.map((sent) => FakeBtcpay.webhook(sent, SECRET).body);
  return [...found, ...bodies.flatMap((body) => faultsOf(event, JSON.parse(body), "webhook"))];
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  process.stderr.write("usage: npm run btcpay:compare -- PATH of the Greenfield document, or of its templates\n");
  process.exit(2);
}
const document = OpenApiDocument.read(...paths);
process.exit(printDifferences([...compareTables(document), ...(await compareMessages(document))]));
