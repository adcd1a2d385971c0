// What people of a merchant do in the dashboard: they approve payouts, invite members, create and revoke keys. None of it has an
// Idempotency-Key.
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { inCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { newId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { createApiKey } from "@/server/services/api-keys/create";
import { revokeApiKey } from "@/server/services/api-keys/revoke";
import { cellOfMerchant } from "@/server/services/cells/moved";
import { inviteMember } from "@/server/services/members/manage";
import { operatorContext } from "@/server/services/merchants/operator";
import { asServiceError } from "@/server/services/outage";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import type { Books } from "./books";
import type { Stage } from "./stage";

const RETRY_MS = 20;

interface Attempt<Result> {
  /** Null if it got no answer in time. */
  readonly result: Result | null;
  /** True if a try before got no answer, and may have had its effect. */
  readonly mayHaveHappened: boolean;
}

/** Runs work where the merchant is, again while it is refused. Throws other errors. */
async function asPerson<Result>(
  stage: Stage,
  { merchantId }: Books,
  patienceMs: number,
  work: () => Promise<Result>,
): Promise<Attempt<Result>> {
  let mayHaveHappened = false;
  for (const end = performance.now() + patienceMs; ; await sleep(RETRY_MS)) {
    try {
      const cell = await cellOfMerchant(cellOfId(merchantId), merchantId);
      const result = await inCell(cell, () => withinMerchant(merchantId, work));
      return { result, mayHaveHappened };
    } catch (error) {
      if (asServiceError(error)?.code !== "service_unavailable") {
        if (mayHaveHappened && error instanceof ServiceError) return { result: null, mayHaveHappened };
        throw error;
      }
      if (!mayHaveHappened) stage.count("refusals");
      mayHaveHappened = true;
      if (performance.now() > end) return { result: null, mayHaveHappened };
    }
  }
}

const operatorOf = ({ merchantId, environment }: Books): CallContext => operatorContext(merchantId, environment);

/** A member approves a payout, which is then sent. */
export async function approve(
  stage: Stage,
  books: Books,
  id: string,
  member: CallContext,
  patienceMs: number,
): Promise<void> {
  books.approved.add(id);
  const { result } = await asPerson(stage, books, patienceMs, () => approvePayoutIntent(member, { id }));
  const told = books.payouts.get(id);
  if (!result || !told) return;
  told.status = result.status;
  stage.count("approvals");
}

export async function invite(stage: Stage, books: Books, patienceMs: number): Promise<void> {
  const email = `${newId("request")}@shop.example`;
  books.unsure.add(email);
  const invited = await asPerson(stage, books, patienceMs, () =>
    inviteMember(operatorOf(books), { email, roles: ["developer"] }),
  );
  if (!invited.result) return;
  books.unsure.delete(email);
  books.members.add(invited.result.id);
  stage.count("members invited");
}

export async function createKey(stage: Stage, books: Books, patienceMs: number): Promise<void> {
  const name = newId("request");
  books.unsure.add(name);
  const { result, mayHaveHappened } = await asPerson(stage, books, patienceMs, () =>
    createApiKey(operatorOf(books), name),
  );
  if (!result) return;
  if (!mayHaveHappened) books.unsure.delete(name);
  books.keys.push({ key: result, isRevoked: false });
  stage.count("keys created");
}

export async function revokeKey(stage: Stage, books: Books, id: string, patienceMs: number): Promise<void> {
  const told = books.keys.find(({ key }) => key.id === id);
  if (!told) return;
  books.unsure.add(id);
  const { result } = await asPerson(stage, books, patienceMs, () => revokeApiKey(operatorOf(books), id));
  if (!result) return;
  books.unsure.delete(id);
  told.isRevoked = true;
  stage.count("keys revoked");
}
