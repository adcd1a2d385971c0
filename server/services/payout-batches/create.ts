// Creating the payouts of a file.
import { actOf, recordEvent } from "@/server/db/audit/record";
import { validationError } from "@/server/domain/errors";
import type { BatchLine } from "@/server/domain/payout-batch";
import type { CallContext } from "@/server/domain/scope";
import { equalTexts } from "@/server/platform/crypto";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { asServiceError } from "../outage";
import { createPayoutToRecipient } from "../payouts/create-to-recipient";
import { previewBatch } from "./preview";

export interface CreateBatch {
  readonly text: string;
  /** The file's name, for the audit log. */
  readonly name: string;
  /** `digest` of the preview that the member confirms. */
  readonly digest: string;
}

/** What became of a line. */
type CreatedLine = Omit<BatchLine, "verdict"> & { readonly outcome: "created" | "exists" | "rejected" };

export interface CreatedBatch {
  readonly id: string;
  readonly lines: readonly CreatedLine[];
}

/**
 * Creates the payouts of the lines that the preview accepted, each by itself: a line that is refused now does not stop the
 * others, and the same file again creates none twice. Throws validation_failed if the preview is another one now or accepts
 * no line, what previewBatch throws, and merchant_suspended.
 */
export async function createBatch(context: CallContext, { text, name, digest }: CreateBatch): Promise<CreatedBatch> {
  const preview = await previewBatch(context, text);
  if (!equalTexts(preview.digest, digest))
    throw validationError("digest", "is not of the lines as they are now; check them again");
  const accepted = preview.lines.filter(({ verdict }) => verdict === "create");
  if (accepted.length === 0) throw validationError("file", "has no line that can be created");
  const { approvalsRequired } = preview;
  const batch = { id: newId("payoutBatch"), approvalsAtLeast: approvalsRequired };
  await recordEvent(
    {
      ...context.scope,
      action: "payout_batch.create",
      objectId: batch.id,
      before: null,
      after: { file_name: name, lines: accepted.length, approvals_required: approvalsRequired, sums: sumsOf(accepted) },
    },
    actOf(context),
  );
  const lines: CreatedLine[] = [];
  // One after the other: the payouts are in the order of the file, and the day's total grows in it.
  for (const { verdict, ...line } of preview.lines) {
    lines.push(verdict === "create" ? await createLine(context, line, batch) : { ...line, outcome: verdict });
  }
  return { id: batch.id, lines };
}

/** Minor units by currency, as text. */
function sumsOf(lines: readonly BatchLine[]): Readonly<Record<string, string>> {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + (amount ?? 0n));
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum.toString()]));
}

async function createLine(
  context: CallContext,
  line: Omit<BatchLine, "verdict">,
  batch: { readonly id: string; readonly approvalsAtLeast: number },
): Promise<CreatedLine> {
  const { recipientId, amount, reference: merchantReference } = line;
  try {
    const command = { recipientId: recipientId ?? "", amount: String(amount), merchantReference, batch };
    const { intent, completion } = await createPayoutToRecipient(context, command);
    return { ...line, outcome: completion === "created" ? "created" : "exists", payoutId: intent.id };
  } catch (error) {
    const known = asServiceError(error);
    if (!known) log().error({ err: error, batchId: batch.id, line: line.line }, "a line of a batch failed");
    const message = known?.message ?? "Something went wrong on our side. Upload the file again to complete it.";
    return { ...line, outcome: "rejected", message };
  }
}
