// The worker's part in deliveries: claim what is due, have the scheduler send it, record what came of it.
import {
  type ClaimedDelivery,
  claimDueDeliveriesAcrossMerchants,
  giveBackDeliveries,
} from "@/server/db/webhooks/claims";
import { isAccepted } from "@/server/domain/delivery";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { createUnderWay } from "@/server/platform/under-way";
import { measureAttempt } from "./attempt-metrics";
import { createFairScheduler, NEW_ENDPOINT_LIMIT, type Sending } from "./fair-scheduler";
import { reportAttempt } from "./report";
import { DEADLINE_MS } from "./send";
import { sendTraced } from "./send-traced";

/** A claim is held this long; a worker that dies loses it, and another sends the same bytes again. */
const LEASE_MS = 30_000;
/** Between the end of the longest send and of its claim: time to write down what came of it. */
const RECORD_WITHIN_MS = 5_000;
const CLAIM = 200;
/** Records that wait to be written; beyond this nothing new is begun. */
const RECORDING_LIMIT = 1_000;

/** While there is work, a look every so often makes a first attempt prompt; a quiet database is asked more rarely. */
const BUSY_PAUSE_MS = 15;
const QUIET_PAUSE_MS = 75;
const QUIET_AFTER_MS = 10_000;

interface DeliveryClaim {
  readonly delivery: ClaimedDelivery;
  readonly claimedAt: number;
}

export interface DeliveryWork {
  /** Claims up to a batch; returns how many when more may be due at once, else 0. */
  round(): Promise<number>;
  /** How long to wait before the next look, in ms. */
  pauseMs(): number;
  /** Begins nothing more and waits for what is under way. */
  finish(): Promise<void>;
}

/** The deliveries of all merchants, as one process works on them. The times, in ms, are a test's to choose. */
export function createDeliveryWork({ leaseMs = LEASE_MS, deadlineMs = DEADLINE_MS } = {}): DeliveryWork {
  /** What is not begun by then is given back: it could not be recorded in time. */
  const beginWithinMs = leaseMs - deadlineMs - RECORD_WITHIN_MS;
  const scheduler = createFairScheduler<DeliveryClaim>(send);
  const recording = createUnderWay();
  const late: ClaimedDelivery[] = [];
  let busyAt = performance.now();

  async function send({ delivery, claimedAt }: DeliveryClaim): Promise<Sending> {
    const startedAt = performance.now();
    if (startedAt - claimedAt > beginWithinMs) {
      late.push(delivery);
      return { durationMs: 0, isWell: false };
    }
    try {
      const sent = await sendTraced(delivery, deadlineMs);
      measureAttempt(delivery.environment, sent.result, sent.facts.durationMs);
      record(withinMerchant(delivery.merchantId, () => reportAttempt(delivery, sent, Math.random())));
      return { durationMs: sent.facts.durationMs, isWell: isAccepted(sent.result) };
    } catch (error) {
      log().error({ err: error, deliveryId: delivery.id }, "a delivery could not be attempted");
      return { durationMs: performance.now() - startedAt, isWell: false };
    }
  }

  /** Beside the sending: the endpoint's next message need not wait until this one is written down. */
  function record(report: Promise<void>): void {
    void recording.track(settle(report));
  }

  async function settle(report: Promise<void>): Promise<void> {
    try {
      await report;
    } catch (error) {
      log().error({ err: error }, "a delivery attempt was not recorded");
    }
  }

  /** Due again at once, for whoever is next, and not only when the claim ends. */
  async function giveBackLate(): Promise<void> {
    if (late.length > 0) await giveBackDeliveries(late.splice(0));
  }

  return {
    async round() {
      await giveBackLate();
      if (recording.count >= RECORDING_LIMIT) return 0;
      const claimedAt = performance.now();
      const limits = { perEndpoint: scheduler.rooms(), newEndpoint: NEW_ENDPOINT_LIMIT, total: CLAIM };
      const claimed = await claimDueDeliveriesAcrossMerchants(limits, leaseMs);
      for (const delivery of claimed) scheduler.add(delivery.endpointId, { delivery, claimedAt });
      if (claimed.length > 0) busyAt = claimedAt;
      return claimed.length >= CLAIM / 4 ? claimed.length : 0;
    },

    pauseMs: () => (performance.now() - busyAt < QUIET_AFTER_MS ? BUSY_PAUSE_MS : QUIET_PAUSE_MS),

    async finish() {
      late.push(...scheduler.clear().map(({ delivery }) => delivery));
      await giveBackLate();
      await scheduler.idle();
      await recording.idle();
    },
  };
}
