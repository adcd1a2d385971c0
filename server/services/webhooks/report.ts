// What follows an attempt: its record and the next step, and what an endpoint's continued failing leads to.
import { noteWarning, recordAttempt } from "@/server/db/webhooks/attempts";
import type { ClaimedDelivery } from "@/server/db/webhooks/claims";
import { changeEndpoint } from "@/server/db/webhooks/endpoint-changes";
import { type DisabledReason, holdMs, isAccepted, isGone, judgeHealth, nextStep } from "@/server/domain/delivery";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import type { SendResult } from "./send";

/** What the worker does by itself is told to the audit log as the worker's. */
const WORKER = { type: "worker", id: "deliveries" } as const;

/** Stops sending to an endpoint, with an audit entry; its deliveries go on gathering. Once is enough. */
async function disable(
  { merchantId, environment, endpointId }: ClaimedDelivery,
  reason: DisabledReason,
): Promise<void> {
  const at = now();
  const changed = await changeEndpoint(
    { merchantId, environment },
    endpointId,
    ({ state }) => {
      if (state === "disabled") return null;
      return { verb: "disable", assignments: { state: "disabled", disabled_reason: reason, disabled_at: at } };
    },
    { act: { actor: WORKER, requestId: null, address: null, at }, seal: () => null },
  );
  if (changed) log().warn({ merchantId, endpointId, reason }, "a webhook endpoint was disabled");
}

async function judge(delivery: ClaimedDelivery, { facts, result }: SendResult): Promise<void> {
  if (isGone(result)) return disable(delivery, "gone");
  const { merchantId, environment, endpointId, warnedHours } = delivery;
  const failingSince = delivery.failingSince ?? facts.attemptedAt;
  const { warnHours, disable: isOver } = judgeHealth({ failingSince, warnedHours }, now());
  if (isOver) return disable(delivery, "failing");
  if (warnHours === null || !(await noteWarning({ merchantId, environment }, endpointId, warnHours))) return;
  log().warn({ merchantId, endpointId, hours: warnHours }, "a webhook endpoint accepts no deliveries");
}

/** Records the attempt and draws its consequences. `draw` is a random number from 0 to 1. */
export async function reportAttempt(delivery: ClaimedDelivery, sent: SendResult, draw: number): Promise<void> {
  const { facts, result } = sent;
  const next = nextStep(delivery.step + 1, result, draw);
  const isRecorded = await recordAttempt({ delivery, facts, next, holdMs: holdMs(result) });
  if (!isRecorded) log().warn({ deliveryId: delivery.id }, "a delivery attempt outlived its claim");
  else if (!isAccepted(result)) await judge(delivery, sent);
}
