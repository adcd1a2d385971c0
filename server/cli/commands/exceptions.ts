import { formatInstant } from "@/server/contract/instants";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { SETTLEMENTS, type Settlement } from "@/server/domain/suspense";
import { now } from "@/server/platform/clock";
import { requireAnyException, resolveException, takeException } from "@/server/services/exceptions/decide";
import { listExceptionsAcrossMerchants, type StoredException } from "@/server/services/exceptions/list";
import { settleException } from "@/server/services/exceptions/settle";
import { asMember, asOperator } from "../acting-as";
import { type Command, defineCommand, flag, oneOf, optional, required } from "../command";

/** In wire names. The age is in whole seconds, from opening to resolution, or to now. */
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

/** The act of the named member of the exception's merchant, or the operator's own if no member is named. */
async function actOn(exceptionId: string, as: string | null): Promise<CallContext> {
  const { merchantId, environment } = await requireAnyException(exceptionId);
  if (as === null) return asOperator({ merchantId: merchantId ?? NOBODY, environment });
  if (merchantId === null) throw validationError("as", "must be left out: the exception is no merchant's");
  return asMember({ merchantId, environment }, as);
}

const list = defineCommand({
  name: "exceptions list",
  summary: "List what a person must look at, the oldest first",
  options: {
    merchant: optional("ID", "the merchant; everyone's and nobody's where left out"),
    open: flag("only what is not resolved"),
  },
  run: async ({ merchant, open }) => {
    const { exceptions, hasMore } = await listExceptionsAcrossMerchants({ merchantId: merchant, openOnly: open });
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
  run: async ({ id, as }) => presentException(await takeException(await actOn(id, as), id)),
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
  run: async ({ id, as, resolution }) => presentException(await resolveException(await actOn(id, as), id, resolution)),
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
    presentException(await settleException(await actOn(id, as), id, money, resolution ?? DONE[money])),
});

export const exceptions: readonly Command[] = [list, take, resolve, settle];
