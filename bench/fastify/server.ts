// The hand-written peer: Fastify with its schemas, bare `pg`, prepared statements, no group commit.
import { createHash, timingSafeEqual } from "node:crypto";
import Fastify from "fastify";
import { Pool, type PoolClient } from "pg";
import { createPayment, listPayments, type Position, readPayment, type Writing } from "../peer/payments";
import { loadSample } from "../peer/rows";

const [url = "", samplePath = "", writing = "", merchantId = "", authorization = ""] = process.argv.slice(2);
const sample = loadSample(samplePath);
const pool = new Pool({ connectionString: url, max: 10 });
const digest = (text: string) => createHash("sha256").update(text).digest();
const expected = digest(authorization);

async function withClient<Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await run(client);
  } finally {
    client.release();
  }
}

const app = Fastify();
const text = { type: "string", minLength: 1, maxLength: 255 };
const creation = {
  type: "object",
  required: ["amount", "currency", "country", "payment_method", "merchant_reference"],
  properties: { amount: text, currency: text, country: text, payment_method: text, merchant_reference: text },
};

app.addHook("onRequest", async (request, reply) => {
  if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected))
    await reply.code(401).send({ error: { code: "unauthorized", message: "The credentials are invalid." } });
});

app.post("/v1/payment_intents", { schema: { body: creation } }, async (_request, reply) => {
  const row = await withClient((client) => createPayment(client, sample, writing as Writing));
  return reply.code(201).send(row);
});

app.get<{ Params: { id: string } }>("/v1/payment_intents/:id", async (request, reply) => {
  const row = await withClient((client) => readPayment(client, merchantId, request.params.id));
  return row ?? reply.code(404).send({ error: { code: "not_found", message: "There is no such intent." } });
});

app.get<{ Querystring: { cursor?: string } }>("/v1/payment_intents", async ({ query }) => {
  const after = query.cursor ? (JSON.parse(Buffer.from(query.cursor, "base64url").toString()) as Position) : null;
  const rows = await withClient((client) => listPayments(client, merchantId, after));
  const last = rows.length > 25 ? rows[24] : undefined;
  const next = last && Buffer.from(JSON.stringify({ createdAt: last.created_at, id: last.id })).toString("base64url");
  return { data: rows.slice(0, 25), has_more: last !== undefined, next_cursor: next ?? null };
});

process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
