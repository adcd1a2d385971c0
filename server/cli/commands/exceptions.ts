import { formatInstant } from "@/server/contract/instants";
import { SETTLEMENTS, type Settlement } from "@/server/domain/suspense";
import { now } from "@/server/platform/clock";
import { resolveExceptionAs, settleExceptionAs, takeExceptionAs } from "@/server/services/exceptions/as-member";
import { listExceptions, type StoredException } from "@/server/services/exceptions/list";
import { type Command, defineCommand, flag, oneOf, optional, required } from "../command";

/** In wire names; the age in whole seconds, from its opening until its resolution or until now. */
function presentException(exception: StoredException) {
  const { openedAt, resolvedAt, resolvedBy } = exception;
  const until = resolvedAt ?? now();
  return {
    id: exception.id,
    kind: exception.kind,
    merchant_id: exception.merchantId,
    environment: exception.environment,
    object_id: exception.objectId,
    detail: exception.detail,
    opened_at: formatInstant(openedAt),
    age_seconds: Math.max(0, Math.floor((until.getTime() - openedAt.getTime()) / 1000)),
    owner: exception.ownerId,
    resolution: exception.resolution,
    settled_as: exception.settledAs,
    resolved_at: resolvedAt && formatInstant(resolvedAt),
    resolved_by: resolvedBy && `${resolvedBy.type}:${resolvedBy.id}`,
  };
}

const list = defineCommand({
  name: "exceptions list",
  summary: "List what a person must look at, the oldest first",
  options: {
    merchant: optional("ID", "the merchant; everyone's and nobody's where left out"),
    open: flag("only what is not resolved"),
  },
  run: async ({ merchant, open }) => {
    const { exceptions, hasMore } = await listExceptions({ merchantId: merchant, openOnly: open });
    return { data: exceptions.map(presentException), has_more: hasMore };
  },
});

const take = defineCommand({
  name: "exceptions take",
  summary: "Make a member the owner of an exception of their merchant, with an audit entry",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member"),
  },
  run: async ({ id, as }) => presentException(await takeExceptionAs({ exceptionId: id, email: as })),
});

const resolve = defineCommand({
  name: "exceptions resolve",
  summary:
    "Resolve an exception for good, with an audit entry; it moves no money, so what is in suspense is settled instead",
  options: {
    id: required("ID", "the exception"),
    as: optional("ADDRESS", "the member who answers for it; left out where the exception is no merchant's"),
    resolution: required("TEXT", "what was found and done, at most 512 characters"),
  },
  run: async ({ id, as, resolution }) =>
    presentException(await resolveExceptionAs({ exceptionId: id, email: as }, resolution)),
});

const DONE: Readonly<Record<Settlement, string>> = {
  credit: "Credited to the wallet.",
  refund: "Sent back to the payer.",
  recover: "Taken back from the wallet.",
  absorb: "Borne by the operator.",
  restore: "The money came after all.",
};

const settle = defineCommand({
  name: "exceptions settle",
  summary: "Decide what becomes of an exception's money in suspense, and resolve it for good, with audit entries",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member who answers for it"),
    money: oneOf(SETTLEMENTS, "credit, refund: what is there; recover, absorb, restore: what is missing"),
    resolution: optional("TEXT", "what was found and done, at most 512 characters"),
  },
  run: async ({ id, as, money, resolution }) =>
    presentException(await settleExceptionAs({ exceptionId: id, email: as }, money, resolution ?? DONE[money])),
});

export const exceptions: readonly Command[] = [list, take, resolve, settle];
