// Settlement files that members upload: compared with their merchant's books alone, shown, then stored. No upload books
// anything; fees and bank transfers are booked by the operator's import.

import { actOf, recordChange } from "@/server/db/audit/record";
import { isRefusedBy } from "@/server/db/failures";
import { findNamedIntentsWithin, findUnsettledWithin } from "@/server/db/reconciliation/books";
import { compareOnly, type ImportTransaction, importAlone } from "@/server/db/reconciliation/import";
import { listProvidersOf } from "@/server/db/reconciliation/of-merchant";
import { Forbidden, validationError } from "@/server/domain/errors";
import { requireAllowed } from "@/server/domain/permissions";
import type { JudgedLine } from "@/server/domain/reconciliation";
import type { UnsettledMovement } from "@/server/domain/reconciliation-exceptions";
import type { CallContext } from "@/server/domain/scope";
import { LINE_VERDICTS, MOST_UPLOADED_LINES, type SettlementLine } from "@/server/domain/settlement-line";
import { equalTexts, sha256Hex } from "@/server/platform/crypto";
import { checkedText } from "../checked-text";
import { actingMember } from "../members/acting-member";
import { uploadedDigest } from "./hand-booked-lines";
import { referenceOf } from "./home-of-line";
import { type Import, type Judged, judgeWithin, periodWithin, storeWithin } from "./import-lines";
import { readSettlement } from "./read-settlement";

export interface Upload {
  readonly provider: string;
  /** The file's name, for people. */
  readonly name: string;
  readonly text: string;
}

export interface UploadedLine extends JudgedLine {
  /** True for a line that an earlier file has brought, with the same verdict. */
  readonly isKnown: boolean;
}

export interface UploadPreview {
  /** The period that the file covers; the end is exclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly lines: readonly UploadedLine[];
  /** What moved in the merchant's books in that period and neither this file nor an earlier one settles. */
  readonly unsettled: readonly UnsettledMovement[];
  /** Identifies what was shown. */
  readonly digest: string;
}

/**
 * Compares a file with the merchant's books, and writes nothing. Throws Forbidden without the role, and validation_failed
 * for a file that cannot be read and for a provider that has moved no money of the merchant.
 */
export async function previewUpload(context: CallContext, upload: Upload): Promise<UploadPreview> {
  const settlement = await openUpload(context, upload);
  const lines = linesOf(settlement);
  return compareOnly((transaction) => previewWithin(transaction, settlement, lines));
}

export interface StoredUpload {
  readonly fileId: string;
  readonly exceptionsOpened: number;
  readonly exceptionsResolved: number;
}

/**
 * Stores a file as it was previewed, with its exceptions and an audit entry, in one transaction. Throws as
 * `previewUpload`, and validation_failed if the preview is another one now, if the file brings nothing new, and while
 * another import of the provider runs.
 */
export async function storeUpload(
  context: CallContext,
  upload: Upload & { readonly digest: string },
): Promise<StoredUpload> {
  const settlement = await openUpload(context, upload);
  const lines = linesOf(settlement);
  const act = actOf(context);
  return importAlone(settlement, async (transaction) => {
    const { judged, digest } = await previewWithin(transaction, settlement, lines);
    if (!equalTexts(digest, upload.digest)) {
      throw validationError("digest", "is not of the lines as they are now; check them again");
    }
    if (judged.lines.every((line) => isKnown(judged, line))) {
      throw validationError("file", "has no line that was not read before");
    }
    const stored = await storeWithin(transaction, settlement, judged, act).catch(refuseNobodys);
    const { file, exceptionsOpened, exceptionsResolved } = stored;
    const { merchantId, environment, provider, name } = settlement;
    const after = { provider, file_name: name, lines: lines.length, verdicts: countVerdicts(judged.lines) };
    const change = {
      merchantId,
      environment,
      action: "settlement_file.upload",
      objectId: file.id,
      before: null,
      after,
    };
    await recordChange(transaction, change, act);
    return { fileId: file.id, exceptionsOpened, exceptionsResolved };
  });
}

/** A line that was nobody's when the operator imported it is hidden from the merchant until the next import finds whose it is. */
function refuseNobodys(error: unknown): never {
  if (!isRefusedBy(error, "settlement_line")) throw error;
  throw validationError(
    "file",
    "has a line that the operator has not assigned to you yet; ask for its import, then try again",
  );
}

type MemberImport = Import & { readonly merchantId: string };

async function openUpload(context: CallContext, { provider, name, text }: Upload): Promise<MemberImport> {
  const { scope } = context;
  const member = await actingMember(context);
  if (!member) throw new Forbidden("Only a member can upload a settlement file.");
  requireAllowed(member, "upload_settlements", scope.environment);
  if (!(await listProvidersOf(scope)).includes(provider)) {
    throw validationError("provider", "has moved no money of yours");
  }
  return {
    ...scope,
    provider,
    name: checkedText("name", name, 255),
    bytes: new TextEncoder().encode(text),
    uploadedBy: member.id,
    from: null,
    to: null,
  };
}

function linesOf({ bytes }: Import): SettlementLine[] {
  const lines = readSettlement(bytes);
  if (lines.length > MOST_UPLOADED_LINES) {
    throw validationError("the file", `must have at most ${MOST_UPLOADED_LINES} lines; split it`);
  }
  return lines;
}

/**
 * A line that names no intent of the merchant may be anybody's, and the operator's import decides whose. In the upload it
 * is the merchant's, under a digest of its own, so that neither can touch what the other has stored.
 */
async function ownLines(
  transaction: ImportTransaction,
  settlement: MemberImport,
  lines: readonly SettlementLine[],
): Promise<SettlementLine[]> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))];
  const intents = await findNamedIntentsWithin(transaction, settlement, references);
  return lines.map((line) =>
    intents.has(referenceOf(line) ?? "")
      ? line
      : { ...line, digest: uploadedDigest(settlement.merchantId, line.digest), operatorsDigest: line.digest },
  );
}

async function previewWithin(
  transaction: ImportTransaction,
  settlement: MemberImport,
  read: readonly SettlementLine[],
): Promise<UploadPreview & { readonly judged: Judged }> {
  const { merchantId } = settlement;
  const lines = await ownLines(transaction, settlement, read);
  const { from, to } = await periodWithin(transaction, settlement, lines);
  const found = await judgeWithin(transaction, settlement, lines);
  const judged = { ...found, lines: found.lines.map((line) => ({ ...line, merchantId })) };
  const settled = new Set(judged.lines.flatMap(({ transactionId }) => transactionId ?? []));
  const movements = await findUnsettledWithin(transaction, settlement, { from, to });
  const unsettled = movements.filter(({ transactionId }) => !settled.has(transactionId));
  const shown = judged.lines.map((line) => [line.line.digest, line.verdict, line.why, isKnown(judged, line)]);
  return {
    judged,
    from,
    to,
    lines: judged.lines.map((line) => ({ ...line, isKnown: isKnown(judged, line) })),
    unsettled,
    digest: sha256Hex(JSON.stringify([settlement.provider, shown])),
  };
}

function isKnown({ known }: Judged, { line, verdict, isRepeat }: JudgedLine): boolean {
  return isRepeat || known.some((one) => one.digest === line.digest && one.verdict === verdict);
}

function countVerdicts(lines: readonly JudgedLine[]): Readonly<Record<string, number>> {
  const counted = LINE_VERDICTS.map((one) => [one, lines.filter(({ verdict }) => verdict === one).length] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}
