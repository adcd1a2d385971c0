// Which lines of a settlement file people have booked by hand: an import leaves them alone.
import type { HandBooking } from "@/server/db/reconciliation/hand-bookings";
import type { NamedIntent } from "@/server/domain/reconciliation";
import { missingInternalFact, unbookedFactsOf } from "@/server/domain/reconciliation-exceptions";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { sha256Hex } from "@/server/platform/crypto";

/** The digest of a line that a merchant's members uploaded and that names no intent of theirs. */
export function uploadedDigest(merchantId: string, digest: string): string {
  return sha256Hex(JSON.stringify([merchantId, digest]));
}

/**
 * The digests of those of the lines that are booked by hand. An entry may also name the line as its merchant's members uploaded
 * it; that does not count if the line names another merchant's intent.
 */
export function bookedByHand(
  provider: string,
  lines: readonly SettlementLine[],
  intents: ReadonlyMap<string, NamedIntent>,
  bookings: readonly HandBooking[],
): ReadonlySet<string> {
  const facts = new Set(bookings.map(({ fact }) => fact));
  const about = new Map<string | null, HandBooking[]>();
  for (const booking of bookings) about.set(booking.objectId, [...(about.get(booking.objectId) ?? []), booking]);
  const isUploadBooked = ({ reference, lineId, digest }: SettlementLine) =>
    (about.get(reference ?? lineId) ?? []).some(({ merchantId, fact }) => {
      const owner = intents.get(reference ?? "")?.merchantId ?? merchantId;
      return (
        merchantId !== null &&
        owner === merchantId &&
        fact === missingInternalFact(provider, uploadedDigest(merchantId, digest))
      );
    });
  const isLineBooked = ({ digest, operatorsDigest }: SettlementLine) =>
    [digest, operatorsDigest ?? digest].flatMap((one) => unbookedFactsOf(provider, one)).some((one) => facts.has(one));
  const booked = lines.filter((line) => isLineBooked(line) || isUploadBooked(line));
  return new Set(booked.map(({ digest }) => digest));
}
