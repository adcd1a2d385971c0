// Compares what Sluice assumes about Paystack with Paystack's OpenAPI document, which is not part of this repository:
// `npm run paystack:compare -- PATH`. Checks the tables, every request that the adapter makes, and every answer that the
// fake gives. Prints the differences and ends with status 1 if there are some.
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { faultsOf, printDifferences } from "../../testing/compare";
import { OpenApiDocument, texts } from "../../testing/openapi-document";
import { samplePayment, samplePayout } from "../../testing/requests";
import { paystackConfig } from "../config";
import { createPaystackGateway } from "../gateway";
import { createPaystackInspection } from "../inspection";
import { CALLS, DOCUMENT, PAYMENT_ROWS, PAYOUT_ROWS, TRANSACTION_STATUSES } from "../tables";

const JSON_BODY = ["content", "application/json", "schema"] as const;
const KEY = `sk_test_${"0".repeat(40)}`;

/** Returns the differences between the tables and the document. */
function compareTables(document: OpenApiDocument): string[] {
  const found: string[] = [];
  const expect = (isRight: boolean, difference: string) => {
    if (!isRight) found.push(difference);
  };
  const version = document.at("info", "version");
  expect(document.at("info", "title") === DOCUMENT.title, "the document is not Paystack's");
  expect(
    version === DOCUMENT.version,
    `the document does not have version ${DOCUMENT.version}, which the tables were compared with`,
  );
  for (const { method, path } of Object.values(CALLS)) {
    expect(document.at("paths", path, method.toLowerCase()) !== undefined, `the document has no ${method} ${path}`);
  }
  const initialize = ["paths", CALLS.initialize.path, "post", "requestBody", ...JSON_BODY, "properties"];
  const channels = texts(document.at(...initialize, "channels", "items", "enum"));
  const currencies = texts(document.at(...initialize, "currency", "enum"));
  for (const [code, { channel, currency, source }] of Object.entries(PAYMENT_ROWS)) {
    if (source !== "openapi") continue;
    expect(channels.includes(channel), `${code}: no channel ${channel}`);
    expect(currencies.includes(currency), `${code}: no currency ${currency}`);
  }
  const recipient = ["paths", CALLS.createRecipient.path, "post", "requestBody", ...JSON_BODY, "properties"];
  const types = texts(document.at(...recipient, "type", "enum"));
  for (const [currency, { recipientType, source }] of Object.entries(PAYOUT_ROWS)) {
    if (source !== "openapi") continue;
    expect(types.includes(recipientType), `payouts in ${currency}: no recipient type ${recipientType}`);
  }
  const parameters = document.at("paths", "/transaction", "get", "parameters");
  const status = (Array.isArray(parameters) ? parameters : []).find(
    (one) => (one as { readonly name?: string }).name === "status",
  ) as { readonly schema?: { readonly enum?: string[] } } | undefined;
  const statuses = texts(status?.schema?.enum);
  const ofDocument = Object.entries(TRANSACTION_STATUSES).flatMap(([name, row]) =>
    row.source === "openapi" ? [name] : [],
  );
  for (const name of statuses) expect(Object.hasOwn(TRANSACTION_STATUSES, name), `a status without a row: ${name}`);
  for (const name of ofDocument) expect(statuses.includes(name), `the document has no transaction status ${name}`);
  return found;
}

/** Makes every call of the adapter against the fake. */
async function play(fake: FakePaystack): Promise<void> {
  const account = fake.open(KEY, { integration: 463_433, domain: "test" });
  const entry = { name: "paystack", type: "paystack", account: "463433", secret_key: KEY, environments: ["test"] };
  const lists = { payment_methods: "all", payout_currencies: "all", url: fake.url };
  const config = paystackConfig.parse({ ...entry, ...lists });
  const gateway = createPaystackGateway(config);
  const { signal } = new AbortController();
  for (const { code } of PAYMENT_METHODS.filter((method) => gateway.offersPayment(method, "test"))) {
    const request = samplePayment(105_000n, code, { reference: `dord_${code.toLowerCase()}_01h455vb4pex5vsknk084` });
    await gateway.createPayment(request, signal);
    fake.pay(account, request.reference.replaceAll("_", "-"));
    await gateway.queryPayment(request, signal, new Date());
  }
  for (const currency of Object.keys(PAYOUT_ROWS).filter((one) => gateway.offersPayout(one, "test"))) {
    const recipient = {
      accountNumber: `01234567${currency.length}${account.recipients.length}`,
      bankCode: "058",
      holderName: "Ada Obi",
    };
    const request = samplePayout(250_000n, {
      currency,
      recipient,
      reference: `word_${currency.toLowerCase()}_01h455vb4pex5vsknk`,
    });
    await gateway.createPayout(request, signal);
    fake.move(account, request.reference, "success");
    await gateway.queryPayout(request, signal, new Date());
  }
  await createPaystackInspection(config)(signal);
}

/** Returns the path of the document for an address that was called. */
function pathOf(address: string): string {
  const path = address.split("?")[0] ?? "";
  return (
    Object.values(CALLS).find(
      (call) => path.startsWith(call.path.replace("{reference}", "")) && call.path.includes("{"),
    )?.path ?? path
  );
}

/** Returns where requests of the adapter or answers of the fake violate the document's schemas. */
async function compareMessages(document: OpenApiDocument): Promise<string[]> {
  const fake = await FakePaystack.start();
  await play(fake);
  await fake.stop();
  return fake.calls.flatMap(({ method, path, body, status, answer }) => {
    const operation = ["paths", pathOf(path), method.toLowerCase()];
    const call = `${method} ${pathOf(path)}`;
    const request =
      method === "POST"
        ? faultsOf(document.at(...operation, "requestBody", ...JSON_BODY), body, `${call} request`)
        : [];
    const schema = document.at(...operation, "responses", status.toString(), ...JSON_BODY);
    return [...request, ...faultsOf(schema, answer, `${call} answer`)];
  });
}

const [path] = process.argv.slice(2);
if (!path) {
  process.stderr.write("usage: npm run paystack:compare -- PATH of Paystack's OpenAPI document\n");
  process.exit(2);
}
const document = OpenApiDocument.read(path);
process.exit(printDifferences([...compareTables(document), ...(await compareMessages(document))]));
