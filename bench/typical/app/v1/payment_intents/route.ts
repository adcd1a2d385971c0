// Creating and listing as typically written: a route handler, zod, Prisma, one interactive transaction per commit.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { loadSample } from "@/bench/peer/rows";
import { isAuthorized, prisma, readerId } from "../../../client";

export const dynamic = "force-dynamic";

const creation = z.object({
  amount: z.string().regex(/^\d+$/),
  currency: z.string().length(3),
  country: z.string().length(2),
  payment_method: z.string(),
  merchant_reference: z.string().max(255),
});

const sample = loadSample(process.env.PEER_SAMPLE_PATH ?? "");
const merchantId = sample.payment_intent.merchant_id as string;
const apiKeyId = sample.idempotency_key.api_key_id as string;
const nextAction = sample.payment_intent.next_action as object;
const routing = sample.payment_intent.routing as object;
const fingerprint = sample.idempotency_key.fingerprint as string;
const PAGE = 25;
const HALF_HOUR_MS = 1_800_000;

type Transaction = Parameters<Parameters<typeof prisma.$transaction>[0]>[0];

async function audit(transaction: Transaction, objectId: string, action: string, state: object): Promise<void> {
  const id = `aud_${randomUUID()}`;
  await transaction.auditEntry.create({
    data: {
      merchantId,
      id,
      environment: "test",
      actorType: "api_key",
      actorId: apiKeyId,
      action,
      objectId,
      after: state,
      requestId: randomUUID(),
      createdAt: new Date(),
    },
  });
  await transaction.auditPending.create({ data: { merchantId, entryId: id } });
}

async function announce(body: z.infer<typeof creation>, key: string, id: string, attemptId: string) {
  const at = new Date();
  return prisma.$transaction(async (transaction) => {
    const leaseUntil = new Date(at.getTime() + 60_000);
    const holder = randomUUID();
    await transaction.idempotencyKey.create({
      data: { merchantId, apiKeyId, key, fingerprint, holder, objectId: id, leaseUntil },
    });
    await transaction.paymentIntent.create({
      data: {
        merchantId,
        id,
        environment: "test",
        status: "processing",
        revision: 0,
        amount: body.amount,
        currency: body.currency,
        country: body.country,
        merchantReference: body.merchant_reference,
        paymentMethod: body.payment_method,
        provider: "sandbox",
        routing,
        nextActionType: "display_qr_code",
        expiresAt: new Date(at.getTime() + HALF_HOUR_MS),
        createdAt: at,
        updatedAt: at,
        dueAt: at,
      },
    });
    await transaction.providerAttempt.create({
      data: {
        merchantId,
        id: attemptId,
        environment: "test",
        intentId: id,
        ordinal: 1,
        provider: "sandbox",
        state: "started",
        startedAt: at,
      },
    });
    await audit(transaction, id, "payment_intent.create", { status: "processing" });
  });
}

async function answer(key: string, id: string, attemptId: string) {
  const at = new Date();
  return prisma.$transaction(async (transaction) => {
    const intent = await transaction.paymentIntent.update({
      where: { merchantId_id: { merchantId, id }, status: "processing", revision: 0 },
      data: { status: "requires_action", revision: 1, nextAction, updatedAt: at },
    });
    await transaction.providerAttempt.update({
      where: { merchantId_id: { merchantId, id: attemptId } },
      data: { state: "answered", outcome: "requires_action", answeredAt: at, providerReference: `sbx_${id}` },
    });
    await audit(transaction, id, "payment_intent.answer", { status: intent.status });
    await transaction.idempotencySeal.create({
      data: { merchantId, apiKeyId, key, status: 201, body: JSON.stringify(intent) },
    });
    return intent;
  });
}

export async function POST(request: Request): Promise<Response> {
  if (!isAuthorized(request)) return Response.json({ error: { code: "unauthorized" } }, { status: 401 });
  const body = creation.safeParse(await request.json());
  if (!body.success) return Response.json({ error: { code: "validation_failed" } }, { status: 400 });
  const key = request.headers.get("idempotency-key") ?? randomUUID();
  const id = `dord_${randomUUID()}`;
  const attemptId = `att_${randomUUID()}`;
  await announce(body.data, key, id, attemptId);
  return Response.json(await answer(key, id, attemptId), { status: 201 });
}

/** Pages by offset, with the offset as the cursor. */
export async function GET(request: Request): Promise<Response> {
  if (!isAuthorized(request)) return Response.json({ error: { code: "unauthorized" } }, { status: 401 });
  const skip = Number(new URL(request.url).searchParams.get("offset") ?? "0");
  const rows = await prisma.paymentIntent.findMany({
    where: { merchantId: readerId, environment: "test" },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip,
    take: PAGE + 1,
  });
  return Response.json({ data: rows.slice(0, PAGE), has_more: rows.length > PAGE });
}
