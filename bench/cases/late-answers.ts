// Time from the provider's late answer to the first GET that shows it.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Section } from "../bench";
import { LATE_ANSWER } from "../names";
import type { Stage } from "../stage";
import { percentile } from "../statistics";
import { creation } from "./creates";

/** The sandbox's delay for an amount that ends in 03, after the create call has returned. */
const PROVIDER_MS = 5_000;
const AMOUNT = "1003";
const PAYMENTS = 40;
const LOOK_EVERY_MS = 25;
const GIVE_UP_MS = 30_000;

interface Seen {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
}

async function call(stage: Stage, path: string, init: RequestInit = {}): Promise<Seen> {
  const headers = { authorization: stage.writer.authorization, "content-type": "application/json" };
  const response = await fetch(`${stage.service.baseUrl}${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    signal: AbortSignal.timeout(GIVE_UP_MS),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return (await response.json()) as Seen;
}

/** Milliseconds from the provider's answer to the GET that shows it. Throws if none does in time. */
async function latenessOfOne(stage: Stage): Promise<number> {
  const { path, key = "", body } = creation();
  const text = JSON.stringify({ ...body, amount: AMOUNT });
  const created = await call(stage, path, { method: "POST", body: text, headers: { "idempotency-key": key } });
  const answeredAt = Date.parse(created.created_at) + PROVIDER_MS;
  await sleep(Math.max(0, answeredAt - Date.now()));
  while (Date.now() < answeredAt + GIVE_UP_MS) {
    const { status } = await call(stage, `${path}/${created.id}`);
    if (status !== "processing") return Date.now() - answeredAt;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`${created.id} still shows no answer ${GIVE_UP_MS} ms after the provider had one`);
}

async function measureLateAnswers({ stage, note }: Bench): Promise<void> {
  const all = await Promise.all(Array.from({ length: PAYMENTS }, () => latenessOfOne(stage)));
  const sorted = Float64Array.from(all).sort();
  const how = `${PAYMENTS} payments at once, looked at every ${LOOK_EVERY_MS} ms`;
  note({ name: `${LATE_ANSWER}, p50`, value: percentile(sorted, 0.5), unit: "ms", note: how });
  note({ name: `${LATE_ANSWER}, p99`, value: percentile(sorted, 0.99), unit: "ms", note: how });
}

export const lateAnswerSection: Section = { name: "late-answer", run: measureLateAnswers };
