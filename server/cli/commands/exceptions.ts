import { formatInstant } from "@/server/contract/instants";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { SETTLEMENTS, type Settlement } from "@/server/domain/suspense";
import { now } from "@/server/platform/clock";
import { withinMerchant } from "@/server/platform/reach";
import {
  assignException,
  requireAnyException,
  resolveException,
  takeException,
} from "@/server/services/exceptions/decide";
import { listExceptionsAcrossMerchants, type StoredException } from "@/server/services/exceptions/list";
import { settleException } from "@/server/services/exceptions/settle";
import { resolveBookedLine } from "@/server/services/journal/resolve-booked";
import { requireMemberByAddress } from "@/server/services/members/by-address";
import { asMember, asOperator } from "../acting-as";
import { type Command, defineCommand, flag, oneOf, optional, required } from "../command";

/** In wire names. The age is in whole seconds, from opening to resolution, or to now. */
function presentException(exception: StoredException) {
  const { openedAt, resolvedAt, resolvedBy, assignedAt } = exception;
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
    assigned_by: exception.assignedBy,
    assigned_at: assignedAt && formatInstant(assignedAt),
    resolution: exception.resolution,
    settled_as: exception.settledAs,
    resolved_at: resolvedAt && formatInstant(resolvedAt),
    resolved_by: resolvedBy && `${resolvedBy.type}:${resolvedBy.id}`,
  };
}

/**
 * Acts as the named member of the exception's merchant, or as the operator if no member is named, and presents what comes of
 * it. The act reaches that merchant alone.
 */
async function actOn(
  exceptionId: string,
  as: string | null,
  act: (context: CallContext) => Promise<StoredException>,
): Promise<object> {
  const { merchantId, environment } = await requireAnyException(exceptionId);
  const scope = { merchantId: merchantId ?? NOBODY, environment };
  return withinMerchant(scope.merchantId, async () => {
    if (as === null) return presentException(await act(asOperator(scope)));
    if (merchantId === null) throw validationError("as", "must be omitted: the exception belongs to no merchant");
    return presentException(await act(await asMember(scope, as)));
  });
}

/** The value of an option that names an owner, for none. */
const NO_OWNER = "nobody";

/** The id of the merchant's member with that address; null for `nobody`. Throws not_found. */
async function ownerId(merchantId: string, owner: string): Promise<string | null> {
  return owner === NO_OWNER ? null : (await requireMemberByAddress(merchantId, owner)).id;
}

/** The owner that a list is filtered by; undefined for no filter. Throws validation_failed and not_found. */
async function ownerAsked(merchantId: string | null, owner: string | null): Promise<string | null | undefined> {
  if (owner === null) return undefined;
  if (merchantId === null && owner !== NO_OWNER)
    throw validationError("owner", "requires merchant, unless it is nobody");
  return ownerId(merchantId ?? NOBODY, owner);
}

const list = defineCommand({
  name: "exceptions list",
  summary: "List exceptions, oldest first",
  cells: "merchant or every",
  options: {
    merchant: optional("ID", "the merchant; if omitted, all exceptions, also those of no merchant"),
    open: flag("only open exceptions"),
    owner: optional("ADDRESS|nobody", "only those of this member of the merchant, or those that nobody owns"),
  },
  run: async ({ merchant, open, owner }) => {
    const { exceptions, hasMore } = await listExceptionsAcrossMerchants({
      merchantId: merchant,
      openOnly: open,
      ownerId: await ownerAsked(merchant, owner),
    });
    return { data: exceptions.map(presentException), has_more: hasMore };
  },
});

const take = defineCommand({
  name: "exceptions take",
  summary: "Assign an exception to a member of its merchant, with an audit entry",
  cells: "id",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member"),
  },
  run: ({ id, as }) => actOn(id, as, (context) => takeException(context, id)),
});

const assign = defineCommand({
  name: "exceptions assign",
  summary: "Assign an exception to a colleague or to nobody, with an audit entry; its new owner is notified",
  cells: "id",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member who assigns it"),
    to: required("ADDRESS|nobody", "its new owner, a member of its merchant who may decide on it"),
  },
  run: ({ id, as, to }) =>
    actOn(id, as, async (context) => assignException(context, id, await ownerId(context.scope.merchantId, to))),
});

const resolve = defineCommand({
  name: "exceptions resolve",
  summary:
    "Resolve an exception permanently, with an audit entry; moves no money (for money in suspense, use exceptions settle)",
  cells: "id",
  options: {
    id: required("ID", "the exception"),
    as: optional("ADDRESS", "the member who is responsible; omit it if the exception belongs to no merchant"),
    resolution: required("TEXT", "what was found and done, at most 512 characters; with --booked 496"),
    booked: flag("people have booked the line of the settlement file that it is about: no import books it any more"),
  },
  run: ({ id, as, resolution, booked }) =>
    actOn(id, as, (context) => (booked ? resolveBookedLine : resolveException)(context, id, resolution)),
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
  summary: "Settle an exception's money in suspense and resolve the exception permanently, with audit entries",
  cells: "id",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member who is responsible"),
    money: oneOf(SETTLEMENTS, "credit or refund for money in suspense; recover, absorb or restore for missing money"),
    resolution: optional("TEXT", "what was found and done, at most 512 characters"),
  },
  run: ({ id, as, money, resolution }) =>
    actOn(id, as, (context) => settleException(context, id, money, resolution ?? DONE[money])),
});

export const exceptions: readonly Command[] = [list, take, assign, resolve, settle];
