// Lets a person retry a callback that the worker could not apply.
import type { Act } from "@/server/db/audit/record";
import { type Retry, recordRetryAcrossMerchants, type StoredCallback } from "@/server/db/callbacks";
import { callbackState } from "@/server/domain/callback";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { decidingAct, orResolved, requireException } from "../exceptions/decide";
import type { StoredException } from "../exceptions/list";
import { operatorAct } from "../merchants/operator";
import { callbackOf, requireCallback } from "./find";
import { storeElsewhere } from "./hand-over";
import { ownerOf } from "./owner";
import { type CallbackTry, readCallback, tryCallback } from "./try";

/** Whose audit log records what is about a merchant of another cell. */
const OPERATORS = { merchantId: NOBODY, environment: "live" } as const;

/** The result of the try. `why` is the reason if the callback is still unapplied, else null: it was applied, or handed over. */
interface Reapplication {
  readonly callback: StoredCallback;
  readonly why: string | null;
}

/**
 * Applies the named callback as the operator, with an audit entry; success resolves its exception. Applies a callback
 * without a digest only if `acceptsUnverified`: the operator has checked with its provider. Throws not_found, and
 * validation_failed unless the callback is unapplied.
 */
export async function applyCallbackAgain(
  name: string,
  { acceptsUnverified = false }: { readonly acceptsUnverified?: boolean } = {},
): Promise<Reapplication> {
  return applyAgain(await requireCallback(name), operatorAct(), acceptsUnverified);
}

/**
 * Applies the callback of the scope's exception as the calling member, as `applyCallbackAgain` does. Throws Forbidden
 * without the role, not_found for an exception that is not about a callback, validation_failed once it is resolved.
 */
export async function applyCallbackOf(
  context: CallContext,
  exceptionId: string,
): Promise<Reapplication & { readonly exception: StoredException }> {
  const act = await decidingAct(context);
  const exception = await requireException(context.scope, exceptionId);
  const callback = await callbackOf(exception);
  orResolved(exception.resolvedAt === null ? exception : null);
  return { ...(await applyAgain(callback, act, false)), exception: await requireException(context.scope, exceptionId) };
}

async function applyAgain(callback: StoredCallback, act: Act, acceptsUnverified: boolean): Promise<Reapplication> {
  const state = callbackState(callback.result);
  if (state === "waiting") throw validationError("id", "names a callback that is still being retried");
  if (state === "handed_over")
    throw validationError(
      "id",
      "names a callback that was handed over to the cell that its merchant is in: apply it there",
    );
  if (state !== "unapplied") throw validationError("id", "names a callback that was already applied");
  const reading = await readCallback(callback);
  const cell = await storeElsewhere(callback, reading);
  if (cell) {
    const resolution = `The callback was handed over to ${cell.name}, where its merchant is.`;
    const handedOver = { result: "handed_over", scope: OPERATORS, resolution, acceptedUnverified: false } as const;
    return { callback: await recorded(callback, handedOver, act), why: null };
  }
  const tried = await tryCallback(callback, reading, acceptsUnverified);
  const acceptedUnverified = acceptsUnverified && callback.digest === null;
  const retry = { ...(await retryOf(callback, tried)), acceptedUnverified };
  return { callback: await recorded(callback, retry, act), why: "why" in tried ? tried.why : null };
}

async function recorded(callback: StoredCallback, retry: Retry, act: Act): Promise<StoredCallback> {
  const row = await recordRetryAcrossMerchants(callback, retry, act);
  if (!row) throw validationError("id", "names a callback that another process has just tried to apply");
  return row;
}

async function retryOf({ provider }: StoredCallback, tried: CallbackTry): Promise<Omit<Retry, "acceptedUnverified">> {
  switch (tried.result) {
    case "applied":
      return { ...tried, resolution: "The callback was applied." };
    case "ignored":
      return { ...tried, resolution: "The callback was applied. Its report was already known or outdated." };
    default:
      return { result: tried.result, scope: await ownerOf(provider, tried), resolution: null };
  }
}
